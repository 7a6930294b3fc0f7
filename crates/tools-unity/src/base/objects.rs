//! GameObjects and components in the shapes that several tools answer with.

use std::borrow::Cow;

use scenewright_contract::{ToolError, suggest};
use scenewright_toolkit::{Cx, names};
use scenewright_unity::Guid;
use scenewright_unity::hierarchy::{
    Component, Data, Effective, Hierarchy, MAX_OBJECTS, Node, Objects, Opaque, Target,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::native::native_name;
use super::{Unity, instance_id};

/// Values nested deeper than this are cut in answers.
const MAX_DEPTH: usize = 6;
/// Longer lists and texts are cut in answers.
const MAX_ITEMS: usize = 64;
const MAX_TEXT: usize = 1000;

/// One object of a scene or prefab.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectCard {
    /// Its name.
    pub name: String,
    /// Its path in the hierarchy.
    pub path: String,
    /// A stable number for it.
    pub instance_id: i32,
    /// Its components, by class.
    pub components: Vec<Cow<'static, str>>,
    /// Its tag.
    pub tag: String,
    /// Its layer, as an index.
    pub layer: u32,
    /// Whether it and everything above it is active.
    pub active: bool,
    /// The prefab it is an instance of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefab: Option<String>,
}

/// One component with its effective values.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComponentCard {
    /// Its class; scripts by the class they hold.
    pub r#type: String,
    /// Its class with its namespace, where known.
    pub full_type_name: String,
    /// A stable number for it; 0 for a missing script.
    pub instance_id: i32,
    /// Its place in the list.
    pub index: usize,
    /// Whether it is switched on, where it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// How many top-level fields it has.
    pub property_count: usize,
    /// Its top-level fields after all overrides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub serialized_fields: Vec<FieldCard>,
}

/// One field of a component.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldCard {
    /// Its name in the file.
    pub name: String,
    /// `text`, `number`, `reference`, `list` or `map`.
    pub r#type: String,
    /// Its value; references by the path of their object or asset.
    #[schemars(with = "Option<String>")]
    pub value: Value,
    /// The prefab or scene whose override it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overridden_in: Option<String>,
}

/// Which components of an object are wanted, and which of their fields.
#[derive(Debug, Default)]
pub struct Wanted {
    /// So many fields of each.
    pub most: usize,
    /// Only components of these classes; all when there are none.
    pub types: Vec<String>,
    /// Only these fields, as the file or C# spells them; all when there are none.
    pub fields: Vec<String>,
    /// Also what ties a component to its object and its prefab.
    pub plumbing: bool,
}

/// What ties a component to its object and its prefab, and says nothing else.
const PLUMBING: [&str; 8] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_GameObject",
    "m_EditorHideFlags",
    "m_EditorClassIdentifier",
    "serializedVersion",
];

impl Wanted {
    /// All components with so many of all their fields.
    pub fn all(most: usize) -> Self {
        Self { most, plumbing: true, ..Self::default() }
    }

    fn takes_type(&self, card: &ComponentCard) -> bool {
        let is = |name: &String| {
            let short = name.rsplit('.').next().unwrap_or(name);
            card.r#type.eq_ignore_ascii_case(short)
                || card.full_type_name.eq_ignore_ascii_case(name)
        };
        self.types.is_empty() || self.types.iter().any(is)
    }

    fn takes_field(&self, name: &str) -> bool {
        let plain = |name: &str| name.trim_start_matches("m_").to_ascii_lowercase();
        let is = |wanted: &String| plain(wanted) == plain(name);
        match self.fields.is_empty() {
            true => self.plumbing || !PLUMBING.contains(&name),
            false => self.fields.iter().any(is),
        }
    }
}

