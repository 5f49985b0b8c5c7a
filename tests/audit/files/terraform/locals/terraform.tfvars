receives = 4
