//! Which tools answer some words best.
//!
//! A word weighs by how few tools have it, and by where a tool has it: in its name more than in its
//! prose. Two words side by side, in a question and in a tool, count more. A word that no tool has is
//! taken for one that means the same, that starts with it, or that is spelt nearly so.
//!
//! The weights were tried on the questions of `tests/data/queries.tsv` and others, with the keywords
//! of tools and without: they hardly differ from their neighbours, so that what the words are
//! decides, and not the weights.

use std::collections::{HashMap, HashSet};

use scenewright_contract::tool::first_sentence;
use scenewright_contract::{Runs, Safety, ToolInfo, suggest};
use serde_json::Value;

use super::members::{About, Members};
use super::phrases::Phrases;
use super::roles::roles;
use super::ways::WAYS;
use super::wish::{self, Deed, Wish};
use super::words;

/// What a word weighs by where it stands.
mod weight {
    pub(super) const NAME: f32 = 3.2;
    pub(super) const TITLE: f32 = 2.4;
    pub(super) const ALIAS: f32 = 2.0;
    pub(super) const KEYWORD: f32 = 2.2;
    pub(super) const WAY: f32 = 2.0;
    pub(super) const SENTENCE: f32 = 1.6;
    pub(super) const CHOICE: f32 = 1.2;
    pub(super) const GROUP: f32 = 0.9;
    pub(super) const ARGUMENT: f32 = 0.7;
    pub(super) const PROSE: f32 = 0.6;
    pub(super) const EXAMPLE: f32 = 0.4;
}

/// What a word counts that stands for the one that was asked.
const ALIKE: f32 = 0.4;
const BEGINNING: f32 = 0.6;
const MISSPELT: f32 = 0.5;
/// More words than these count less each.
const FEW_KEYWORDS: usize = 24;
/// Shorter words are not taken for others that are spelt nearly so: most are words of their own.
const LEAST_MISSPELT: usize = 6;
/// Shorter beginnings of words are in too many.
const LEAST_PART: usize = 4;
/// What a word counts that is taken for another.
const SLIP: f32 = 0.9;
/// Words of this length are not others by chance.
const LEAST_LONG: usize = 9;
/// What the name counts when it is asked for whole.
const WHOLE_NAME: f32 = 2.5;
/// What two words count that stand side by side.
const PAIR: f32 = 0.8;
/// What a tool counts that is asked for in just the words of a question.
const NEAR: f32 = 3.0;
/// How near the tools for code are to a question that changes what is in a script.
const EDITS_CODE: &[(&str, f32)] = &[("project.editText", 0.15), ("godotScript.editScript", 0.2)];
/// How near the tools are that set a field to a question that says a value.
const SETS: &[(&str, f32)] =
    &[("unity.edit", 0.2), ("component.setProperty", 0.15), ("godotScene.editNode", 0.2)];
/// What a small word counts there.
const LINK: f32 = 0.5;
/// The same where the question names a field.
const NEAR_FIELD: f32 = 2.0;
/// As near as this a tool is meant.
const NEAR_ENOUGH: f32 = 0.35;
/// Less of what was asked, and no tool does it.
const ENOUGH: f32 = 0.5;

/// The words of all tools.
#[derive(Default)]
pub(crate) struct Index {
    /// By stem: the tools that have it, and what it weighs there.
    words: HashMap<String, Vec<(usize, f32)>>,
    /// The tools that have two words side by side.
    pairs: HashMap<(String, String), Vec<usize>>,
    tools: Vec<Entry>,
    members: Members,
    phrases: Phrases,
}

/// What is known of a tool besides its words.
struct Entry {
    /// The stems of its name.
    name: Vec<String>,
    /// How much it counts.
    standing: f32,
    /// Whether it changes something; nothing for one that starts something, which does as much as it
    /// tells.
    writes: Option<bool>,
    /// All its names, the id first.
    names: Vec<String>,
    /// What it does, by the verb in its name.
    deed: Option<Deed>,
}

impl Entry {
    /// What the tool counts where something is to be told or done: less where it does the other.
    fn fits(&self, asks: Option<Wish>, deed: Option<Deed>) -> f32 {
        let own = self.deed;
        let kind = asks.map_or(1.0, |wish| match self.writes {
            Some(writes) if wish.changes != writes => wish.others,
            None if !wish.changes && own == Some(Deed::Change) => wish.others,
            None => wish.starts(),
            _ => 1.0,
        });
        let does_other = match deed {
            Some(Deed::Change) => {
                matches!(own, Some(Deed::Make | Deed::Remove)) || self.writes == Some(false)
            }
            Some(Deed::Make) => own == Some(Deed::Remove),
            Some(Deed::Remove) => own == Some(Deed::Make),
            _ => false,
        };
        if does_other { kind * OTHER_DEED } else { kind }
    }
}