impl Unity<'_> {
    /// The classes of an object's components, in order; scripts that are gone by name.
    pub fn component_names(&self, node: &Node<'_>) -> Vec<Cow<'static, str>> {
        node.components().iter().map(|component| self.shown_name(component)).collect()
    }

    /// The same in a sentence: of an object that has none that can be read, too.
    pub fn told_components(&self, node: &Node<'_>) -> String {
        match self.component_names(node).as_slice() {
            [] => "none that can be read".to_owned(),
            names => names.join(", "),
        }
    }

    fn shown_name(&self, component: &Component<'_>) -> Cow<'static, str> {
        match component.script() {
            Some(script) if script.is_null() => "Missing Script".into(),
            _ => self.component_name(component),
        }
    }

    /// An object as tools show it.
    pub fn card(&self, node: &Node<'_>, path: String) -> ObjectCard {
        ObjectCard {
            name: cut(&node.name()),
            path,
            instance_id: node_id(node),
            components: self.component_names(node),
            tag: cut(&node.tag()),
            layer: node.layer(),
            active: node.is_active_in_hierarchy(),
            prefab: node.prefab().map(|prefab| {
                prefab.path.unwrap_or_else(|| format!("missing prefab {}", prefab.guid))
            }),
        }
    }

    /// The components of an object that are wanted, with their fields.
    pub fn component_cards(&self, node: &Node<'_>, wanted: &Wanted) -> Vec<ComponentCard> {
        let components = node.components();
        let cards = components
            .iter()
            .enumerate()
            .map(|(index, component)| self.component_card(component, index, wanted));
        cards.filter(|card| wanted.takes_type(card)).collect()
    }

    fn component_card(
        &self,
        component: &Component<'_>,
        index: usize,
        wanted: &Wanted,
    ) -> ComponentCard {
        let name = self.shown_name(component).into_owned();
        let full = self.full_class_name(component).unwrap_or_else(|| match component.script() {
            Some(_) => name.clone(),
            None => native_name(&name).to_string(),
        });
        let missing = name == "Missing Script";
        ComponentCard {
            r#type: name,
            full_type_name: full,
            instance_id: if missing { 0 } else { component_id(component) },
            index,
            enabled: component.enabled(),
            property_count: component.fields().count(),
            serialized_fields: component
                .fields()
                .filter(|(name, _)| wanted.takes_field(name))
                .take(wanted.most)
                .map(|(name, value)| self.field_card(component, name, &value))
                .collect(),
        }
    }

    fn field_card(&self, component: &Component<'_>, name: String, value: &Effective) -> FieldCard {
        let (kind, shown) = self.shown_value(Some(component), value, 0);
        FieldCard {
            name,
            r#type: kind.to_owned(),
            value: shown,
            overridden_in: value.overridden_by.map(|guid| self.path_of(guid)),
        }
    }

    /// A value as JSON, with its kind. Numbers keep their spelling when JSON cannot hold them.
    pub fn shown_value(
        &self,
        component: Option<&Component<'_>>,
        value: &Effective,
        depth: usize,
    ) -> (&'static str, Value) {
        match &value.data {
            Data::Text(text) => match text.parse::<serde_json::Number>() {
                Ok(number) if text.len() < 17 => ("number", Value::Number(number)),
                _ => ("text", cut(text).into()),
            },
            Data::Reference(reference) => {
                let shown = match component.and_then(|component| component.target(value)) {
                    _ if reference.is_null() => Value::Null,
                    Some(target) => self.target_name(&target).into(),
                    None => match reference.guid {
                        Some(guid) => {
                            format!("{}#{}", self.path_of(guid), reference.file_id).into()
                        }
                        None => format!("#{}", reference.file_id).into(),
                    },
                };
                ("reference", shown)
            }
            Data::List(_) | Data::Map(_) if depth >= MAX_DEPTH => ("map", "…".into()),
            Data::List(items) => {
                let mut shown: Vec<Value> = items
                    .iter()
                    .take(MAX_ITEMS)
                    .map(|item| self.shown_value(component, item, depth + 1).1)
                    .collect();
                if items.len() > MAX_ITEMS {
                    shown.push(format!("… {} more", items.len() - MAX_ITEMS).into());
                }
                ("list", shown.into())
            }
            Data::Map(fields) => {
                let shown = fields.iter().take(MAX_ITEMS).map(|(key, value)| {
                    (key.clone(), self.shown_value(component, value, depth + 1).1)
                });
                ("map", Value::Object(shown.collect()))
            }
        }
    }

    /// What a reference points to: an object by its path, a component with its class behind a colon.
    fn target_name(&self, target: &Target<'_>) -> String {
        match target {
            Target::Null => String::new(),
            Target::Node(node) => node.path(),
            Target::Component(component) => {
                format!("{}:{}", component.node().path(), self.shown_name(component))
            }
            Target::Opaque(node) => format!("{} (inside)", node.path()),
            Target::Object { file, file_id } | Target::OtherAsset { guid: file, file_id } => {
                format!("{}#{file_id}", self.path_of(*file))
            }
            Target::BrokenLocal { file_id, .. } => format!("#{file_id} (not there)"),
        }
    }

    /// The path of an asset, or its guid when there is none.
    pub fn path_of(&self, guid: Guid) -> String {
        self.index.by_guid(guid).map_or_else(|| guid.to_string(), |asset| asset.path())
    }

    /// An object of a hierarchy, by its path.
    pub fn object<'h>(
        &self,
        hierarchy: &'h Hierarchy,
        path: &str,
        not_found: &str,
    ) -> Result<Node<'h>, ToolError> {
        let plain = path.trim().trim_matches('/');
        if let Some(node) = hierarchy.find_by_path(plain) {
            return Ok(node);
        }
        let paths = object_paths(hierarchy);
        let known = || paths.iter().map(String::as_str);
        // The name alone is often all that is known of it.
        let named: Vec<&str> =
            known().filter(|path| path.rsplit('/').next() == Some(plain)).collect();
        let meant = match named.as_slice() {
            [only] => names::read_instead(self.cx, "object", plain, only),
            _ => names::guess(self.cx, "object", plain, known()),
        };
        if let Some(node) = meant.and_then(|path| hierarchy.find_by_path(path)) {
            return Ok(node);
        }
        let otherwise = "scene_hierarchy_dump or scene_objects_find give the paths";
        let hint = match named.len() {
            0 => suggest::did_you_mean(plain, known(), otherwise),
            _ => format!("did you mean {}?", named[..named.len().min(3)].join(" or ")),
        };
        Err(ToolError::new(scenewright_contract::ErrorKind::EngineError, not_found.to_owned())
            .hint(hint)
            .detail("gameObjectPath", path))
    }
}

