//! The licence that a package states, in its manifest or in a file.

use std::path::Path;

use serde_json::Value;

use super::find_file;
use crate::file::{self, Content};

/// The licence of a package, and where it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct License {
    /// An SPDX id or expression, or the words of the file; nothing when there is a text that has
    /// no known name.
    pub term: LicenseTerm,
    /// The file, from the project's root.
    pub file: String,
}

/// How a licence is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LicenseTerm {
    /// The `license` of `package.json`, as it stands.
    Declared(String),
    /// The title or first words of a licence file.
    Recognized(&'static str),
    /// A licence file whose text is not one of those that are known here.
    Unrecognized,
}

impl License {
    /// The name of the licence, where there is one.
    pub fn name(&self) -> Option<&str> {
        match &self.term {
            LicenseTerm::Declared(name) => Some(name),
            LicenseTerm::Recognized(name) => Some(name),
            LicenseTerm::Unrecognized => None,
        }
    }

    /// Whether these SPDX ids allow it. Of `A OR B` one is enough; of `A AND B` both are needed.
    /// Nothing when the licence has no name.
    pub fn is_allowed(&self, allowed: &[String]) -> Option<bool> {
        let name = self.name()?;
        let is_listed = |text: &str| {
            let text = text.trim().trim_matches(['(', ')']).trim();
            let plain = text.split(" WITH ").next().unwrap_or(text).trim();
            allowed.iter().any(|id| id.eq_ignore_ascii_case(text) || id.eq_ignore_ascii_case(plain))
        };
        let all_listed = |text: &str| text.split(" AND ").all(is_listed);
        // Brackets inside an expression are rare enough to be asked for as they stand.
        Some(is_listed(name) || name.split(" OR ").any(all_listed))
    }
}

const FILES: [&str; 6] =
    ["LICENSE.md", "LICENSE", "LICENSE.txt", "LICENCE.md", "LICENCE", "COPYING"];

/// Words that only one licence has, most particular first.
const WORDS: [(&[&str], &str); 12] = [
    (&["unity companion license"], "LicenseRef-Unity-Companion-License"),
    (&["unity package distribution license"], "LicenseRef-Unity-Package-Distribution-License"),
    (&["apache license", "version 2.0"], "Apache-2.0"),
    (&["mozilla public license", "2.0"], "MPL-2.0"),
    (&["gnu affero general public license", "version 3"], "AGPL-3.0"),
    (&["gnu lesser general public license", "version 3"], "LGPL-3.0"),
    (&["gnu general public license", "version 3"], "GPL-3.0"),
    (&["gnu general public license", "version 2"], "GPL-2.0"),
    (&["permission is hereby granted, free of charge, to any person obtaining a copy"], "MIT"),
    (&["redistribution and use in source and binary forms", "neither the name"], "BSD-3-Clause"),
    (&["redistribution and use in source and binary forms"], "BSD-2-Clause"),
    (&["this is free and unencumbered software released into the public domain"], "Unlicense"),
];
/// How much of a licence file is looked at: title and first paragraph. The BSD licences need all
/// of their short text.
const HEAD: usize = 2500;

/// The licence of the package in a folder.
pub(super) fn find(root: &Path, folder: &str, json: &Value) -> Option<License> {
    // Old packages have an object, `{ "type": "MIT" }`.
    let declared = json["license"].as_str().or_else(|| json["license"]["type"].as_str());
    let declared = declared.map(str::trim).filter(|text| !text.is_empty());
    // `SEE LICENSE IN file` names no licence; the file does.
    if let Some(text) = declared.filter(|text| !text.to_uppercase().starts_with("SEE ")) {
        let term = LicenseTerm::Declared(text.to_owned());
        return Some(License { term, file: format!("{folder}/package.json") });
    }
    let path = find_file(&root.join(folder), &FILES)?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let Ok(Content::Bytes(bytes)) = file::read_inside(root, &path) else { return None };
    let term = recognize(&file::text(&bytes));
    Some(License { term, file: format!("{folder}/{name}") })
}

fn recognize(text: &str) -> LicenseTerm {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let words: Vec<&str> = head.split_whitespace().collect();
    let head = words.join(" ").to_lowercase();
    let found = WORDS.iter().find(|(words, _)| words.iter().all(|word| head.contains(word)));
    found.map_or(LicenseTerm::Unrecognized, |(_, name)| LicenseTerm::Recognized(name))
}
