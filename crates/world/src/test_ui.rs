//! A small user interface to try picking on: a canvas with two blocks.

use crate::ids::ObjectId;
use crate::math::Vec2;
use crate::object::RectData;
use crate::value::{EnumValue, Value};
use crate::world::{Refused, World};

const CANVAS: &str = "McpTestCanvas";
const EVENT_SYSTEM: &str = "McpTest_EventSystem";
/// Names of the blocks, and where in the canvas each is held.
const BLOCKS: [(&str, f32); 2] = [("McpTestBlock_Left", 0.35), ("McpTestBlock_Right", 0.65)];
const BLOCK_SIZE: f32 = 180.0;

/// The test interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestUi {
    /// The canvas.
    pub root: ObjectId,
    /// The blocks with their names.
    pub blocks: Vec<(&'static str, ObjectId)>,
}

impl World {
    /// Make the test interface, or give the one that is there.
    pub fn spawn_test_ui(&mut self) -> Result<TestUi, Refused> {
        if let Some(root) = self.test_canvas() {
            let blocks = BLOCKS.iter();
            let blocks = blocks.filter_map(|(name, _)| Some((*name, self.child(root, name)?)));
            return Ok(TestUi { root, blocks: blocks.collect() });
        }
        let root = self.create(CANVAS, None)?;
        self.set_rect(root, RectData::default())?;
        let canvas = self.add_component(root, "UnityEngine.Canvas")?;
        self.set_member(canvas, "renderMode", overlay())?;
        let scaler = self.add_component(root, "UnityEngine.UI.CanvasScaler")?;
        let mode = self.enum_value("UnityEngine.UI.CanvasScaler+ScaleMode", 1);
        self.set_member(scaler, "uiScaleMode", mode)?;
        let resolution = Value::Vec2(Vec2::new(1920.0, 1080.0));
        self.set_member(scaler, "referenceResolution", resolution)?;
        self.set_member(scaler, "matchWidthOrHeight", Value::Float(0.5))?;
        self.add_component(root, "UnityEngine.UI.GraphicRaycaster")?;
        let mut blocks = Vec::new();
        for (name, at) in BLOCKS {
            let block = self.create(name, Some(root))?;
            let anchor = Vec2::new(at, 0.5);
            let size_delta = Vec2::new(BLOCK_SIZE, BLOCK_SIZE);
            let rect = RectData {
                anchor_min: anchor,
                anchor_max: anchor,
                size_delta,
                ..RectData::default()
            };
            self.set_rect(block, rect)?;
            self.add_component(block, "UnityEngine.CanvasRenderer")?;
            self.add_component(block, "UnityEngine.UI.Image")?;
            blocks.push((name, block));
        }
        self.ensure_event_system()?;
        self.mark_test(root);
        Ok(TestUi { root, blocks })
    }

    fn mark_test(&mut self, id: ObjectId) {
        if let Some(object) = self.object_mut(id) {
            object.is_test = true;
        }
    }

    /// Destroy the test interface; nothing happens when there is none.
    pub fn destroy_test_ui(&mut self) {
        if let Some(root) = self.test_canvas() {
            // It was just found.
            let _ = self.destroy(root);
        }
    }

    fn test_canvas(&self) -> Option<ObjectId> {
        let roots = self.all_roots();
        roots.into_iter().find(|id| self.object(*id).is_some_and(|object| object.name() == CANVAS))
    }

    fn ensure_event_system(&mut self) -> Result<(), Refused> {
        const CLASS: &str = "UnityEngine.EventSystems.EventSystem";
        let roots = self.all_roots();
        if self.descend(&roots).any(|object| object.component(CLASS).is_some()) {
            return Ok(());
        }
        let system = self.create(EVENT_SYSTEM, None)?;
        self.mark_test(system);
        self.add_component(system, CLASS)?;
        self.add_component(system, "UnityEngine.EventSystems.StandaloneInputModule")?;
        Ok(())
    }
}

fn overlay() -> Value {
    Value::Enum(std::sync::Arc::new(EnumValue {
        type_name: "UnityEngine.RenderMode".into(),
        name: "ScreenSpaceOverlay".into(),
        number: 0,
    }))
}
