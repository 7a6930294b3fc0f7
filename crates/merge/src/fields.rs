//! Three versions of one object put together, field by field.

use std::collections::{HashMap, HashSet};

use crate::assemble;
use crate::godot::numbered;
use crate::language::{KeyOf, Language, ListRule};
use crate::model::{Kind, Layout, Step, path_text};
use crate::order::{Chunk, chunks, order};
use crate::report::{Choice, Conflict, ConflictKind, Note, conflict_id, shown};
use crate::same::{At, Nearness, is_noise, same};
use crate::texts::merge_lines;

/// Base, ours, theirs.
pub(crate) type Three<'a> = [Option<At<'a>>; 3];

/// What people decided, by the id of the conflict.
pub type Choices = HashMap<String, Choice>;

/// One object while it is merged.
pub(crate) struct Fields<'a> {
    pub(crate) language: Language,
    pub(crate) object: &'a str,
    pub(crate) label: (String, String),
    pub(crate) choices: &'a Choices,
    /// Objects that stay although one side deleted them.
    pub(crate) kept: &'a HashMap<String, Choice>,
    /// Where conflicts are marked: the depth of the fields, and whether at all.
    pub(crate) marks: Option<usize>,
    pub(crate) line_break: &'static str,
    pub(crate) path: Vec<Step>,
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) notes: Vec<Note>,
}

impl<'a> Fields<'a> {
    /// The text of the merged node; nothing when it is gone.
    pub(crate) fn merge(&mut self, three: Three<'a>) -> Option<Vec<u8>> {
        match three {
            [_, None, None] => None,
            [None, Some(one), None] | [None, None, Some(one)] => Some(one.text().to_vec()),
            [Some(base), Some(kept), None] | [Some(base), None, Some(kept)] => {
                self.deleted(base, kept, three)
            }
            [base, Some(ours), Some(theirs)] => self.both(base, ours, theirs),
        }
    }

    fn deleted(&mut self, base: At<'a>, kept: At<'a>, three: Three<'a>) -> Option<Vec<u8>> {
        let is_derived = self.language.is_derived(&self.path);
        if is_derived || self.is_same(base, kept, Nearness::ButNoise) {
            return None;
        }
        self.conflict(ConflictKind::DeletedField, three)
    }

    fn both(&mut self, base: Option<At<'a>>, ours: At<'a>, theirs: At<'a>) -> Option<Vec<u8>> {
        if self.is_same(ours, theirs, Nearness::Exact) {
            return Some(ours.text().to_vec());
        }
        if let Some(base) = base {
            if self.is_same(base, ours, Nearness::Exact) {
                return Some(theirs.text().to_vec());
            }
            if self.is_same(base, theirs, Nearness::Exact) {
                return Some(ours.text().to_vec());
            }
        }
        let three = [base, Some(ours), Some(theirs)];
        let kind = ours.node.kind;
        let alike = kind == theirs.node.kind && base.is_none_or(|base| base.node.kind == kind);
        if alike && kind != Kind::Atom && assemble::fit(three) {
            return match kind {
                Kind::Map => self.maps(three),
                _ => self.lists(three),
            };
        }
        self.atoms(base, ours, theirs)
    }

    fn atoms(&mut self, base: Option<At<'a>>, ours: At<'a>, theirs: At<'a>) -> Option<Vec<u8>> {
        if self.language.is_derived(&self.path) {
            self.note("the engine derives it; ours is kept", false);
            return Some(ours.text().to_vec());
        }
        let noise = |a: At<'_>, b: At<'_>| is_noise(a.inner(), b.inner());
        if noise(ours, theirs) || base.is_some_and(|base| noise(base, theirs)) {
            self.note("only the last digits differ; ours is kept", false);
            return Some(ours.text().to_vec());
        }
        if base.is_some_and(|base| noise(base, ours)) {
            self.note("only the last digits differ in ours; theirs is taken", false);
            return Some(theirs.text().to_vec());
        }
        if let Some(merged) = base.and_then(|base| self.texts(base, ours, theirs)) {
            self.note("both changed lines of the text; both are in it", false);
            return Some(merged);
        }
        let kind = match base {
            Some(_) => ConflictKind::SameField,
            None => ConflictKind::AddedField,
        };
        self.conflict(kind, [base, Some(ours), Some(theirs)])
    }

