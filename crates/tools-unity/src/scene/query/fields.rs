//! Fields that conditions name and no component has.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use scenewright_contract::echo::brief;
use scenewright_contract::{ToolError, suggest};
use scenewright_unity::index::Asset;
use scenewright_unity::{ClassId, types};

use super::Search;
use crate::base::conditions::Part;

/// How many components are asked for their fields when one is misspelt.
const MOST_ASKED: usize = 500;

/// Which of the conditions' fields were seen, by several threads.
pub(super) struct Seen {
    fields: Vec<AtomicBool>,
    /// Any component of the wanted class.
    any: AtomicBool,
}

impl Seen {
    pub(super) fn new(conditions: usize) -> Seen {
        let fields = (0..conditions).map(|_| AtomicBool::new(false)).collect();
        Seen { fields, any: AtomicBool::new(false) }
    }

    fn is_seen(&self, at: usize) -> bool {
        self.fields[at].load(Ordering::Relaxed)
    }
}

impl Search<'_> {
    /// Notes which fields a component has. Each is looked for until it was seen once.
    pub(super) fn note_fields(&self, part: &Part<'_, '_>) {
        let Seen { fields, any } = &self.seen;
        any.store(true, Ordering::Relaxed);
        for (asked, is_seen) in self.input.r#where.iter().zip(fields) {
            if !is_seen.load(Ordering::Relaxed)
                && (has(part, &asked.field) || asked.value(part).is_some())
            {
                is_seen.store(true, Ordering::Relaxed);
            }
        }
    }

    /// After a search in vain: refuses a condition on a field that no such component has.
    pub(super) fn check_fields(&self, files: &[Asset<'_>]) -> Result<(), ToolError> {
        let conditions = self.input.r#where.iter().enumerate();
        for (_, asked) in conditions.filter(|(at, _)| !self.seen.is_seen(*at)) {
            let (field, wanted) = (&asked.field, self.input.component_type.as_deref());
            let class = wanted.and_then(|name| types::class_named(super::short(name)));
            let is_had = match (class, wanted) {
                (Some(class), _) if class != ClassId::MONO_BEHAVIOUR => {
                    types::ever_had(class, field)
                }
                (None, None) => ClassId::all().any(|class| types::ever_had(class, field)),
                _ => false,
            };
            // Of a script that no object has, the fields are not known.
            let is_certain = class.is_some() || self.seen.any.load(Ordering::Relaxed);
            if is_had || !is_certain {
                continue;
            }
            let whose = wanted.unwrap_or("component");
            let problem = format!("names '{}', and no {whose} has such a field", brief(field));
            let names = self.field_names(files, class);
            let otherwise = "scene_components_list shows the fields of an object";
            let near =
                suggest::did_you_mean(top(field), names.iter().map(String::as_str), otherwise);
            return Err(ToolError::bad_argument("where", &problem).hint(near));
        }
        Ok(())
    }

    /// The fields of such components as are there, and of a native class all that it ever had.
    fn field_names(&self, files: &[Asset<'_>], class: Option<ClassId>) -> BTreeSet<String> {
        let native = class.map(types::all_fields).unwrap_or_default();
        let mut names: BTreeSet<String> = native.into_iter().map(str::to_owned).collect();
        let mut left = MOST_ASKED;
        for file in files {
            let Ok(hierarchy) = self.unity.expand(*file) else { continue };
            for node in hierarchy.objects() {
                for component in node.components() {
                    if self.is_wanted(&self.unity.component_name(&component)) {
                        names.extend(component.fields().map(|(name, _)| name));
                        left -= 1;
                    }
                    if left == 0 || self.guard.expired() {
                        return names;
                    }
                }
            }
        }
        names
    }
}

/// Whether a component has a field. Lists of scripts may be shorter than asked for, and what they
/// hold is not known; of native classes the type tells.
fn has(part: &Part<'_, '_>, field: &str) -> bool {
    let is_script = matches!(part, Part::Component(c) if c.class_id() == ClassId::MONO_BEHAVIOUR);
    part.value(if is_script { top(field) } else { field }).is_some()
}

/// The field of the component itself that a path starts with.
fn top(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}