/// A tool that answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// Its place among the tools.
    pub(crate) tool: usize,
    /// How well.
    pub(crate) score: f32,
    /// Whether it has enough of what was asked.
    pub(crate) is_meant: bool,
}

impl Index {
    /// The words of these tools, and of what they are for.
    /// `reads_too` tells of a tool that writes with some arguments only.
    pub(super) fn new<'t>(
        tools: impl Iterator<Item = &'t ToolInfo>,
        members: Members,
        reads_too: &dyn Fn(&str) -> bool,
    ) -> Index {
        let mut index = Index { members, ..Index::default() };
        for (number, tool) in tools.enumerate() {
            for (stem, weight) in words_of(tool) {
                index.words.entry(stem).or_default().push((number, weight));
            }
            for pair in pairs_of(tool) {
                index.pairs.entry(pair).or_default().push(number);
            }
            let aliases = tool.aliases.iter().map(|alias| (*alias).to_owned());
            index.tools.push(Entry {
                name: words::stems(&tool.mcp_name),
                standing: standing(tool),
                writes: (tool.runs == Runs::No && !reads_too(tool.id))
                    .then_some(tool.safety != Safety::ReadOnly && !tool.delegates),
                names: [tool.id.to_owned(), tool.mcp_name.clone()]
                    .into_iter()
                    .chain(aliases)
                    .collect(),
                deed: wish::first_deed(tool.id.rsplit('.').next().unwrap_or_default()),
            });
        }
        let names = index.tools.iter().flat_map(|tool| tool.name.iter().cloned());
        index.members.leave_to_tools(names.collect());
        let number = |name: &str| index.tools.iter().position(|tool| tool.names[1] == name);
        index.phrases = Phrases::new(&number);
        index
    }

    /// Those of `among` that answer, best first.
    pub(crate) fn search(
        &self,
        query: &str,
        most_words: usize,
        engines: &[&str],
        among: &dyn Fn(usize) -> bool,
    ) -> Vec<Hit> {
        let asked = self.asked(query, most_words);
        let asks = wish::wish(query);
        let deed = wish::asked_deed(query);
        let together = self.together(&asked);
        let about = self.members.about(&asked, deed == Some(Deed::Change));
        let is_class =
            query.split(|c: char| !c.is_alphanumeric()).any(|w| self.members.is_class(w));
        let (is_of_many, is_of_members) = (wish::is_of_many(query), wish::is_of_members(query));
        let roles = about
            .as_ref()
            .map(|about| roles(about, asks, deed, is_of_many, is_of_members, is_class));
        let roles = self.numbered(roles.unwrap_or_default());
        let has_field = about.as_ref().is_some_and(|about| about.field.is_some());
        let near = self.near(query, most_words, engines, about.is_some());
        // The engine's own words say more than anybody's sentences.
        let is_done = is_of_members && deed.is_none()
            || is_class && (is_of_many || matches!(deed, Some(Deed::Make | Deed::Remove)));
        let is_clear = has_field && deed != Some(Deed::Other) || about.is_some() && is_done;
        let mut scores: HashMap<usize, (f32, f32)> = HashMap::new();
        let mut whole = 0.0;
        for (word, asked_share) in &asked {
            let mut best: HashMap<usize, f32> = HashMap::new();
            let mut heaviest: f32 = 0.0;
            let own = if self.words.contains_key(word) { self.rarity(word) } else { f32::MAX };
            for (stem, share) in self.meant(word) {
                // What stands for a common word is not rare because few tools say it so.
                let rarity = self.rarity(stem).min(own) * asked_share;
                heaviest = heaviest.max(rarity * share);
                for (tool, weight) in self.words[stem].iter().filter(|(tool, _)| among(*tool)) {
                    let score = best.entry(*tool).or_default();
                    *score = score.max(rarity * share * weight);
                }
            }
            if let Some(exact) = about.as_ref().and_then(|about| about.words.get(word)) {
                let rarity = if own == f32::MAX { self.rarest() } else { own } * asked_share;
                heaviest = heaviest.max(rarity);
                for (tool, weight) in roles.iter().filter(|(tool, _)| among(*tool)) {
                    let score = best.entry(*tool).or_default();
                    *score = score.max(rarity * weight * exact);
                }
            }
            // A word that nobody knows is still asked for.
            let heaviest = if heaviest > 0.0 { heaviest } else { self.rarest() * asked_share };
            whole += heaviest;
            for (tool, score) in best {
                let (sum, covered) = scores.entry(tool).or_default();
                *sum += score;
                *covered += heaviest;
            }
        }
        for tool in near.keys().filter(|tool| among(**tool)) {
            scores.entry(*tool).or_default();
        }
        let mut hits: Vec<Hit> = scores
            .into_iter()
            .map(|(tool, (sum, covered))| {
                let share = covered / whole;
                let together = together.get(&tool).copied().unwrap_or_default();
                let score = (sum + together + self.named(tool, &asked)) * (0.4 + 0.6 * share);
                let near = near.get(&tool).copied().unwrap_or_default();
                let score = score + if is_clear { NEAR_FIELD } else { NEAR } * whole * near;
                let entry = &self.tools[tool];
                let score = score * entry.standing * entry.fits(asks, deed);
                // Who asks for a field asks for what sets and reads it, whatever the other words are.
                let has_role = has_field && roles.iter().any(|(role, _)| *role == tool);
                Hit { tool, score, is_meant: share >= ENOUGH || near >= NEAR_ENOUGH || has_role }
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
        hits
    }

    /// How near tools are to a question by whole sentences, and by what is to be set.
    fn near(
        &self,
        query: &str,
        most_words: usize,
        engines: &[&str],
        is_about: bool,
    ) -> HashMap<usize, f32> {
        let mut said = self.asked(&self.with_symbols(query), most_words);
        said.extend(words::links(query).map(|link| (link.to_owned(), LINK)));
        let mut near = self.phrases.near(&said, engines);
        // Who says a value means to set something, whatever it is called.
        let sets_value = || wish::asked_deed(query) == Some(Deed::Change) && wish::has_value(query);
        let sets: &[(&str, f32)] = if wish::is_of_script(query) && wish::edits_text(query) {
            EDITS_CODE
        } else if !is_about && sets_value() {
            SETS
        } else {
            &[]
        };
        for (tool, share) in self.numbered(sets.to_vec()) {
            *near.entry(tool).or_default() += share;
        }
        near
    }

    /// A question with names of somebody's code as what they are: `who calls TakeDamage`.
    fn with_symbols(&self, query: &str) -> String {
        let is_own = |name: &str| self.is_own(name) || self.members.has(name);
        // `does Button have text_changed` is about the engine's class.
        if query.split(|c: char| !c.is_alphanumeric()).any(|word| self.members.is_class(word)) {
            let is_member = |word: &str| {
                word.split_once('.').is_some_and(|(class, _)| self.members.is_class(class))
            };
            let of_class = query.split_whitespace().any(is_member);
            return if of_class { format!("{query} class method") } else { query.to_owned() };
        }
        words::with_symbols(query, &is_own)
    }

    /// The words of a question and how much each counts.
    fn asked(&self, query: &str, most: usize) -> Vec<(String, f32)> {
        let is_own = |name: &str| self.is_own(name) || self.members.has(name);
        let mut asked = words::asked(query, most, &is_own);
        for (word, share) in &mut asked {
            if let Some(meant) = self.spelt(word).filter(|_| *share >= 1.0) {
                *word = meant;
                *share = SLIP;
            }
        }
        // `spotlight` is a light, and a spot: tools have those words.
        let is_unknown =
            |word: &str| !self.words.contains_key(word) && self.slips_of(word).is_empty();
        let unknown = asked.iter().filter(|(word, _)| is_unknown(word));
        let parts = unknown.filter_map(|(word, share)| Some((self.members.parts(word)?, *share)));
        let parts =
            parts.flat_map(|(parts, share)| parts.iter().map(move |part| (part.clone(), share)));
        let parts: Vec<_> =
            parts.filter(|(part, _)| asked.iter().all(|(word, _)| word != part)).collect();
        asked.extend(parts);
        // `snowstorm` is of snow.
        let begins = |word: &str| {
            let is_known =
                self.words.contains_key(word) || self.phrases.has(word) || words::is_word(word);
            let begins =
                (LEAST_PART..word.len().saturating_sub(2)).rev().map(|end| word.get(..end));
            let mut begins = begins.flatten().filter(|start| self.phrases.has(start));
            if is_known || word.len() < LEAST_LONG {
                None
            } else {
                begins.next().map(str::to_owned)
            }
        };
        let parts: Vec<(String, f32)> = asked
            .iter()
            .filter_map(|(word, share)| Some((begins(word)?, share * BEGINNING)))
            .filter(|(part, _)| asked.iter().all(|(word, _)| word != part))
            .collect();
        asked.extend(parts);
        asked
    }

    /// The word that another is a slip of: `colider`. Words of everyday life are few letters from others, so
    /// that it takes a long one.
    fn spelt(&self, word: &str) -> Option<String> {
        let is_known = self.words.contains_key(word)
            || self.phrases.has(word)
            || self.members.has_stem(word)
            || words::is_word(word);
        if is_known || word.len() < LEAST_MISSPELT || !word.chars().all(|c| c.is_ascii_lowercase())
        {
            return None;
        }
        let of_tools = self.words.keys().map(String::as_str);
        let all = of_tools.chain(self.phrases.stems()).chain(self.members.stems());
        let all: Vec<&str> = all.filter(|stem| stem.len() >= LEAST_MISSPELT - 1).collect();
        let first = word.chars().next();
        let near = suggest::slips(word, all).filter(|near| {
            near.chars().next() == first
                && (word.len() >= LEAST_LONG || near.len() > word.len() - 1)
        });
        let near: Vec<&str> = near.collect();
        suggest::nearest(word, near).first().map(|near| (*near).to_owned())
    }

    /// The component, node or setting that a question is about, and its field.
    pub(super) fn about(&self, query: &str, most_words: usize) -> Option<About<'_>> {
        let is_verb = wish::asked_deed(query) == Some(Deed::Change);
        self.members.about(&self.asked(query, most_words), is_verb)
    }

    /// Tools by their places.
    fn numbered(&self, roles: Vec<(&str, f32)>) -> Vec<(usize, f32)> {
        let place = |id: &str| self.tools.iter().position(|tool| tool.names[0] == id);
        roles.into_iter().filter_map(|(id, weight)| Some((place(id)?, weight))).collect()
    }

    /// Whether a name in a question is that of a tool, or a word that tools have.
    fn is_own(&self, name: &str) -> bool {
        let is_of = |entry: &Entry| entry.names.iter().any(|own| own.eq_ignore_ascii_case(name));
        let joined = words::stems(&name.to_lowercase());
        let is_word = matches!(&joined[..], [only] if self.words.contains_key(only));
        is_word || self.tools.iter().any(is_of)
    }

    /// The stems that stand for a word, and how much each counts.
    fn meant<'s>(&'s self, word: &'s str) -> Vec<(&'s str, f32)> {
        let known = |stem: &&'s str| self.words.contains_key(*stem);
        let same = std::iter::once(word).filter(known).map(|stem| (stem, 1.0));
        let alike = words::alike(word).iter().map(String::as_str).filter(known);
        let mut meant: Vec<(&str, f32)> = same.chain(alike.map(|stem| (stem, ALIKE))).collect();
        if meant.is_empty() {
            meant.extend(self.slips_of(word).into_iter().map(|stem| (stem, MISSPELT)));
        }
        if meant.is_empty() && word.len() > 3 {
            let all = || self.words.keys().map(String::as_str);
            let longer = all().filter(|stem| stem.starts_with(word) || is_start_of(stem, word));
            meant.extend(longer.map(|stem| (stem, BEGINNING)));
            if meant.is_empty() && word.len() >= LEAST_MISSPELT {
                meant.extend(suggest::slips(word, all()).filter_map(|near| {
                    let (stem, _) = self.words.get_key_value(near)?;
                    Some((stem.as_str(), MISSPELT))
                }));
            }
        }
        meant
    }

    /// What a long word may be misspelt for: rather that than what it begins with.
    fn slips_of(&self, word: &str) -> Vec<&str> {
        if word.len() < LEAST_LONG || self.words.contains_key(word) {
            return Vec::new();
        }
        let near = suggest::slips(word, self.words.keys().map(String::as_str));
        near.filter_map(|near| Some(self.words.get_key_value(near)?.0.as_str())).collect()
    }

    /// What tools gain that have two words side by side as they were asked.
    fn together(&self, asked: &[(String, f32)]) -> HashMap<usize, f32> {
        let mut gains: HashMap<usize, f32> = HashMap::new();
        for pair in asked.windows(2) {
            let pair = (pair[0].0.clone(), pair[1].0.clone());
            let tools = self.pairs.get(&pair).map_or(&[][..], Vec::as_slice);
            for tool in tools {
                *gains.entry(*tool).or_default() += PAIR * self.rarity_among(tools.len());
            }
        }
        gains
    }

    /// More for words that few tools have.
    fn rarity(&self, stem: &str) -> f32 {
        self.rarity_among(self.words.get(stem).map_or(0, Vec::len))
    }

    fn rarest(&self) -> f32 {
        self.rarity_among(1)
    }

    fn rarity_among(&self, having: usize) -> f32 {
        (1.0 + self.tools.len() as f32 / (1.0 + having as f32)).ln()
    }

    /// More when much of the tool's name is asked for.
    fn named(&self, tool: usize, asked: &[(String, f32)]) -> f32 {
        let name = &self.tools[tool].name;
        let is_asked = |part: &&String| {
            asked.iter().any(|(word, _)| word == *part || words::alike(word).contains(part))
        };
        let found = name.iter().filter(is_asked).count();
        WHOLE_NAME * found as f32 / name.len().max(1) as f32
    }
}

