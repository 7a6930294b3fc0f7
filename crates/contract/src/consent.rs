//! A person's word for a call, and what it is bound to.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ToolError;

/// A person's yes to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// Where the person said it.
    pub by: By,
    /// What they said it to.
    pub shown: Shown,
}

/// Where a person was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// In the client, which asked for us.
    Client,
    /// With `scenewright approve`, about the call that waited under this id.
    Terminal(String),
}

impl By {
    /// The name used in audit lines.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Terminal(_) => "terminal",
        }
    }
}

/// What a person saw of a call before it ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// What new names are drawn from, so that the call gives the same ones as were shown.
    pub seed: [u8; 32],
    /// A digest of each change, in order; nothing when they cannot be told beforehand.
    pub plans: Option<Vec<[u8; 32]>>,
}

/// One file of a change that is about to be made, or shown.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a> {
    /// Where it is afterwards; where it was, if it goes.
    pub path: &'a str,
    /// Where it was, if it moves.
    pub from: Option<&'a str>,
    /// It moves unread.
    pub kept: bool,
    /// What was in it.
    pub before: Option<&'a [u8]>,
    /// What is to be in it.
    pub after: Option<&'a [u8]>,
}

/// Watches one call for a person: what it changes, and what it makes up.
pub trait Witness: Send + Sync {
    /// A change of the project at `root` is about to be made, or shown. Folders are to be there, or to go
    /// when they are empty. An error stops it.
    fn sees(
        &self,
        root: &Path,
        files: &[Planned<'_>],
        folders: &[(&str, bool)],
    ) -> Result<(), ToolError>;
    /// Bytes for new names, the same in the same place of every run of this call.
    fn draw(&self, bytes: &mut [u8]);
}
