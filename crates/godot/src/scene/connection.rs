//! Connections of signals: listed, made and taken away.

use std::borrow::Cow;

use super::{Scene, path};
use crate::{ChangeError, Section, Variant};

/// A `[connection]`.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'a>(pub Section<'a>);

/// A connection to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewConnection {
    /// The signal.
    pub signal: String,
    /// The path of the node that sends it.
    pub from: String,
    /// The path of the node that receives it.
    pub to: String,
    /// The method that is called.
    pub method: String,
    /// Godot's flags; 2, which keeps the connection in the file, is the default and not written.
    pub flags: i64,
    /// How many of the signal's arguments are dropped.
    pub unbinds: i64,
    /// Values that follow the signal's arguments.
    pub binds: Vec<Variant>,
}

/// `CONNECT_PERSIST`: without it the connection would not be in the file.
const PERSIST: i64 = 2;

impl NewConnection {
    /// A usual connection.
    pub fn new(signal: &str, from: &str, to: &str, method: &str) -> NewConnection {
        NewConnection {
            signal: signal.into(),
            from: from.into(),
            to: to.into(),
            method: method.into(),
            flags: PERSIST,
            unbinds: 0,
            binds: Vec::new(),
        }
    }
}

impl<'a> Connection<'a> {
    /// The signal.
    pub fn signal(self) -> Cow<'a, str> {
        self.text("signal")
    }

    /// The path of the node that sends it.
    pub fn from(self) -> Cow<'a, str> {
        self.text("from")
    }

    /// The path of the node that receives it.
    pub fn to(self) -> Cow<'a, str> {
        self.text("to")
    }

    /// The method that is called.
    pub fn method(self) -> Cow<'a, str> {
        self.text("method")
    }

    /// Its line in the file, from 1.
    pub fn line(self) -> usize {
        self.0.line()
    }

    /// Godot's flags.
    pub fn flags(self) -> i64 {
        self.0.attribute("flags").and_then(|value| value.as_int()).unwrap_or(PERSIST)
    }

    /// All of it, with decoded values.
    pub fn to_new(self) -> NewConnection {
        let unbinds = self.0.attribute("unbinds").and_then(|value| value.as_int()).unwrap_or(0);
        let binds = self.0.attribute("binds").map(|value| value.decode());
        NewConnection {
            flags: self.flags(),
            unbinds,
            binds: binds.and_then(|binds| Some(binds.as_array()?.to_vec())).unwrap_or_default(),
            ..NewConnection::new(&self.signal(), &self.from(), &self.to(), &self.method())
        }
    }

    fn text(self, key: &str) -> Cow<'a, str> {
        self.0.attribute_text(key).unwrap_or_default()
    }

    fn is(self, other: &NewConnection) -> bool {
        self.signal() == other.signal
            && path::clean(&self.from()) == path::clean(&other.from)
            && path::clean(&self.to()) == path::clean(&other.to)
            && self.method() == other.method
    }
}

impl Scene {
    /// Connects a signal. Both nodes must be in this file or inside an instance of it.
    pub fn add_connection(&mut self, new: &NewConnection) -> Result<(), ChangeError> {
        self.document.check_writable()?;
        let mut new = new.clone();
        new.from = self.parent_path(&new.from)?;
        new.to = self.parent_path(&new.to)?;
        for name in [&new.signal, &new.method] {
            if name.is_empty() || name.chars().any(char::is_control) {
                let why = "signals and methods are identifiers";
                return Err(ChangeError::BadName { name: name.clone(), why });
            }
        }
        if self.connections().any(|connection| connection.is(&new)) {
            let name = format!("{}::{} -> {}::{}", new.from, new.signal, new.to, new.method);
            return Err(ChangeError::exists("connection", name));
        }
        let text = self.connection_text(&new);
        self.insert_connection(&text)
    }

    /// Disconnects a signal.
    pub fn remove_connection(
        &mut self,
        signal: &str,
        from: &str,
        to: &str,
        method: &str,
    ) -> Result<(), ChangeError> {
        self.document.check_writable()?;
        let wanted = NewConnection::new(signal, from, to, method);
        let found = self.connections().find(|connection| connection.is(&wanted));
        let Some(index) = found.map(|connection| connection.0.index()) else {
            let name = format!("{from}::{signal} -> {to}::{method}");
            return Err(ChangeError::not_found("connection", name));
        };
        self.change(|document| document.remove_section(index))
    }

    pub(super) fn insert_connection(&mut self, text: &str) -> Result<(), ChangeError> {
        let is_before = |section: &Section<'_>| section.name() != "editable";
        let after = self.document.sections().rev().find(is_before).map_or(0, Section::index);
        self.change(|document| document.insert_after(after, text))
    }

    pub(super) fn connection_text(&self, new: &NewConnection) -> String {
        let mut text = format!(
            "[connection signal={} from={} to={} method={}",
            path::quoted(&new.signal),
            path::quoted(&new.from),
            path::quoted(&new.to),
            path::quoted(&new.method),
        );
        if new.flags != PERSIST {
            text += &format!(" flags={}", new.flags);
        }
        if new.unbinds != 0 {
            text += &format!(" unbinds={}", new.unbinds);
        }
        if !new.binds.is_empty() {
            let binds = self.document.value_text(&Variant::Array(None, new.binds.clone()));
            // Godot writes this one blank.
            text += &format!(" binds= {binds}");
        }
        text + "]"
    }
}
