//! Whether a package works with an editor, and how firmly the project holds its version.

use super::{Package, PackageOrigin};
use crate::EditorVersion;

/// Whether a package works with an editor, by its own word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Needs {
    /// The editor is new enough.
    Met,
    /// It asks for this version, which is newer.
    Newer(String),
    /// It is part of the editor.
    BuiltIn,
    /// Its files are not on disk, or they do not say.
    Unknown,
}

/// How firmly a manifest holds a package in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    /// By a version, a commit or a version tag, or because it is part of the project.
    Firm,
    /// The address has no revision: it is whatever the repository's main branch has.
    NoRevision,
    /// The revision is a name that can move, such as a branch.
    Movable(String),
    /// A path on this machine.
    Path(String, Place),
}

/// Where a `file:` path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into the project, so that it travels with it.
    Inside,
    /// Out of the project.
    Outside,
}

impl Package {
    /// Whether it works with this editor, by the `unity` of its `package.json`.
    pub fn needs(&self, editor: &EditorVersion) -> Needs {
        if self.origin == PackageOrigin::BuiltIn {
            return Needs::BuiltIn;
        }
        let Some(oldest) = self.oldest_unity() else { return Needs::Unknown };
        match (version_parts(&oldest), version_parts(&editor.text)) {
            (Some(oldest_parts), Some(own)) if oldest_parts > own => Needs::Newer(oldest),
            (Some(_), Some(_)) => Needs::Met,
            _ => Needs::Unknown,
        }
    }

    /// How firmly the manifest holds it.
    pub fn pin(&self) -> Pin {
        let Some(requested) = self.requested.as_deref() else { return Pin::Firm };
        if self.origin == PackageOrigin::Embedded {
            return Pin::Firm;
        }
        if let Some(path) = requested.strip_prefix("file:") {
            return Pin::Path(path.to_owned(), place(path));
        }
        if !is_git(requested) {
            return Pin::Firm;
        }
        match requested.split_once('#').map(|(_, revision)| revision) {
            None | Some("") => Pin::NoRevision,
            Some(revision) if is_firm(revision) => Pin::Firm,
            Some(revision) => Pin::Movable(revision.to_owned()),
        }
    }

    /// The address without encryption or proof of the sender that it is fetched from.
    pub fn open_address(&self) -> Option<&str> {
        let requested = self.requested.as_deref()?;
        let address = requested.strip_prefix("git+").unwrap_or(requested);
        ["http://", "git://"].iter().any(|scheme| address.starts_with(scheme)).then_some(requested)
    }
}

/// Whether a manifest's text is the address of a git repository.
pub(super) fn is_git(text: &str) -> bool {
    let address = text.split(['#', '?']).next().unwrap_or(text);
    ["git://", "git+", "ssh://", "git@", "https://", "http://"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
        || address.ends_with(".git")
}

/// A commit, or a tag that is a version.
fn is_firm(revision: &str) -> bool {
    let is_commit =
        (7..=40).contains(&revision.len()) && revision.bytes().all(|b| b.is_ascii_hexdigit());
    let last = revision.rsplit('/').next().unwrap_or(revision);
    let number = last.strip_prefix(['v', 'V']).unwrap_or(last);
    let is_version = number.starts_with(|c: char| c.is_ascii_digit()) && number.contains('.');
    is_commit || is_version
}

/// `file:` paths count from the folder `Packages`.
fn place(path: &str) -> Place {
    let path = path.replace('\\', "/");
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Place::Outside;
    }
    let mut depth = 1_i32;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        if depth < 0 {
            return Place::Outside;
        }
    }
    Place::Inside
}

/// A version in its order: three numbers, alpha, beta or release, and the number of that.
pub type VersionParts = (u32, u32, u32, u8, u32);

/// The numbers of `2022.3.20f1`; alphas and betas come before the release. `2022.3` alone is the
/// first of all versions it stands for.
pub fn version_parts(version: &str) -> Option<VersionParts> {
    let mut numbers = version.trim().splitn(3, '.');
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    let Some(rest) = numbers.next() else { return Some((major, minor, 0, 0, 0)) };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (patch, kind) = rest.split_at(end);
    let rank = match kind.bytes().next() {
        Some(b'a') => 1,
        Some(b'b') => 2,
        _ => 3,
    };
    let build: String = kind.chars().skip(1).take_while(char::is_ascii_digit).collect();
    Some((major, minor, patch.parse().ok()?, rank, build.parse().unwrap_or(0)))
}
