variable "receives" {
  type    = number
  default = 5
}

variable "unset" {
  type = number
}
