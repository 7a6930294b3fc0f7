//! Names that a call asks for and nothing was found by: whether the project can have such a class,
//! tag or layer at all. Only asked when a search was in vain, for it may read all sources.

use std::collections::BTreeSet;

use rayon::prelude::*;
use scenewright_contract::echo::brief;
use scenewright_contract::{ToolError, suggest};
use scenewright_toolkit::Cx;
use scenewright_unity::hierarchy::Node;
use scenewright_unity::index::{Asset, AssetKind, Flags};
use scenewright_unity::judge::{Judge, ScriptGrade};
use scenewright_unity::script::{declares_class, library_names, package_components, simple_name};
use scenewright_unity::{ClassId, FileId, Guid, types};

use super::Unity;
use super::objects::Criteria;
use super::scripts::read;

impl Unity<'_> {
    /// After a search in vain: refuses names that nothing in the project can have, and says in the
    /// answer of which that cannot be known.
    pub fn explain_none(&self, cx: &Cx, criteria: &Criteria) -> Result<(), ToolError> {
        if let Some(class) = &criteria.component {
            self.explain_class(cx, class)?;
        }
        if let Some(tag) = &criteria.tag {
            self.explain_tag(cx, tag)?;
        }
        if let Some(layer) = criteria.layer {
            self.explain_layer(cx, layer);
        }
        Ok(())
    }

    /// The same for the class of a component.
    pub fn explain_class(&self, cx: &Cx, wanted: &str) -> Result<(), ToolError> {
        let wanted = &*brief(simple_name(wanted.trim()));
        if let Some(class) = native_class(wanted) {
            return explain_native(cx, class);
        }
        if wanted.eq_ignore_ascii_case("Missing Script") || self.has_class(wanted) {
            return Ok(());
        }
        let native = ClassId::all().filter(|class| is_component(*class)).filter_map(ClassId::name);
        let mut known: Vec<&str> = native.chain(package_components()).collect();
        known.extend(self.sources().map(|(_, stem)| stem));
        known.sort_unstable();
        known.dedup();
        let otherwise = "scene_components_list names the components of an object";
        let near = suggest::did_you_mean(wanted, known, otherwise);
        let Some(why) = self.why_unknown() else {
            let problem = format!("is '{wanted}', and no class is called that");
            return Err(ToolError::bad_argument("componentType", &problem).hint(near));
        };
        cx.diagnose(format!(
            "No class called '{wanted}' is known here; {near} Whether there is one cannot be known: {why}."
        ));
        Ok(())
    }

    fn explain_tag(&self, cx: &Cx, wanted: &str) -> Result<(), ToolError> {
        let wanted = &*brief(wanted);
        let Some(tags) = self.tags().filter(|tags| tags.is_there) else {
            cx.diagnose(format!(
                "Whether there is a tag '{wanted}' cannot be known here: ProjectSettings/TagManager.asset cannot be read."
            ));
            return Ok(());
        };
        if tags.all().any(|tag| tag == wanted) {
            return Ok(());
        }
        let own = tags.all().collect::<Vec<_>>().join(", ");
        let near = suggest::did_you_mean(wanted, tags.all(), &format!("the tags are {own}"));
        let problem = format!("is '{wanted}', and the project has no such tag");
        Err(ToolError::bad_argument("tag", &problem).hint(near))
    }

    /// The layer of an object, by its name or else its index.
    pub fn layer_name(&self, node: &Node<'_>) -> String {
        let layer = node.layer();
        let layers = self.tags().and_then(|tags| tags.layers);
        let name = layers.and_then(|names| names.into_iter().nth(layer as usize));
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| layer.to_string())
    }

    /// Objects can be on a layer without a name, so none is refused.
    fn explain_layer(&self, cx: &Cx, wanted: u32) {
        let Some(names) = self.tags().and_then(|tags| tags.layers) else { return };
        if names.get(wanted as usize).is_some_and(|name| !name.is_empty()) {
            return;
        }
        let named = names.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let named: Vec<String> = named.map(|(at, name)| format!("{at} {name}")).collect();
        cx.diagnose(format!(
            "Layer {wanted} has no name in this project; those with one are {}.",
            named.join(", ")
        ));
    }

    /// The C# files of the project and its packages, with their names without the ending.
    fn sources(&self) -> impl Iterator<Item = (Asset<'_>, &str)> {
        let scripts = self.index.of_kind(AssetKind::Script);
        scripts.filter_map(|asset| Some((asset, asset.name().strip_suffix(".cs")?)))
    }

    /// Whether a source, or a table of packages, has a class of this name.
    fn has_class(&self, wanted: &str) -> bool {
        let is_it = |name: &str| name.eq_ignore_ascii_case(wanted);
        let sources: Vec<Asset<'_>> = self.sources().map(|(asset, _)| asset).collect();
        let names_it =
            |library: Asset<'_>| library.read().is_ok_and(|bytes| library_names(&bytes, wanted));
        self.sources().any(|(_, stem)| is_it(stem))
            || package_components().any(is_it)
            || self.index.of_kind(AssetKind::Dll).filter(is_readable).any(names_it)
            || sources.into_par_iter().any(|source| {
                read(source)
                    .is_some_and(|text| text.contains(wanted) && declares_class(&text, wanted))
            })
    }

    /// Why there may be classes that nothing here names, if so.
    fn why_unknown(&self) -> Option<String> {
        let judge = Judge::new(&self.index);
        let packages = judge.unread_places().map(|names| format!("in {names}"));
        let unread = self.index.of_kind(AssetKind::Dll).filter(|library| !is_readable(library));
        let mut libraries = unread.map(|library| library.path());
        let first = libraries.next();
        let libraries = first.map(|first| match libraries.count() {
            0 => format!("in the library {first}, which is not read"),
            count => format!("in {first} or one of {count} other libraries, which are not read"),
        });
        let scripts = self.index.assets().flat_map(Asset::scripts);
        let scripts: BTreeSet<Guid> = scripts.map(|script| script.guid).collect();
        let is_lost = |guid: &Guid| {
            let grade = judge.script(Some((*guid, FileId(0))), "").grade;
            matches!(grade, ScriptGrade::Unknown | ScriptGrade::Undecided)
        };
        let lost = match scripts.into_iter().filter(is_lost).count() {
            0 => None,
            count => {
                Some(format!("one of {count} scripts that components have and that are not here"))
            }
        };
        let places: Vec<String> = [packages, libraries, lost].into_iter().flatten().collect();
        (!places.is_empty()).then(|| format!("it may be {}", places.join(", or ")))
    }
}