/// What a tool counts that makes or removes something, where something that is there is to be changed.
const OTHER_DEED: f32 = 0.75;

/// `anim` stands for `animation`, and `animations2d` for it too.
fn is_start_of(stem: &str, word: &str) -> bool {
    stem.len() > 4 && word.starts_with(stem)
}

/// The words of a tool, each with the most that it weighs.
fn words_of(tool: &ToolInfo) -> HashMap<String, f32> {
    let mut all: HashMap<String, f32> = HashMap::new();
    let mut take = |text: &str, weight: f32| {
        for stem in words::stems(text) {
            let known = all.entry(stem).or_default();
            *known = known.max(weight);
        }
    };
    take(&tool.mcp_name, weight::NAME);
    take(tool.id.rsplit('.').next().unwrap_or_default(), weight::NAME);
    take(tool.title, weight::TITLE);
    tool.aliases.iter().for_each(|alias| take(alias, weight::ALIAS));
    // Who has many words for what it does is not meant by each of them.
    let keywords = tool.keywords.split(' ').count().max(FEW_KEYWORDS) as f32;
    take(tool.keywords, weight::KEYWORD * (FEW_KEYWORDS as f32 / keywords).sqrt());
    if wish::first_deed(tool.id.rsplit('.').next().unwrap_or_default()) == Some(Deed::Make) {
        take("new create make", weight::KEYWORD);
    }
    let description = &tool.words.description;
    take(first_sentence(description), weight::SENTENCE);
    take(description, weight::PROSE);
    take(tool.notes.unwrap_or_default(), weight::PROSE);
    take(tool.id.split('.').next().unwrap_or_default(), weight::GROUP);
    take(tool.category, weight::GROUP);
    tool.words.examples.iter().for_each(|example| take(example.description, weight::EXAMPLE));
    for way in WAYS.iter().filter(|way| way.tool == tool.id) {
        take(way.words(), weight::WAY);
    }
    each_argument(tool.words.input.get("properties"), &mut |name, schema| {
        take(name, weight::ARGUMENT);
        choices(schema).into_iter().for_each(|choice| take(choice, weight::CHOICE));
    });
    all
}

