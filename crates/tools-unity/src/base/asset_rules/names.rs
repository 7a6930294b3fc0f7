//! Names that may fit a pattern, made of one that does not.

/// Names like `stem`, those that change least first; whether they fit is asked by others.
pub(super) fn like(pattern: &str, stem: &str) -> Vec<String> {
    let (start, end) = (literal_start(pattern), literal_end(pattern));
    let words = words(stem);
    let plain = [
        stem.to_owned(),
        joined(&words, "", capital),
        joined(&words, "_", str::to_lowercase),
        joined(&words, "-", str::to_lowercase),
        joined(&words, "_", str::to_owned),
        joined(&words, "", str::to_owned),
        first_small(&joined(&words, "", capital)),
        stem.to_lowercase(),
    ];
    let mut names: Vec<String> = Vec::new();
    for name in &plain {
        for one in [without(name, &start, &end), name.clone()] {
            names.push(format!("{start}{one}{end}"));
            names.push(format!("{start}{}{end}", capital(&one)));
        }
    }
    let is_new = |at: usize, names: &[String]| names[..at].iter().all(|other| *other != names[at]);
    let kept = (0..names.len()).filter(|at| is_new(*at, &names)).map(|at| names[at].clone());
    kept.filter(|name| !name.is_empty() && name != stem).collect()
}

/// The name without a start or end that it has in other letters.
fn without(name: &str, start: &str, end: &str) -> String {
    let head = name.get(..start.len()).filter(|head| head.eq_ignore_ascii_case(start));
    let name = head.map_or(name, |head| &name[head.len()..]);
    let tail = name.len().checked_sub(end.len()).and_then(|at| name.get(at..));
    let tail = tail.filter(|tail| tail.eq_ignore_ascii_case(end));
    tail.map_or(name, |tail| &name[..name.len() - tail.len()]).to_owned()
}

/// What every text that fits begins with, as far as it is plain letters.
fn literal_start(pattern: &str) -> String {
    let Some(rest) = pattern.strip_prefix('^') else { return String::new() };
    let letters: String = rest.chars().take_while(|c| is_plain(*c)).collect();
    match rest[letters.len()..].starts_with(['*', '?', '{', '+', '|']) {
        // The last letter is the sign's.
        true => letters.chars().take(letters.chars().count().saturating_sub(1)).collect(),
        false => letters,
    }
}

/// The same for its end.
fn literal_end(pattern: &str) -> String {
    let Some(rest) = pattern.strip_suffix('$') else { return String::new() };
    let letters: Vec<char> = rest.chars().rev().take_while(|c| is_plain(*c)).collect();
    // A pattern of letters alone is told by its start.
    match letters.len() + 1 >= rest.chars().count() {
        true => String::new(),
        false => letters.into_iter().rev().collect(),
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}

/// The words of a name: apart by other signs, or by a capital.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut is_open, mut was_small) = (false, false);
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            is_open = false;
            continue;
        }
        if !is_open || (was_small && letter.is_uppercase()) {
            words.push(String::new());
        }
        (is_open, was_small) = (true, !letter.is_uppercase());
        if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    words
}

fn joined(words: &[String], between: &str, form: impl Fn(&str) -> String) -> String {
    words.iter().map(|word| form(word)).collect::<Vec<_>>().join(between)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn first_small(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn the_least_change_that_fits_is_taken() {
        let better = |pattern: &str, stem: &str| {
            let regex = Regex::new(pattern).unwrap();
            like(pattern, stem).into_iter().find(|name| regex.is_match(name)).unwrap_or_default()
        };
        assert_eq!(better("^M_", "Stone"), "M_Stone");
        assert_eq!(better("^M_", "m_stone"), "M_stone");
        assert_eq!(better("^T_.*_D$", "stone wall"), "T_stone wall_D");
        assert_eq!(better("^[A-Z][A-Za-z0-9]*$", "stone wall_2"), "StoneWall2");
        assert_eq!(better("^[a-z0-9_]+$", "StoneWall 2"), "stone_wall_2");
        assert_eq!(better("^[a-z0-9-]+$", "StoneWall"), "stone-wall");
        assert_eq!(better("^ab?c$", "Stone"), "");
    }
}
