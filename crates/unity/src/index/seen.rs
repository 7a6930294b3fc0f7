//! What the objects of a text are and what they refer to, noted on one way through it. It is the same
//! for a whole file and for a part of one that starts and ends between objects, because nothing in an
//! object depends on those around it.

use std::sync::LazyLock;

use memchr::memmem;

use super::fit::Fit;
use super::raw::{Quotes, RawLinks};
use super::wiring::Wiring;
use crate::document::scan_boundaries;
use crate::{ClassId, Guid, Header, scan_references};

/// What was noted. The memory is used again for the next text.
pub(super) struct Seen {
    /// All references to other assets.
    pub(super) raw: RawLinks,
    /// The scripts and prefabs of the objects: place, guid, file id.
    pub(super) scripts: Vec<(usize, Guid, i64)>,
    /// The references of an asset without a hierarchy to its own objects.
    pub(super) locals: Vec<i64>,
    pub(super) headers: Vec<Header>,
    /// Lines that start an object, also those that cannot be read.
    pub(super) boundaries: usize,
    pub(super) wiring: Wiring,
    pub(super) fit: Fit,
}

impl Seen {
    pub(super) fn new() -> Seen {
        let (scripts, locals, headers) = (Vec::new(), Vec::new(), Vec::new());
        let (raw, wiring, fit) = (RawLinks::new(), Wiring::default(), Fit::default());
        Seen { raw, scripts, locals, headers, boundaries: 0, wiring, fit }
    }

    /// Forgets the references of the asset before.
    pub(super) fn start(&mut self) {
        self.raw.links.clear();
        self.scripts.clear();
    }

    /// Takes note of every object and reference.
    pub(super) fn read(&mut self, text: &[u8], is_hierarchy: bool) {
        let Seen { raw, scripts, locals, headers, boundaries, wiring, fit } = self;
        locals.clear();
        fit.start();
        headers.clear();
        *boundaries = 0;
        headers.extend(scan_boundaries(text).inspect(|_| *boundaries += 1).flatten());
        if is_hierarchy {
            wiring.start(headers);
        }
        let (mut next, mut quotes) = (0, Quotes::default());
        for (offset, reference) in scan_references(text) {
            if let Some(guid) = reference.guid {
                raw.push(guid, reference.file_id.0);
            } else if !is_hierarchy {
                locals.extend((!reference.is_null()).then_some(reference.file_id.0));
            }
            while headers.get(next).is_some_and(|header| header.span.start < offset) {
                next += 1;
            }
            let Some(object) = next.checked_sub(1) else { continue };
            // One in the line of a header stands in no field.
            let header = &headers[object];
            let Some(line) = text.get(header.span.end..offset) else { continue };
            fit.see(header, text, header.span.end..offset, &reference);
            let line = &line[memchr::memrchr(b'\n', line).map_or(0, |at| at + 1)..];
            let has_quotes = quotes.are_in(text, offset - line.len()..offset);
            let is_source = is_hierarchy && wiring.see(object, line, has_quotes, &reference);
            let Some(guid) = reference.guid else { continue };
            let is_behaviour = header.class_id == ClassId::MONO_BEHAVIOUR && !header.stripped;
            let is_script = is_behaviour && line.trim_ascii_end() == b"  m_Script:";
            if is_script || is_source {
                scripts.push((object, guid, reference.file_id.0));
            }
        }
    }

    /// Whether it has the objects of another text, hanging together as they did. References that make no
    /// hierarchy may differ; `has` tells whether the file has what they lead to.
    pub(super) fn is_like(&self, old: &Seen, has: impl Fn(i64) -> bool) -> bool {
        let ids = |seen: &Seen| -> Vec<_> {
            let headers = seen.headers.iter();
            headers.map(|header| (header.file_id, header.class_id, header.stripped)).collect()
        };
        self.boundaries == self.headers.len()
            && ids(old) == ids(self)
            && old.wiring.is_like(&self.wiring)
            && self.wiring.locals().iter().all(|id| has(*id))
    }

    /// Guids that stand by themselves: Addressables name assets so, and so does the list of scenes.
    pub(super) fn read_lone_guids(&mut self, text: &[u8]) {
        static UPPER: LazyLock<memmem::Finder<'_>> =
            LazyLock::new(|| memmem::Finder::new(b"GUID:"));
        self.read_guids(text, &UPPER);
    }

    /// Guids behind a key in YAML, JSON, XML or a style sheet.
    pub(super) fn read_guids(&mut self, text: &[u8], key: &memmem::Finder<'_>) {
        for at in key.find_iter(text) {
            let rest = &text[at + key.needle().len()..];
            let marks = rest.iter().take(6).take_while(|byte| b"\"\\:= ".contains(byte)).count();
            let digits = rest.get(marks..marks + 32).and_then(Guid::parse);
            let ends = rest.get(marks + 32).is_none_or(|byte| !byte.is_ascii_alphanumeric());
            if let Some(guid) = digits.filter(|guid| ends && !guid.is_zero()) {
                self.raw.push(guid, 0);
            }
        }
    }
}