/// Bytes of paths that are looked at for one that is meant.
const MAX_PATHS: usize = 8 << 20;

fn object_paths(hierarchy: &Hierarchy) -> Vec<String> {
    let mut objects = hierarchy.objects();
    let (mut paths, mut bytes) = (Vec::new(), 0);
    while bytes < MAX_PATHS && objects.next().is_some() {
        let path = objects.path();
        bytes += path.len() + 24;
        paths.push(path);
    }
    paths
}

/// A number for an object: instances of one prefab share its location, so their way counts too.
pub fn node_id(node: &Node<'_>) -> i32 {
    let (file, file_id) = node.origin();
    instance_id(file, node.file_id().unwrap_or(file_id).0)
}

/// The same for a component.
pub fn component_id(component: &Component<'_>) -> i32 {
    instance_id(component.file(), component.file_id().0)
}

fn cut(text: &str) -> String {
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(MAX_TEXT)])
}

/// Prefab instances that nothing could look into, although their objects may matter.
#[derive(Default)]
pub struct Unseen {
    count: usize,
    first: Option<String>,
}

impl Unseen {
    /// Counts `node` if it is one. Models do not count: no file ever states their objects.
    pub fn note(&mut self, node: &Node<'_>, path: impl FnOnce() -> String) {
        let Some(why) = node.opaque().filter(|why| *why != Opaque::Model) else { return };
        self.count += 1;
        self.first.get_or_insert_with(|| format!("{} ({why})", path()));
    }

    /// Adds those of another file.
    pub fn add(&mut self, other: Unseen) {
        self.count += other.count;
        self.first = self.first.take().or(other.first);
    }

    /// Says in the answer that there are such.
    pub fn report(&self, cx: &Cx) {
        if let Some(first) = &self.first {
            let count = self.count;
            cx.diagnose(format!(
                "{count} prefab instances could not be looked into, such as {first}"
            ));
        }
    }
}

