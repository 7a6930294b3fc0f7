//! What one file has of a symbol.

use std::path::Path;

use regex::bytes::{Regex, RegexBuilder};
use scenewright_godot::{Scene, SymbolKind, code_lines, symbols};
use scenewright_text::{beneath, has_word};
use scenewright_toolkit::Project;
use scenewright_unity::api::{self, ApiKind};
use scenewright_unity::script::{self, MAX_SOURCE_BYTES};

use super::{Connection, Definition, Kind, Use};

/// Longer lines are cut in the answer.
const MAX_LINE: usize = 160;
/// Scenes without their data are smaller; of larger ones no connections are told.
const MAX_SCENE: u64 = 64 << 20;

/// What answers are sorted by: file and line.
pub(super) type Place = (String, usize);

/// All that was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) definitions: Vec<(Place, Definition)>,
    pub(super) connections: Vec<(Place, Connection)>,
    pub(super) uses: Vec<(Place, Use)>,
}

impl Found {
    pub(super) fn and(mut self, other: Found) -> Found {
        self.definitions.extend(other.definitions);
        self.connections.extend(other.connections);
        self.uses.extend(other.uses);
        self
    }
}

/// What is looked for.
pub(super) struct Wanted<'a> {
    name: Option<&'a str>,
    kind: Option<Kind>,
    /// The name, anywhere and in any case.
    may_have: Option<Regex>,
    /// What a file must have in it to be worth reading: most have no enum and no event.
    needle: Option<Regex>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(name: Option<&'a str>, kind: Option<Kind>) -> Self {
        let regex = |name| RegexBuilder::new(&regex::escape(name)).case_insensitive(true).build();
        let may_have = name.and_then(|name| regex(name).ok());
        let word = match kind {
            Some(Kind::Enum) => "enum",
            Some(Kind::Signal) => "signal|event",
            Some(Kind::Connection) => "connect",
            _ => "",
        };
        Self { name, kind, may_have, needle: Regex::new(word).ok() }
    }

    /// Everything of it in one file.
    pub(super) fn look_into(&self, project: &Project, file: &str, path: &Path) -> Found {
        let mut found = Found::default();
        let is_scene = !file.ends_with(".gd") && !file.ends_with(".cs");
        let most = if is_scene { MAX_SCENE } else { MAX_SOURCE_BYTES as u64 };
        let Ok(bytes) = beneath::read_up_to(&project.root, path, most) else { return found };
        let needed = [&self.may_have, &self.needle].into_iter().flatten();
        // With a name, what uses it is wanted, too.
        let mut needed = needed.take(if self.name.is_some() { 1 } else { 2 });
        if !needed.all(|regex| regex.is_match(&bytes)) {
            return found;
        }
        if is_scene {
            self.scene(file, bytes, &mut found);
            return found;
        }
        let text = String::from_utf8_lossy(&bytes);
        let code = match file.ends_with(".gd") {
            true => {
                self.gdscript(file, &text, &mut found);
                code_lines(&text)
            }
            false => {
                self.csharp(file, &text, &mut found);
                script::code_lines(&text)
            }
        };
        self.uses(file, &text, &code, &mut found);
        found
    }

    /// Whether a declaration is among those that are looked for; its name may only have the wanted
    /// one in it.
    fn is_it(&self, kind: Kind, name: &str) -> bool {
        let is_kind = self.kind.is_none_or(|wanted| wanted == kind);
        is_kind && self.may_have.as_ref().is_none_or(|regex| regex.is_match(name.as_bytes()))
    }

    fn define(&self, found: &mut Found, place: Place, kind: Kind, name: &str, text: &str) {
        if self.is_it(kind, name) {
            let shown = format!("{}:{}", place.0, place.1);
            let (name, text) = (name.to_owned(), cut(text));
            found.definitions.push((place, Definition { name, kind, place: shown, text }));
        }
    }

    fn connect(&self, found: &mut Found, place: Place, ends: [&str; 2], nodes: String) {
        let [signal, method] = ends.map(str::to_owned);
        let is_named = match self.name {
            Some(name) => signal == name || method == name,
            // In a list of declarations of another kind they are not asked for.
            None => self.kind == Some(Kind::Connection),
        };
        if is_named && self.kind.is_none_or(|kind| kind == Kind::Connection) {
            let shown = format!("{}:{}", place.0, place.1);
            found.connections.push((place, Connection { signal, method, place: shown, nodes }));
        }
    }

    fn scene(&self, file: &str, bytes: Vec<u8>, found: &mut Found) {
        if !bytes.windows(11).any(|window| window == b"[connection") {
            return;
        }
        let scene = Scene::parse(bytes);
        for connection in scene.connections() {
            let place = (file.to_owned(), connection.line());
            let nodes = format!("{} -> {}", connection.from(), connection.to());
            self.connect(found, place, [&connection.signal(), &connection.method()], nodes);
        }
    }

    fn gdscript(&self, file: &str, text: &str, found: &mut Found) {
        let lines: Vec<&str> = text.lines().collect();
        for symbol in symbols(text) {
            let place = (file.to_owned(), symbol.line);
            let kind = match symbol.kind {
                SymbolKind::Class => Kind::Class,
                SymbolKind::Method => Kind::Method,
                SymbolKind::Signal => Kind::Signal,
                SymbolKind::Field => Kind::Field,
                SymbolKind::Enum => Kind::Enum,
                SymbolKind::Connection => {
                    self.connect(found, place, [&symbol.name, &symbol.method], String::new());
                    continue;
                }
            };
            let line = lines.get(symbol.line - 1).copied().unwrap_or_default();
            self.define(found, place, kind, &symbol.name, line);
        }
    }

    fn csharp(&self, file: &str, text: &str, found: &mut Found) {
        let mut enums = Vec::new();
        for entry in api::declared(&script::parse_declarations(text)) {
            let outer = entry.title.rsplit_once('.').map_or("", |(outer, _)| outer);
            let kind = match entry.kind {
                ApiKind::Class | ApiKind::Struct | ApiKind::Interface | ApiKind::Delegate => {
                    Kind::Class
                }
                ApiKind::Enum => Kind::Enum,
                ApiKind::Field if enums.iter().any(|known| known == outer) => Kind::Enum,
                ApiKind::Method => Kind::Method,
                ApiKind::Property | ApiKind::Field => Kind::Field,
                ApiKind::Event => Kind::Signal,
            };
            let place = (file.to_owned(), entry.line as usize);
            self.define(found, place, kind, &entry.name, &entry.signature);
            if entry.kind == ApiKind::Enum {
                enums.push(entry.title);
            }
        }
    }

    /// Where the name stands in code, beside what declares or connects it.
    fn uses(&self, file: &str, text: &str, code: &[String], found: &mut Found) {
        let Some(name) = self.name.filter(|_| self.kind != Some(Kind::Connection)) else { return };
        let known = |line: usize| {
            found.definitions.iter().any(|(place, one)| place.1 == line && one.name == name)
                || found.connections.iter().any(|(place, _)| place.1 == line)
        };
        let lines = (1..).zip(code.iter().zip(text.split('\n')));
        let used = lines.filter(|(line, (code, _))| has_word(code, name) && !known(*line));
        let uses: Vec<(Place, Use)> = used
            .map(|(line, (_, text))| {
                let place = format!("{file}:{line}");
                ((file.to_owned(), line), Use { place, text: cut(text) })
            })
            .collect();
        found.uses.extend(uses);
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    match text.len() <= MAX_LINE {
        true => text.to_owned(),
        false => format!("{}…", &text[..text.floor_char_boundary(MAX_LINE)]),
    }
}
