//! The members of a class, read from its lines of the table.

use std::collections::HashMap;
use std::fmt;

use super::table::lines;
use super::{Builtin, Classes, Version};

/// A property of a class.
#[derive(Debug, PartialEq)]
pub struct Property {
    /// Its name, which may have parts: `angular_limit/enable`.
    pub name: &'static str,
    /// What it holds.
    pub value: Type,
    /// Whether scenes and resources store it.
    pub stored: bool,
    /// Whether the inspector shows it.
    pub shown: bool,
    /// Whether it cannot be set at all.
    pub read_only: bool,
    /// What the inspector offers or allows.
    pub hint: Option<Hint>,
    /// Its value at first, in the class that declares it: [`Classes::default`] knows the others.
    pub(super) default: Option<&'static str>,
}

/// A signal of a class.
#[derive(Debug, PartialEq)]
pub struct Signal {
    /// Its name.
    pub name: &'static str,
    /// What a connected method receives.
    pub arguments: Vec<Argument>,
}

/// A method of a class.
#[derive(Debug, PartialEq)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What it returns, if anything.
    pub returns: Option<Type>,
    /// What it takes.
    pub arguments: Vec<Argument>,
    /// Whether it leaves the object as it is.
    pub is_const: bool,
    /// Whether it is called on the class.
    pub is_static: bool,
    /// Whether scripts override it, as they do `_ready`.
    pub is_virtual: bool,
    /// Whether it takes any number of further arguments.
    pub is_vararg: bool,
}

/// An argument of a signal or a method.
#[derive(Debug, PartialEq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub value: Type,
    /// What it is when the caller leaves it out.
    pub default: Option<&'static str>,
}

/// An enum of a class, or a global one.
#[derive(Debug, PartialEq)]
pub struct Enum {
    /// Its name, without the class.
    pub name: &'static str,
    /// Whether its values are combined.
    pub is_flags: bool,
    /// Its constants.
    pub constants: Vec<Constant>,
}

/// A named number.
#[derive(Debug, PartialEq)]
pub struct Constant {
    /// Its name, `TIMER_PROCESS_IDLE`.
    pub name: &'static str,
    /// Its value.
    pub value: i64,
}

/// The type of a value: builtin, a class, an enum, or a container of those.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type(&'static str);

impl Type {
    /// The type of a name: of a builtin type or of a class.
    pub const fn named(name: &'static str) -> Type {
        Type(name)
    }

    /// The builtin type that holds such values; none when any does.
    pub fn builtin(self) -> Option<Builtin> {
        let name = match self.0.split_once('[') {
            Some((container, _)) => container,
            None if self.enumeration().is_some() => return Some(Builtin::Int),
            None if self.0 == "Variant" => return None,
            None => self.0,
        };
        Some(Builtin::named(name).unwrap_or(Builtin::Object))
    }

    /// The enum of an integer, as [`Classes::enumeration`] takes it.
    pub fn enumeration(self) -> Option<&'static str> {
        self.0.split_once("::").map(|(_, name)| name)
    }

    /// The class of an object; of the first when there are several.
    pub fn class(self) -> Option<&'static str> {
        let object = self.builtin() == Some(Builtin::Object);
        self.0.split(',').next().filter(|_| object)
    }

    /// Whether an object of this class fits. The engine may allow several classes, and exclude some
    /// of those below them: `Texture2D,-AtlasTexture`.
    pub fn accepts(self, classes: &Classes, class: &str) -> bool {
        if self.builtin().is_none() {
            return true;
        }
        let fits = |base: &str| classes.inherits(class, base);
        self.class().is_some()
            && self.0.split(',').filter(|name| !name.starts_with('-')).any(fits)
            && !self.0.split(',').filter_map(|name| name.strip_prefix('-')).any(fits)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.enumeration().unwrap_or(self.0))
    }
}