/// The words that stand side by side where a tool says what it does.
fn pairs_of(tool: &ToolInfo) -> HashSet<(String, String)> {
    let sentence = first_sentence(&tool.words.description);
    let texts = [tool.title, &tool.mcp_name, tool.keywords, sentence];
    texts.into_iter().flat_map(words::pairs).collect()
}

/// Every argument and its schema, those inside of others too.
fn each_argument<'s>(properties: Option<&'s Value>, take: &mut dyn FnMut(&str, &'s Value)) {
    let Some(Value::Object(arguments)) = properties else { return };
    for (name, schema) in arguments {
        take(name, schema);
        each_argument(schema.get("properties"), take);
        each_argument(schema.get("items").and_then(|items| items.get("properties")), take);
    }
}

/// The values that an argument can have, where they have names.
fn choices(schema: &Value) -> Vec<&str> {
    let own = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let constant = schema.get("const").into_iter();
    let mut found: Vec<&str> = own.chain(constant).filter_map(Value::as_str).collect();
    for key in ["oneOf", "anyOf"] {
        let inner = schema.get(key).and_then(Value::as_array).into_iter().flatten();
        found.extend(inner.flat_map(choices));
    }
    found
}

/// What is listed first is meant first; the interface of another program and what is about the server
/// itself come after the rest.
fn standing(tool: &ToolInfo) -> f32 {
    match tool.toolset {
        "explorer" => 0.6,
        "mcp" | "ci" | "editor" => 0.7,
        _ if tool.lean => 1.1,
        _ => 1.0,
    }
}
