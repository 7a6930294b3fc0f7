//! How people ask for what a tool does. A word alone means many tools; most of the words of one of these
//! sentences together mean one. The sentences are in `phrases/*.txt`, a line for each tool.

use std::collections::{HashMap, HashSet};

use super::words;

const UNITY: &str = include_str!("phrases/unity.txt");
const GODOT: &str = include_str!("phrases/godot.txt");
/// Of games that run.
const EXPLORER: &str = include_str!("phrases/explorer.txt");

/// What a word counts that means the same as the one in the sentence.
const ALIKE: f32 = 0.6;
/// What the words of all the sentences of a tool count together, against those of one.
const TOGETHER: f32 = 0.25;

/// The sentences of all tools, by their stems.
#[derive(Default)]
pub(super) struct Phrases {
    tools: Vec<Asked>,
    /// How many tools have a stem.
    having: HashMap<String, usize>,
}

/// What a tool is asked for.
struct Asked {
    tool: usize,
    /// The engine whose sentences they are.
    engine: &'static str,
    phrases: Vec<HashSet<String>>,
    all: HashSet<String>,
}

impl Phrases {
    /// `number` tells the places of tools by their names.
    pub(super) fn new(number: &dyn Fn(&str) -> Option<usize>) -> Phrases {
        let mut found = Phrases::default();
        let unity = lines(UNITY).chain(lines(EXPLORER)).map(|line| ("unity", line));
        let all = unity.chain(lines(GODOT).map(|line| ("godot", line)));
        for (engine, (name, sentences)) in all {
            let Some(tool) = number(name) else { continue };
            let phrases: Vec<HashSet<String>> = sentences.split('|').map(stems).collect();
            let all: HashSet<String> = phrases.iter().flatten().cloned().collect();
            for stem in &all {
                *found.having.entry(stem.clone()).or_default() += 1;
            }
            found.tools.push(Asked { tool, engine, phrases, all });
        }
        found
    }

    /// Whether any sentence has the stem.
    pub(super) fn has(&self, stem: &str) -> bool {
        self.having.contains_key(stem)
    }

    pub(super) fn stems(&self) -> impl Iterator<Item = &str> {
        self.having.keys().map(String::as_str)
    }

    /// How near the words of a question are to what each tool is asked for, from 0 to 1. `engines` are those
    /// of the open projects.
    pub(super) fn near(&self, asked: &[(String, f32)], engines: &[&str]) -> HashMap<usize, f32> {
        let weight = |stem: &str| {
            let having = self.having.get(stem).copied().unwrap_or_default();
            (1.0 + self.tools.len() as f32 / (2.0 + having as f32)).ln()
        };
        let words: Vec<Word<'_>> = asked
            .iter()
            .filter(|(stem, _)| !stem.starts_with(|c: char| c.is_ascii_digit()))
            .map(|(stem, share)| {
                // What no sentence has is mostly the name of something.
                let known = if self.has(stem) { 1.0 } else { UNKNOWN };
                Word { stem, weight: weight(stem) * share * known }
            })
            .collect();
        let whole: f32 = words.iter().map(|word| word.weight).sum();
        if whole <= 0.0 {
            return HashMap::new();
        }
        let mut best: HashMap<usize, f32> = HashMap::new();
        for of in self.tools.iter().filter(|of| engines.is_empty() || engines.contains(&of.engine))
        {
            let covers = |phrase: &HashSet<String>| -> (f32, f32) {
                let (mut asked, mut said) = (0.0, 0.0);
                let mut used: HashSet<&str> = HashSet::new();
                for word in &words {
                    let Some((stem, share)) = in_phrase(word.stem, phrase) else { continue };
                    asked += word.weight * share;
                    if used.insert(stem) {
                        said += weight(stem) * share;
                    }
                }
                (asked / whole, said)
            };
            let one = of.phrases.iter().map(|phrase| {
                let (asked, said) = covers(phrase);
                let all: f32 = phrase.iter().map(|stem| weight(stem)).sum();
                asked * said / all.max(f32::EPSILON)
            });
            let one = one.fold(0.0, f32::max);
            let (together, _) = covers(&of.all);
            let score = (1.0 - TOGETHER) * one + TOGETHER * together * together;
            let known = best.entry(of.tool).or_default();
            *known = known.max(score);
        }
        best
    }
}

/// What a word counts that is in no sentence.
const UNKNOWN: f32 = 0.5;

/// A word of a question.
struct Word<'q> {
    stem: &'q str,
    weight: f32,
}

/// The word of a sentence that a word of a question means, and how exactly.
fn in_phrase<'p>(stem: &str, phrase: &'p HashSet<String>) -> Option<(&'p str, f32)> {
    if let Some(same) = phrase.get(stem) {
        return Some((same, 1.0));
    }
    let alike = words::alike(stem).iter().find_map(|other| phrase.get(other));
    alike.map(|stem| (stem.as_str(), ALIKE))
}

fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter_map(|line| line.split_once(": "))
}

fn stems(sentence: &str) -> HashSet<String> {
    let asked = words::asked(sentence, usize::MAX, &|_| true);
    let links = words::links(sentence).map(str::to_owned);
    asked.into_iter().map(|(stem, _)| stem).chain(links).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_words_of_a_sentence_mean_its_tool() {
        let names: Vec<&str> = lines(UNITY).map(|(name, _)| name).collect();
        let phrases = Phrases::new(&|name| names.iter().position(|one| *one == name));
        let best = |query: &str| {
            let asked = words::asked(query, usize::MAX, &|_| false);
            let near = phrases.near(&asked, &["unity"]);
            let best = near.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
            best.map(|(tool, _)| names[tool])
        };
        assert_eq!(best("cut the sprite sheet into cells"), Some("texture_slice"));
        assert_eq!(
            best("bullets must not collide with each other"),
            Some("settings_setLayerCollision")
        );
        assert_eq!(best("2 3 4"), None);
    }
}