/// What the inspector offers for a property, as the engine writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hint {
    /// Numbers between two others: `0,1,0.01,or_greater`. [`Hint::range`] reads it.
    Range(&'static str),
    /// One of several: `Physics,Idle`. A number is stored, or the name when it is a string.
    Choices(&'static str),
    /// Several, and anything else.
    Suggestions(&'static str),
    /// Numbers to combine: `Read,Write`.
    Flags(&'static str),
    /// Patterns of file names.
    Files(&'static str),
    /// The classes of nodes that a path may lead to.
    Nodes(&'static str),
    /// A unit: `suffix:px`.
    Unit(&'static str),
}

/// The bounds of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest; smaller ones are allowed all the same when it is open below.
    pub min: f64,
    /// The largest; larger ones are allowed all the same when it is open above.
    pub max: f64,
    /// Whether smaller numbers are fine too.
    pub open_below: bool,
    /// Whether larger numbers are fine too.
    pub open_above: bool,
    /// Whether the inspector shows degrees for radians: the bounds are in degrees then.
    pub degrees: bool,
}

impl Hint {
    /// The bounds, when it is a range.
    pub fn range(self) -> Option<Range> {
        let Hint::Range(text) = self else { return None };
        let mut parts = text.split(',').map(str::trim);
        let min = parts.next()?.parse().ok()?;
        let max = parts.next()?.parse().ok()?;
        let has = |word: &str| text.split(',').any(|part| part.trim() == word);
        Some(Range {
            min,
            max,
            open_below: has("or_less"),
            open_above: has("or_greater"),
            degrees: has("radians_as_degrees"),
        })
    }

    /// The names with their numbers, when they are to be chosen or combined.
    pub fn choices(self) -> Vec<(&'static str, i64)> {
        let (text, flags) = match self {
            Hint::Choices(text) => (text, false),
            Hint::Flags(text) => (text, true),
            _ => return Vec::new(),
        };
        let mut next: i64 = 0;
        let mut found = Vec::new();
        for (at, part) in text.split(',').enumerate() {
            let said = part.rsplit_once(':').and_then(|(name, n)| Some((name, n.parse().ok()?)));
            let own = if flags { 1 << at.min(62) } else { next };
            let (name, value) = said.unwrap_or((part, own));
            found.push((name.trim(), value));
            next = value.wrapping_add(1);
        }
        found
    }
}

/// What a class declares.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) properties: Vec<Property>,
    /// The places of the properties, by name: a check asks for nothing so often.
    by_name: HashMap<&'static str, usize>,
    /// Inherited properties that have another value at first.
    pub(super) defaults: Vec<(&'static str, &'static str)>,
    pub(super) signals: Vec<Signal>,
    pub(super) methods: Vec<Method>,
    pub(super) enums: Vec<Enum>,
    pub(super) constants: Vec<Constant>,
}

impl Members {
    pub(super) fn parse(body: &'static str, version: Version) -> Members {
        let mut members = Members::default();
        for (letter, line) in lines(body, version) {
            match letter {
                b'P' => members.properties.push(property(line)),
                b'D' => members.defaults.extend(line.split_once('\t')),
                b'S' => members.signals.push(signal(line)),
                b'M' => members.methods.push(method(line)),
                b'E' => members.enums.push(enumeration(line)),
                b'K' => members.constants.extend(constant(line)),
                _ => {}
            }
        }
        for (at, property) in members.properties.iter().enumerate() {
            members.by_name.entry(property.name).or_insert(at);
        }
        members
    }

    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.by_name.get(name).map(|at| &self.properties[*at])
    }
}

fn property(line: &'static str) -> Property {
    let mut fields = line.split('\t');
    let mut field = || fields.next().unwrap_or_default();
    let (name, value, flags, hint, default) = (field(), field(), field(), field(), field());
    Property {
        name,
        value: Type(value),
        stored: !flags.contains('-'),
        shown: !flags.contains('h'),
        read_only: flags.contains('r'),
        hint: parse_hint(hint),
        default: (!default.is_empty()).then_some(default),
    }
}

fn parse_hint(text: &'static str) -> Option<Hint> {
    let kind = text.chars().next()?;
    let rest = &text[kind.len_utf8()..];
    Some(match kind {
        'r' => Hint::Range(rest),
        'e' => Hint::Choices(rest),
        's' => Hint::Suggestions(rest),
        'f' => Hint::Flags(rest),
        'p' => Hint::Files(rest),
        'n' => Hint::Nodes(rest),
        'u' => Hint::Unit(rest),
        _ => return None,
    })
}

fn signal(line: &'static str) -> Signal {
    let mut fields = line.split('\t');
    let name = fields.next().unwrap_or_default();
    Signal { name, arguments: fields.filter_map(argument).collect() }
}

fn method(line: &'static str) -> Method {
    let mut fields = line.split('\t');
    let mut field = || fields.next().unwrap_or_default();
    let (name, returns, flags) = (field(), field(), field());
    Method {
        name,
        returns: (!returns.is_empty()).then_some(Type(returns)),
        is_const: flags.contains('c'),
        is_static: flags.contains('s'),
        is_virtual: flags.contains('v'),
        is_vararg: flags.contains('*'),
        arguments: fields.filter_map(argument).collect(),
    }
}

fn argument(field: &'static str) -> Option<Argument> {
    let (name, rest) = field.split_once(':')?;
    let (value, default) = match rest.split_once('=') {
        Some((value, default)) => (value, Some(default)),
        None => (rest, None),
    };
    Some(Argument { name, value: Type(value), default })
}

pub(super) fn enumeration(line: &'static str) -> Enum {
    let mut fields = line.split('\t');
    let name = fields.next().unwrap_or_default();
    let constants = fields.filter_map(|field| {
        let (name, value) = field.split_once('=')?;
        Some(Constant { name, value: value.parse().ok()? })
    });
    Enum {
        name: name.trim_start_matches('!'),
        is_flags: name.starts_with('!'),
        constants: constants.collect(),
    }
}

pub(super) fn constant(line: &'static str) -> Option<Constant> {
    let (name, value) = line.split_once('\t')?;
    Some(Constant { name, value: value.parse().ok()? })
}
