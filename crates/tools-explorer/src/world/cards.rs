//! What the Explorer interface tells of scenes, objects, logs: its own names, in its own case.

use std::time::{Duration, UNIX_EPOCH};

use scenewright_text::time::iso;
use scenewright_world::log::Line;
use scenewright_world::math::Vec3;
use scenewright_world::{Object, ObjectId, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How many items a page has when nobody says.
pub(crate) const PAGE: i64 = 100;
/// The same for scenes.
pub(crate) const SCENE_PAGE: i64 = 50;
/// More than this is never given at once; the document has no bound, but memory has.
const MAX_PAGE: usize = 10_000;

/// A part of a list, and how long the whole is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Page<T> {
    /// How many there are in all.
    pub(crate) total: usize,
    /// Those of this page.
    pub(crate) items: Vec<T>,
}

/// Which part of a list is wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub(crate) struct Range {
    /// How many at most; below 1 means 1.
    pub(crate) limit: Option<i64>,
    /// How many to pass over; below 0 means 0.
    pub(crate) offset: Option<i64>,
}

impl Range {
    /// Where it begins and how long it is.
    pub(crate) fn bounds(self, usual: i64) -> (usize, usize) {
        let limit = usize::try_from(self.limit.unwrap_or(usual).max(1)).unwrap_or(MAX_PAGE);
        let offset = usize::try_from(self.offset.unwrap_or(0).max(0)).unwrap_or(usize::MAX);
        (offset, limit.min(MAX_PAGE))
    }

    /// The page of a list that is all there.
    pub(crate) fn page<T>(self, items: impl IntoIterator<Item = T>, usual: i64) -> Page<T> {
        let (offset, limit) = self.bounds(usual);
        let mut total = 0;
        let mut page = Vec::new();
        for item in items {
            if total >= offset && page.len() < limit {
                page.push(item);
            }
            total += 1;
        }
        Page { total, items: page }
    }
}

/// A scene.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SceneCard {
    /// `scn:<n>`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// Its place among the loaded scenes; negative for scenes that hold what belongs to none.
    pub(crate) index: i32,
    /// Whether it is loaded.
    pub(crate) is_loaded: bool,
    /// How many objects have no parent.
    pub(crate) root_count: usize,
}

/// All scenes: the loaded ones, then the two that hold what belongs to none.
pub(crate) fn scenes(world: &World) -> Vec<SceneCard> {
    let card = |(index, scene): (usize, &scenewright_world::Scene)| SceneCard {
        id: format!("scn:{index}"),
        name: scene.name().to_owned(),
        index: i32::try_from(index).unwrap_or(i32::MAX),
        is_loaded: true,
        root_count: scene.roots().len(),
    };
    let mut cards: Vec<SceneCard> = world.scenes().iter().enumerate().map(card).collect();
    cards.push(SceneCard {
        id: "scn:ddol".to_owned(),
        name: "DontDestroyOnLoad".to_owned(),
        index: -1,
        is_loaded: true,
        root_count: world.kept().len(),
    });
    cards.push(SceneCard {
        id: "scn:hide".to_owned(),
        name: "HideAndDontSave".to_owned(),
        index: -2,
        is_loaded: false,
        root_count: 0,
    });
    cards
}

/// The roots that a scene's id means; none for an id of no scene, those of all loaded scenes
/// without one.
pub(crate) fn roots_of(world: &World, scene: Option<&str>) -> Vec<ObjectId> {
    match scene.map(str::trim) {
        None | Some("") => world.roots(),
        Some("scn:ddol") => world.kept().to_vec(),
        Some(id) => {
            let index = id.strip_prefix("scn:").and_then(|index| index.parse::<usize>().ok());
            let scene = index.and_then(|index| world.scenes().get(index));
            scene.map(|scene| scene.roots().to_vec()).unwrap_or_default()
        }
    }
}

/// An object.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ObjectCard {
    /// `obj:<instanceId>`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// Names from the root on.
    pub(crate) path: String,
    /// Its tag.
    pub(crate) tag: String,
    /// The number of its layer.
    pub(crate) layer: i32,
    /// The box beside its name.
    pub(crate) active: bool,
    /// How many components it has.
    pub(crate) component_count: usize,
}