    /// Lines of one text, or cells of one map of tiles.
    fn texts(&self, base: At<'a>, ours: At<'a>, theirs: At<'a>) -> Option<Vec<u8>> {
        if [base, ours, theirs].iter().any(|at| at.node.kind != Kind::Atom) {
            return None;
        }
        let value = match self.language.text(ours.inner()) {
            Some(text) => {
                let (base, theirs) =
                    (self.language.text(base.inner())?, self.language.text(theirs.inner())?);
                self.language.spell(&merge_lines(&base, &text, &theirs)?, ours)?
            }
            None if matches!(self.language, Language::Godot { .. }) => {
                crate::godot::cells(&self.path, base.inner(), ours.inner(), theirs.inner())?
            }
            None => return None,
        };
        let (span, inner) = (&ours.node.span, &ours.node.inner);
        Some(
            [&ours.bytes[span.start..inner.start], &value, &ours.bytes[inner.end..span.end]]
                .concat(),
        )
    }

    fn maps(&mut self, three: Three<'a>) -> Option<Vec<u8>> {
        let named = three.map(|at| at.map_or_else(Vec::new, fields_of));
        let keys = |side: usize| -> Vec<String> {
            named[side].iter().map(|(key, _)| key.clone()).collect()
        };
        let order = order(&keys(0), &keys(1), &keys(2)).keys;
        let torn = self.torn(&named);
        let by_key = named.map(|fields| fields.into_iter().collect::<HashMap<_, _>>());
        let marks = self.marks.is_some_and(|depth| depth == self.path.len());
        let mut texts = Vec::with_capacity(order.len());
        for key in order {
            if let Some(choice) = numbered::split(&key).and_then(|(list, _)| torn.get(list)) {
                let chosen = by_key[choice.index()].get(&key);
                texts.extend(chosen.map(|at| at.text().to_vec()));
                continue;
            }
            self.path.push(Step::Key(key.split('\0').next().unwrap_or_default().to_owned()));
            let before = self.conflicts.len();
            let of = |side: usize| by_key[side].get(&key).copied();
            let merged = self.merge([of(0), of(1), of(2)]);
            self.path.pop();
            if marks && is_on_lines(three) {
                texts.extend(self.marks_since(before));
            }
            texts.extend(merged);
        }
        self.assembled(three, texts)
    }