/// Refuses the native classes that no component is of, and tells of those that others derive from.
fn explain_native(cx: &Cx, class: ClassId) -> Result<(), ToolError> {
    let name = class.name().unwrap_or_default();
    if !is_component(class) {
        let problem = format!("is {name}, and no component is of that class");
        return Err(ToolError::bad_argument("componentType", &problem));
    }
    let derived = ClassId::all().filter(|other| *other != class && other.is_a(class));
    let some: Vec<&str> = derived.filter_map(ClassId::name).take(8).collect();
    if !some.is_empty() {
        cx.diagnose(format!(
            "Components count that are a {name} themselves; ask for what derives from it, such as {}.",
            some.join(", ")
        ));
    }
    Ok(())
}

/// Whether a library is here, and of a size that a managed one may have.
fn is_readable(library: &Asset<'_>) -> bool {
    let is_here = [Flags::ASSET_MISSING, Flags::LFS_POINTER, Flags::UNREADABLE]
        .iter()
        .all(|flag| !library.flags().contains(*flag));
    is_here && library.size() <= MOST_LIBRARY
}

const MOST_LIBRARY: u64 = 64 << 20;

fn native_class(name: &str) -> Option<ClassId> {
    let folded = || {
        ClassId::all().find(|class| class.name().is_some_and(|own| own.eq_ignore_ascii_case(name)))
    };
    types::class_named(name).or_else(folded)
}

fn is_component(class: ClassId) -> bool {
    ClassId::find("Component").is_some_and(|component| class.is_a(component))
}