impl ObjectCard {
    pub(crate) fn of(world: &World, object: &Object) -> ObjectCard {
        ObjectCard {
            id: object.id().to_string(),
            name: object.name().to_owned(),
            path: world.path(object.id()),
            tag: object.tag().to_owned(),
            layer: object.layer(),
            active: object.is_active_self(),
            component_count: object.components().len(),
        }
    }

    /// The cards of some objects; those that are gone are left out.
    pub(crate) fn of_all(world: &World, ids: &[ObjectId]) -> Vec<ObjectCard> {
        let objects = ids.iter().filter_map(|id| world.object(*id));
        objects.map(|object| ObjectCard::of(world, object)).collect()
    }
}

/// What is selected.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SelectionCard {
    /// The active object.
    pub(crate) active_id: Option<String>,
    /// All selected objects, the active one first.
    pub(crate) items: Vec<String>,
}

impl SelectionCard {
    pub(crate) fn of(world: &World) -> SelectionCard {
        let items: Vec<String> = world.selection().iter().map(ToString::to_string).collect();
        SelectionCard { active_id: items.first().cloned(), items }
    }
}

/// How fast time goes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TimeScale {
    /// Always true; a failure is an error.
    ok: bool,
    /// 1 is as fast as a clock, 0 is stopped.
    value: f64,
    /// Whether the game's own code cannot change it.
    locked: bool,
}

impl TimeScale {
    pub(crate) fn of(world: &World) -> TimeScale {
        let clock = world.clock();
        TimeScale { ok: true, value: plain(clock.scale()), locked: clock.is_locked() }
    }
}

/// Three numbers.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
#[schemars(inline)]
pub(crate) struct Triple {
    /// To the right.
    #[serde(alias = "x")]
    pub(crate) x: f64,
    /// Up.
    #[serde(alias = "y")]
    pub(crate) y: f64,
    /// Forward.
    #[serde(alias = "z")]
    pub(crate) z: f64,
}

impl From<Vec3> for Triple {
    fn from(v: Vec3) -> Triple {
        Triple { x: plain(v.x), y: plain(v.y), z: plain(v.z) }
    }
}

impl From<Triple> for Vec3 {
    fn from(t: Triple) -> Vec3 {
        Vec3::new(t.x as f32, t.y as f32, t.z as f32)
    }
}

/// The number that a `float` was meant to be: `0.1` and not `0.10000000149011612`.
pub(crate) fn plain(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(0.0)
}

/// A line of the log.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct LogCard {
    /// When.
    pub(crate) t: String,
    /// `info`, `warn` or `error`.
    pub(crate) level: String,
    /// What.
    pub(crate) message: String,
    /// Who.
    pub(crate) source: String,
    /// What kind of line, for those that have one.
    pub(crate) category: Option<String>,
}

impl LogCard {
    pub(crate) fn of(line: &Line) -> LogCard {
        LogCard {
            t: timestamp(line.time),
            level: line.level.to_owned(),
            message: line.message.clone(),
            source: line.source.to_owned(),
            category: line.category.clone(),
        }
    }
}

/// The event that a line of the log makes.
pub(crate) fn log_event(line: &Line) -> Value {
    json!({
        "level": line.level,
        "message": line.message,
        "source": line.source,
        "category": line.category,
        "t": timestamp(line.time),
    })
}

/// The event that another selection makes.
pub(crate) fn selection(world: &World) -> Value {
    json!(SelectionCard::of(world))
}

/// The event that a scene makes which comes or goes.
pub(crate) fn scenes_diff(added: Option<usize>, removed: Option<usize>) -> Value {
    let id = |place: Option<usize>| -> Vec<String> {
        place.map(|place| format!("scn:{place}")).into_iter().collect()
    };
    json!({ "added": id(added), "removed": id(removed) })
}

/// A time as `2025-12-17T18:00:00Z`.
pub(crate) fn timestamp(millis: u64) -> String {
    iso(UNIX_EPOCH + Duration::from_millis(millis))
}

/// How long a preview may be.
const PREVIEW: usize = 256;

/// A text, shortened.
pub(crate) fn preview(text: &str) -> String {
    match text.char_indices().nth(PREVIEW) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
