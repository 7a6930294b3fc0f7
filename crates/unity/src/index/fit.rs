//! Whether references lead to objects of the classes that their fields take, as far as a file tells
//! by itself. What is amiss here the check looks at with all that the project knows.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::document::{STRUCTURE, field_key};
use crate::{ClassId, Header, Reference, types};

/// Classes whose fields are not looked at: scripts have their own, the others make the hierarchy.
const PASSED: [ClassId; 6] = [
    ClassId::GAME_OBJECT,
    ClassId::TRANSFORM,
    ClassId::RECT_TRANSFORM,
    ClassId::MONO_BEHAVIOUR,
    ClassId::PREFAB_INSTANCE,
    ClassId::SCENE_ROOTS,
];

/// Whether a field of one class takes another, by its name.
type Fields = HashMap<Box<[u8]>, bool, RandomState>;

/// Looks at the references of one file after the other.
#[derive(Default)]
pub(super) struct Fit {
    /// By the class of the object and of the target.
    known: HashMap<(ClassId, ClassId), Fields, RandomState>,
    /// References inside of the file: the class of the object, where the field is, the id.
    locals: Vec<(ClassId, Range<usize>, i64)>,
    is_amiss: bool,
}

impl Fit {
    pub(super) fn start(&mut self) {
        self.locals.clear();
        self.is_amiss = false;
    }

    /// A reference of an object whose body starts at `start`; the reference at `end`.
    pub(super) fn see(&mut self, header: &Header, text: &[u8], body: Range<usize>, to: &Reference) {
        if PASSED.contains(&header.class_id) || to.is_null() {
            return;
        }
        let Some(key) =
            field_key(text, body).filter(|key| !STRUCTURE.contains(&&text[key.clone()]))
        else {
            return;
        };
        match to.guid {
            None => self.locals.push((header.class_id, key, to.file_id.0)),
            Some(_) => {
                if let Some(target) = types::class_of_id(to.file_id) {
                    self.is_amiss |= !self.fits(header.class_id, &text[key], target);
                }
            }
        }
    }

    /// True when a reference leads to an object of a class that its field does not take.
    pub(super) fn is_amiss(&mut self, text: &[u8], headers: &[Header]) -> bool {
        let mut classes = Vec::new();
        if !self.locals.is_empty() {
            classes.extend(headers.iter().map(|header| (header.file_id.0, header.class_id)));
            classes.sort_unstable_by_key(|(id, _)| *id);
        }
        self.is_amiss_among(text, |id| {
            let at = classes.binary_search_by_key(&id, |(id, _)| *id).ok()?;
            Some(classes[at].1)
        })
    }

    /// The same where the classes of the file's objects are known.
    pub(super) fn is_amiss_among(
        &mut self,
        text: &[u8],
        class_of: impl Fn(i64) -> Option<ClassId>,
    ) -> bool {
        let locals = std::mem::take(&mut self.locals);
        for (class, key, id) in &locals {
            if let Some(target) = class_of(*id) {
                self.is_amiss |= !self.fits(*class, &text[key.clone()], target);
            }
        }
        self.locals = locals;
        self.is_amiss
    }

    fn fits(&mut self, class: ClassId, key: &[u8], target: ClassId) -> bool {
        let fields = self.known.entry((class, target)).or_default();
        if let Some(known) = fields.get(key) {
            return *known;
        }
        let fits = std::str::from_utf8(key).ok().and_then(|key| types::takes(class, key, target));
        let fits = fits.unwrap_or(true);
        // Fields that no class has are not worth keeping; a file may make up any number.
        if fields.len() < MOST_KEPT {
            fields.insert(key.into(), fits);
        }
        fits
    }
}

const MOST_KEPT: usize = 256;