/// What an object must be to be found.
#[derive(Default)]
pub struct Criteria {
    /// The class of a component that it has.
    pub component: Option<String>,
    /// A pattern that its name fits.
    pub name_pattern: Option<Pattern>,
    /// A part of its name.
    pub name_contains: Option<String>,
    /// Its tag.
    pub tag: Option<String>,
    /// Its layer.
    pub layer: Option<u32>,
    /// A pattern that its path fits.
    pub path: Option<globset::GlobMatcher>,
}

impl Criteria {
    /// Whether `node` meets all of them.
    pub fn meet(&self, unity: &Unity<'_>, node: &Node<'_>, path: &str) -> bool {
        let name = node.name();
        self.layer.is_none_or(|layer| node.layer() == layer)
            && self.name_contains.as_deref().is_none_or(|part| name.contains(part))
            && self.name_pattern.as_ref().is_none_or(|pattern| pattern.fits(&name))
            && self.path.as_ref().is_none_or(|glob| glob.is_match(path))
            && self.tag.as_deref().is_none_or(|tag| node.tag() == tag)
            && self.component.as_deref().is_none_or(|wanted| has_component(unity, node, wanted))
    }
}

fn has_component(unity: &Unity<'_>, node: &Node<'_>, wanted: &str) -> bool {
    let short = wanted.rsplit('.').next().unwrap_or(wanted);
    unity.component_names(node).iter().any(|name| name.eq_ignore_ascii_case(short))
}

/// `*` and `?`, whatever the case. Made once: a file can stand for a million objects.
pub struct Pattern(Option<globset::GlobMatcher>);

impl Pattern {
    /// A pattern that makes no sense fits nothing.
    pub fn new(pattern: &str) -> Self {
        let glob = globset::GlobBuilder::new(pattern).case_insensitive(true).build();
        Self(glob.ok().map(|glob| glob.compile_matcher()))
    }

    fn fits(&self, text: &str) -> bool {
        // What is longer is not shown either, and a pattern over megabytes takes its time.
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        self.0.as_ref().is_some_and(|glob| glob.is_match(text))
    }
}

/// Says in the answer that a walk ended before the last object.
pub fn report_cut(cx: &Cx, objects: &Objects<'_>) {
    if objects.is_cut() {
        cx.diagnose(cut_short());
    }
}

/// Why a walk ended before the last object.
pub fn cut_short() -> String {
    format!("Only the first {MAX_OBJECTS} objects were looked at. Results are partial.")
}

/// The objects of `hierarchy` that meet `criteria`, in hierarchy order, at most `most`; and how
/// many there are. A class or tag that there is not is refused.
pub fn find(
    cx: &Cx,
    unity: &Unity<'_>,
    hierarchy: &Hierarchy,
    criteria: &Criteria,
    most: usize,
) -> Result<(Vec<ObjectCard>, usize), ToolError> {
    let (mut found, mut total, mut unseen) = (Vec::new(), 0, Unseen::default());
    let mut long_names = 0;
    let mut objects = hierarchy.objects();
    while let Some(node) = objects.next() {
        cx.check_cancelled()?;
        unseen.note(&node, || objects.path());
        long_names += usize::from(node.name().len() > MAX_TEXT);
        // A path is long where the hierarchy is deep, and few objects are found.
        let path = criteria.path.as_ref().map(|_| objects.path()).unwrap_or_default();
        if criteria.meet(unity, &node, &path) {
            total += 1;
            if found.len() < most && !cx.is_full() {
                let card = unity.card(&node, objects.path());
                if cx.keep(card.path.len() + card.name.len() + 32 * card.components.len() + 128) {
                    found.push(card);
                }
            }
        }
    }
    unseen.report(cx);
    report_cut(cx, &objects);
    if long_names > 0 {
        let names = if long_names == 1 { "1 name is" } else { "several names are" };
        cx.diagnose(format!(
            "{names} longer than {MAX_TEXT} bytes; such names are cut in answers and in paths, and a \
             cut path leads to its object"
        ));
    }
    if total == 0 {
        unity.explain_none(cx, criteria)?;
    }
    Ok((found, total))
}