    /// Lists by the names of properties which do not go together, and whose version counts.
    fn torn(&mut self, named: &[Vec<(String, At<'a>)>; 3]) -> HashMap<String, Choice> {
        let is_section = matches!(self.language, Language::Godot { .. }) && self.path.is_empty();
        let torn = if is_section { numbered::torn(named) } else { Vec::new() };
        let mut chosen = HashMap::new();
        for list in torn {
            self.path.push(Step::Key(list.clone()));
            self.conflict(ConflictKind::List, [None; 3]);
            self.path.pop();
            let choice = self.conflicts.last().and_then(|conflict| conflict.choice);
            chosen.insert(list, choice.unwrap_or(Choice::Ours));
        }
        chosen
    }

    fn lists(&mut self, three: Three<'a>) -> Option<Vec<u8>> {
        let rule = self.language.list_rule(&self.path);
        let known = match rule {
            ListRule::Keyed(key, _) => keyed(three, key, false),
            _ => None,
        };
        if let (Some(items), ListRule::Keyed(_, has_order)) = (known, rule) {
            return self.keyed(three, items, has_order, false);
        }
        if rule != ListRule::Indexed && three[0].is_some() {
            for key in GUESSES {
                if let Some(items) = keyed(three, KeyOf::Fields(key), true) {
                    return self.keyed(three, items, true, true);
                }
            }
        }
        match three {
            [Some(base), Some(ours), Some(theirs)] => self.free(base, ours, theirs, rule),
            _ => self.conflict(ConflictKind::AddedField, three),
        }
    }

    fn keyed(
        &mut self,
        three: Three<'a>,
        items: [Vec<(String, At<'a>)>; 3],
        has_order: bool,
        is_guess: bool,
    ) -> Option<Vec<u8>> {
        let keys = |side: usize| -> Vec<String> {
            items[side].iter().map(|(key, _)| key.clone()).collect()
        };
        let keys = [keys(0), keys(1), keys(2)];
        if is_guess && is_renamed_twice(&keys) {
            return self.conflict(ConflictKind::List, three);
        }
        let order = order(&keys[0], &keys[1], &keys[2]);
        if order.both && has_order {
            self.note("both changed the order of the list; ours is kept", true);
        }
        if is_guess && keys[1].iter().any(|key| !keys[0].contains(key)) {
            self.note("both changed the list; its items are told apart by a name in them", true);
        }
        let by_key = items.map(|items| items.into_iter().collect::<HashMap<_, _>>());
        let mut texts = Vec::with_capacity(order.keys.len());
        for key in order.keys {
            let of = |side: usize| by_key[side].get(&key).copied();
            if let Some(choice) = self.kept.get(&key) {
                let side = of(choice.index()).or(of(1)).or(of(2));
                texts.extend(side.map(|at| at.text().to_vec()));
                continue;
            }
            self.path.push(Step::Item(key.split('\0').next().unwrap_or_default().to_owned()));
            texts.extend(self.merge([of(0), of(1), of(2)]));
            self.path.pop();
        }
        self.assembled(three, texts)
    }

    /// Items without identity, lined up as lines are.
    fn free(
        &mut self,
        base: At<'a>,
        ours: At<'a>,
        theirs: At<'a>,
        rule: ListRule,
    ) -> Option<Vec<u8>> {
        let three = [Some(base), Some(ours), Some(theirs)];
        let items = [base, ours, theirs].map(|list| list.children().collect::<Vec<_>>());
        let spelled = items.each_ref().map(|items| {
            let squeeze = |at: &At<'_>| self.spelled(*at);
            items.iter().map(squeeze).collect::<Vec<String>>()
        });
        if rule != ListRule::Indexed && only_grew(&spelled) {
            let named = |side: usize| -> Vec<(String, At<'a>)> {
                spelled[side].iter().cloned().zip(items[side].iter().copied()).collect()
            };
            self.note("both added to the list or changed its order", true);
            return self.keyed(three, [named(0), named(1), named(2)], true, false);
        }
        let mut texts = Vec::new();
        let mark = (self.conflicts.len(), self.notes.len());
        for chunk in chunks(&spelled[0], &spelled[1], &spelled[2]) {
            let (b, o, t) = (
                &spelled[0][chunk.base.clone()],
                &spelled[1][chunk.ours.clone()],
                &spelled[2][chunk.theirs.clone()],
            );
            let text_of = |items: &[At<'_>]| items.iter().map(|at| at.text().to_vec()).collect();
            let of_ours: Vec<Vec<u8>> = text_of(&items[1][chunk.ours.clone()]);
            let of_theirs: Vec<Vec<u8>> = text_of(&items[2][chunk.theirs.clone()]);
            if chunk.is_stable || o == t || b == t {
                texts.extend(of_ours);
            } else if b == o {
                texts.extend(of_theirs);
            } else if b.is_empty() && rule != ListRule::Indexed {
                self.note("both added to the list in one place: ours, then theirs", true);
                texts.extend(of_ours);
                let fresh =
                    of_theirs.into_iter().zip(t).filter(|(_, spelled)| !o.contains(spelled));
                texts.extend(fresh.map(|(text, _)| text));
            } else if let Some(merged) = self.in_place(&items, &spelled, &chunk) {
                texts.extend(merged);
            } else {
                self.conflicts.truncate(mark.0);
                self.notes.truncate(mark.1);
                return self.conflict(ConflictKind::List, three);
            }
        }
        self.assembled(three, texts)
    }

    /// A part of a list that all have equally many items in: each by its place, when no item was
    /// changed by both, or when there is but one.
    fn in_place(
        &mut self,
        items: &[Vec<At<'a>>; 3],
        spelled: &[Vec<String>; 3],
        Chunk { base, ours, theirs, .. }: &Chunk,
    ) -> Option<Vec<Vec<u8>>> {
        if base.len() != ours.len() || base.len() != theirs.len() {
            return None;
        }
        let is_one = base.len() == 1;
        let mut texts = Vec::with_capacity(base.len());
        for place in 0..base.len() {
            let at = [base.start + place, ours.start + place, theirs.start + place];
            let [b, o, t] = [0, 1, 2].map(|side| &spelled[side][at[side]]);
            let [base, ours, theirs] = [0, 1, 2].map(|side| items[side][at[side]]);
            if b == t || o == t {
                texts.push(ours.text().to_vec());
            } else if b == o {
                texts.push(theirs.text().to_vec());
            } else if is_one {
                if !self.resembles(base, ours) || !self.resembles(base, theirs) {
                    return None;
                }
                self.path.push(Step::Index(at[0]));
                texts.extend(self.merge([Some(base), Some(ours), Some(theirs)]));
                self.path.pop();
            } else {
                return None;
            }
        }
        Some(texts)
    }

    /// An item as one line, whatever its layout.
    fn spelled(&self, at: At<'_>) -> String {
        match at.node.kind {
            Kind::Atom => self.language.canonical(at.inner()).into_owned(),
            _ => {
                let text = String::from_utf8_lossy(at.text());
                text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Whether an item is the other one after a change, and not another in its place.
    fn resembles(&self, old: At<'_>, new: At<'_>) -> bool {
        if old.node.kind != new.node.kind {
            return false;
        }
        let same_fields = old.children().filter(|field| {
            let other = new.child(&field.node.key);
            other.is_some_and(|other| self.is_same(*field, other, Nearness::Exact))
        });
        old.node.kind == Kind::Atom || same_fields.count() * 2 >= old.node.children.len()
    }

    fn is_same(&self, a: At<'_>, b: At<'_>, nearness: Nearness) -> bool {
        same(self.language, a, b, nearness, &mut self.path.clone())
    }

    /// The pieces as a node; a conflict where they cannot be written in one way.
    fn assembled(&mut self, three: Three<'a>, texts: Vec<Vec<u8>>) -> Option<Vec<u8>> {
        match assemble::assemble(three, &texts, self.line_break) {
            Some(text) => Some(text),
            None => self.conflict(ConflictKind::List, three),
        }
    }

    /// Writes a conflict down, and gives what stands in the file: what a person chose, or ours.
    pub(crate) fn conflict(&mut self, kind: ConflictKind, three: Three<'a>) -> Option<Vec<u8>> {
        let id = conflict_id(self.object, &self.path);
        let choice = self.choices.get(&id).copied();
        let value = |side: usize| three[side].map(|at| shown(value_of(at)));
        self.conflicts.push(Conflict {
            kind,
            object: self.object.to_owned(),
            class: self.label.0.clone(),
            name: self.label.1.clone(),
            field: path_text(&self.path),
            base: value(0),
            ours: value(1),
            theirs: value(2),
            detail: String::new(),
            choice,
            id,
        });
        three[choice.unwrap_or(Choice::Ours).index()].map(|at| at.text().to_vec())
    }

    pub(crate) fn note(&mut self, text: &str, is_warning: bool) {
        self.notes.push(Note {
            object: self.object.to_owned(),
            field: path_text(&self.path),
            text: text.to_owned(),
            is_warning,
        });
    }

    /// Comments about the conflicts that came since, for those who open the file.
    fn marks_since(&self, before: usize) -> Option<Vec<u8>> {
        let open = self.conflicts[before..].iter().filter(|conflict| conflict.choice.is_none());
        let lines: Vec<String> = open.map(|conflict| self.mark(conflict)).collect();
        (!lines.is_empty()).then(|| lines.concat().into_bytes())
    }

    fn mark(&self, conflict: &Conflict) -> String {
        let indent = " ".repeat(self.marks.unwrap_or_default() * 2);
        mark(self.language, conflict, &indent, self.line_break)
    }
}

/// A comment that tells of a conflict.
pub(crate) fn mark(language: Language, conflict: &Conflict, indent: &str, end: &str) -> String {
    let Some(comment) = language.comment() else { return String::new() };
    let short = |value: &Option<String>| match value {
        None => "(absent)".to_owned(),
        Some(value) => {
            // Who looks for references must not find them in a comment.
            let line = crate::language::squeezed(value).replace('{', "(").replace('}', ")");
            let cut: String = line.chars().take(120).collect();
            if cut.len() < line.len() { format!("{cut}…") } else { cut }
        }
    };
    let what = match conflict.field.is_empty() {
        true => conflict.id.clone(),
        false => conflict.field.clone(),
    };
    format!(
        "{indent}{comment} <<<<<<< {what}: ours in place | theirs: {} | base: {} >>>>>>>{end}",
        short(&conflict.theirs),
        short(&conflict.base),
    )
}

/// What people call the value of a node: of an atom only the value.
fn value_of(at: At<'_>) -> &[u8] {
    match at.node.kind {
        Kind::Atom => at.inner(),
        _ => at.text(),
    }
}

fn is_on_lines(three: Three<'_>) -> bool {
    three.iter().flatten().any(|at| at.node.layout == Layout::Lines)
}

/// Keys that identify the items of lists which nothing else is known of.
const GUESSES: [&[&str]; 14] = [
    &["rid"],
    &["m_GUID"],
    &["m_Guid"],
    &["guid"],
    &["m_Id"],
    &["id"],
    &["\"id\""],
    &["\"class\""],
    &["key"],
    &["m_Key"],
    &["m_Name"],
    &["name"],
    &["\"name\""],
    &["\"path\""],
];

/// The fields of a map; keys that occur again are told apart.
fn fields_of(at: At<'_>) -> Vec<(String, At<'_>)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut fields = Vec::with_capacity(at.node.children.len());
    for node in &at.node.children {
        let times = seen.entry(&node.key).or_insert(0);
        let key = if *times == 0 { node.key.clone() } else { format!("{}\0{times}", node.key) };
        *times += 1;
        fields.push((key, At { bytes: at.bytes, node }));
    }
    fields
}

/// The items of all versions with their identities. Nothing when one has none, or when a guess
/// finds one twice.
fn keyed<'a>(three: Three<'a>, key: KeyOf, is_guess: bool) -> Option<[Vec<(String, At<'a>)>; 3]> {
    let mut all = [const { Vec::new() }; 3];
    for (side, at) in three.iter().enumerate() {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for item in at.iter().flat_map(|at| at.children()) {
            let found = key.of(item)?;
            let times = seen.entry(found.clone()).or_insert(0);
            if is_guess && (*times > 0 || found.is_empty()) {
                return None;
            }
            let named = if *times == 0 { found } else { format!("{found}\0{times}") };
            *times += 1;
            all[side].push((named, item));
        }
    }
    Some(all)
}

/// Whether items are told apart by what they are, and nobody lost one: then nothing was replaced.
fn only_grew(lists: &[Vec<String>; 3]) -> bool {
    let sets = lists.each_ref().map(|list| list.iter().collect::<HashSet<_>>());
    let is_once = lists.iter().zip(&sets).all(|(list, set)| list.len() == set.len());
    is_once && sets[0].is_subset(&sets[1]) && sets[0].is_subset(&sets[2])
}

/// Both sides lost an item and one got others: it may have got another name twice.
fn is_renamed_twice([base, ours, theirs]: &[Vec<String>; 3]) -> bool {
    let sets = [base, ours, theirs].map(|keys| keys.iter().collect::<HashSet<_>>());
    let [base, ours, theirs] = &sets;
    let lost = base.iter().any(|key| !ours.contains(key) && !theirs.contains(key));
    let fresh = |side: &HashSet<&String>| side.iter().any(|key| !base.contains(key));
    lost && (fresh(ours) || fresh(theirs)) && ours != theirs
}
