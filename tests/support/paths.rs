//! The paths that a Rust source mentions, with comments and texts left out.

/// Every path of a source that begins at a known root, in full: `crate::...`, `std::...` or `rayon::...`. `self` and
/// `super` are resolved; `module` is where the source stands.
pub fn paths(module: &[&str], source: &str) -> Vec<Vec<String>> {
    let tokens = tokens(source);
    let mut scan = Scan { tokens: &tokens, position: 0, modules: Vec::new(), depth: 0, found: Vec::new() };
    scan.run(module);
    scan.found
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Separator,
    Mark(char),
}

struct Scan<'a> {
    tokens: &'a [Token],
    position: usize,
    /// Inline modules around the position, and the depth of braces at which each began.
    modules: Vec<(String, usize)>,
    depth: usize,
    found: Vec<Vec<String>>,
}

impl Scan<'_> {
    fn run(&mut self, module: &[&str]) {
        while let Some(token) = self.tokens.get(self.position) {
            match token {
                Token::Mark('{') => self.depth += 1,
                Token::Mark('}') => {
                    self.depth = self.depth.saturating_sub(1);
                    self.modules.retain(|(_, began)| *began < self.depth + 1);
                }
                Token::Word(word) if word == "mod" => {
                    if let [Token::Word(name), Token::Mark('{'), ..] = &self.tokens[self.position + 1..] {
                        self.modules.push((name.clone(), self.depth + 1));
                    }
                }
                Token::Word(word) if self.begins_path() => {
                    let start = self.start_of(word.clone(), module);
                    self.position += 1;
                    if self.tokens.get(self.position) == Some(&Token::Separator) {
                        self.position += 1;
                        self.branch(start);
                    } else if start.len() > 1 || start == ["rayon"] {
                        self.found.push(start);
                    }
                    continue;
                }
                _ => {}
            }
            self.position += 1;
        }
    }

    fn begins_path(&self) -> bool {
        let is_root = matches!(&self.tokens[self.position], Token::Word(word) if ["crate", "self", "super", "std", "rayon"].contains(&word.as_str()));
        let inside = self.position > 0 && self.tokens[self.position - 1] == Token::Separator;
        // `self` alone is a value, `pub(crate)` and `pub(super)` are no paths.
        let leads_on = self.tokens.get(self.position + 1) == Some(&Token::Separator);
        is_root && !inside && leads_on
    }

    /// The full path of a root word.
    fn start_of(&mut self, word: String, module: &[&str]) -> Vec<String> {
        let mut path = vec!["crate".to_owned()];
        match word.as_str() {
            "crate" => path,
            "self" | "super" => {
                path.extend(module.iter().map(|name| (*name).to_owned()));
                path.extend(self.modules.iter().map(|(name, _)| name.clone()));
                if word == "super" {
                    path.pop();
                }
                while let [Token::Separator, Token::Word(next), ..] = &self.tokens[self.position + 1..] {
                    if next != "super" {
                        break;
                    }
                    path.pop();
                    self.position += 2;
                }
                path
            }
            _ => vec![word],
        }
    }

    /// What follows a separator: a name, a group or a glob.
    fn branch(&mut self, mut path: Vec<String>) {
        match self.tokens.get(self.position) {
            Some(Token::Word(word)) => {
                if word != "self" {
                    path.push(word.clone());
                }
                self.position += 1;
                if self.tokens.get(self.position) == Some(&Token::Separator) {
                    self.position += 1;
                    return self.branch(path);
                }
            }
            Some(Token::Mark('{')) => return self.group(&path),
            Some(Token::Mark('*')) => {
                path.push("*".to_owned());
                self.position += 1;
            }
            _ => {}
        }
        self.found.push(path);
    }

    /// `{a, b::c, d as e}` behind a path.
    fn group(&mut self, path: &[String]) {
        self.position += 1;
        loop {
            match self.tokens.get(self.position) {
                None => return,
                Some(Token::Mark('}')) => {
                    self.position += 1;
                    return;
                }
                Some(Token::Mark(',')) => self.position += 1,
                Some(Token::Word(word)) if word == "as" => self.position += 2,
                Some(_) => {
                    let before = self.position;
                    self.branch(path.to_vec());
                    self.position = self.position.max(before + 1);
                }
            }
        }
    }
}

/// The tokens that paths are made of; comments, texts and lifetimes are left out.
fn tokens(source: &str) -> Vec<Token> {
    let characters: Vec<char> = source.chars().collect();
    let at = |position: usize| characters.get(position).copied().unwrap_or('\0');
    let mut tokens = Vec::new();
    let mut position = 0;
    while position < characters.len() {
        let character = at(position);
        match (character, at(position + 1)) {
            ('/', '/') => position = end_of_line(&characters, position),
            ('/', '*') => position = end_of_comment(&characters, position),
            ('"', _) => position = end_of_text(&characters, position + 1),
            ('r', '"' | '#') if raw_text(&characters, position + 1).is_some() => {
                position = raw_text(&characters, position + 1).unwrap_or(position + 1);
            }
            ('\'', '\\') => position = end_of_character(&characters, position + 3),
            ('\'', _) if at(position + 2) == '\'' => position += 3,
            (':', ':') => {
                tokens.push(Token::Separator);
                position += 2;
            }
            _ if is_of_word(character) => {
                let end =
                    (position..characters.len()).find(|&end| !is_of_word(characters[end])).unwrap_or(characters.len());
                tokens.push(Token::Word(characters[position..end].iter().collect()));
                position = end;
            }
            _ => {
                if !character.is_whitespace() && character != '\'' {
                    tokens.push(Token::Mark(character));
                }
                position += 1;
            }
        }
    }
    tokens
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn end_of_line(characters: &[char], from: usize) -> usize {
    (from..characters.len()).find(|&end| characters[end] == '\n').unwrap_or(characters.len())
}

fn end_of_comment(characters: &[char], from: usize) -> usize {
    let (mut position, mut depth) = (from + 2, 1);
    while position < characters.len() && depth > 0 {
        match characters[position..] {
            ['/', '*', ..] => (position, depth) = (position + 2, depth + 1),
            ['*', '/', ..] => (position, depth) = (position + 2, depth - 1),
            _ => position += 1,
        }
    }
    position
}

fn end_of_text(characters: &[char], from: usize) -> usize {
    let mut position = from;
    while position < characters.len() && characters[position] != '"' {
        position += if characters[position] == '\\' { 2 } else { 1 };
    }
    position + 1
}

fn end_of_character(characters: &[char], from: usize) -> usize {
    (from..characters.len()).find(|&end| characters[end] == '\'').map_or(characters.len(), |end| end + 1)
}

/// The end of a raw text whose hashes begin at that position; nothing if none begins there.
fn raw_text(characters: &[char], from: usize) -> Option<usize> {
    let hashes = characters[from..].iter().take_while(|&&character| character == '#').count();
    if characters.get(from + hashes) != Some(&'"') {
        return None;
    }
    let mut closing = vec!['"'];
    closing.extend(std::iter::repeat_n('#', hashes));
    let rest = &characters[from + hashes + 1..];
    let end = rest.windows(closing.len()).position(|window| window == closing)?;
    Some(from + hashes + 1 + end + closing.len())
}
