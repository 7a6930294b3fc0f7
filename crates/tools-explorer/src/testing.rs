//! Calls of this pack's tools in tests, on copies of the sample.

use std::ops::Deref;

use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::testing::Bench;
use scenewright_toolkit::{Group, Kept, Kit, Runner, Settings, Workspace};
use scenewright_tools_unity::ENGINE;
use serde_json::{Value, json};

use crate::{ExplorerPack, HasWorld, explorer};

static GROUPS: &[&Group] = &[&explorer::GROUP];

/// Objects of the sample's first scene. Ids come from its file, so they are always the same.
pub(crate) const CAMERA: &str = "obj:1279963751";
pub(crate) const GROUND: &str = "obj:1809311514";
pub(crate) const PLAYER: &str = "obj:1616470424";
pub(crate) const HAND: &str = "obj:1533678696";
pub(crate) const LANTERNS: &str = "obj:464006272";
/// An id that nothing has.
pub(crate) const NOBODY: &str = "obj:5";
/// A method that can be watched.
pub(crate) const SET_ACTIVE: &str =
    "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)";

/// A copy of the sample that may be written, with code that may run.
pub(crate) struct UnitySample {
    /// Removed with it.
    _folder: Folder,
    bench: Bench,
}

impl UnitySample {
    /// A fresh copy.
    pub(crate) fn new() -> Self {
        Self::open(Folder::copy_of(&sample("unity")))
    }

    /// A project that is there already.
    pub(crate) fn open(folder: Folder) -> Self {
        let settings = Settings { allow_writes: true, ..Settings::default() };
        let workspace =
            Workspace::open(&[ENGINE], &[folder.root().to_owned()], Kept::default()).unwrap();
        let packs: Vec<Box<dyn scenewright_toolkit::Pack>> =
            vec![Box::new(ExplorerPack::new(&settings, &workspace))];
        let kit = Kit { groups: GROUPS.to_vec(), packs };
        let runner = Runner::new(kit, workspace, settings, None);
        runner.world().config().enable_console_eval = true;
        Self { _folder: folder, bench: Bench(runner) }
    }

    /// A project of these files, each of which stands under a `//- path` line; the world of one
    /// without scenes is empty.
    pub(crate) fn of(files: &str) -> Self {
        Self::open(Folder::unity(files))
    }

    /// A project whose only scene has one object `Thing` with these components, each as what stands
    /// between its `---` line and its fields' ends: class, and fields.
    pub(crate) fn with_components(components: &[(u32, &str)], more: &str) -> Self {
        let mut list = String::new();
        let mut documents = String::new();
        for (number, (class, text)) in (3..).zip(components) {
            list += &format!("  - component: {{fileID: {number}}}\n");
            let (key, fields) = text.split_once('\n').unwrap_or((text, ""));
            documents += &format!(
                "--- !u!{class} &{number}\n{key}\n  m_GameObject: {{fileID: 1}}\n{fields}"
            );
        }
        Self::of(&format!(
            "//- Assets/Main.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1
GameObject:
  m_ObjectHideFlags: 0
  serializedVersion: 6
  m_Component:
  - component: {{fileID: 2}}
{list}  m_Layer: 0
  m_Name: Thing
  m_TagString: Untagged
  m_IsActive: 1
--- !u!4 &2
Transform:
  m_GameObject: {{fileID: 1}}
  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}
  m_LocalPosition: {{x: 0, y: 0, z: 0}}
  m_LocalScale: {{x: 1, y: 1, z: 1}}
  m_Children: []
  m_Father: {{fileID: 0}}
{documents}//- Assets/Main.unity.meta
guid: 0123456789abcdef0123456789abcdef
{more}"
        ))
    }

    /// A fresh copy whose folder has the folder of console scripts, too.
    pub(crate) fn with_scripts() -> Self {
        let sample = Self::new();
        sample.runner().world().config().export_root = Some(sample.root());
        sample
    }

    /// A fresh copy in which objects being switched are watched.
    pub(crate) fn with_hook() -> Self {
        let class = "UnityEngine.GameObject";
        let sample = Self::new();
        sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": [class] }));
        sample.ask("explorer.hookAdd", json!({ "type": class, "method": "SetActive" }));
        sample
    }

    /// What a call gives that can be done.
    pub(crate) fn ask(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).unwrap()
    }

    /// What kind of error a call gives that cannot be done, and what it says.
    pub(crate) fn refusal(&self, tool: &str, arguments: Value) -> String {
        let error = self.call(tool, arguments).unwrap_err();
        match error.hint {
            Some(hint) => format!("{:?}: {}; {hint}", error.kind, error.message),
            None => format!("{:?}: {}", error.kind, error.message),
        }
    }

    /// The page that a call gives, by one field of its items: `2 of 5: Hand, Flame`.
    pub(crate) fn page(&self, tool: &str, arguments: Value, field: &str) -> String {
        let page = self.ask(tool, arguments);
        let items = page["Items"].as_array().unwrap().iter();
        let items: Vec<&str> = items.map(|item| item[field].as_str().unwrap()).collect();
        format!("{} of {}: {}", items.len(), page["Total"], items.join(", "))
    }

    /// An answer as text. The name of the project's folder, which is in handles, is `unity` there.
    pub(crate) fn without_name(&self, answer: &Value) -> String {
        let name = &self.project().id;
        answer.to_string().replace(&name.to_string(), "unity")
    }

    /// Run code in the world.
    pub(crate) fn eval(&self, code: &str) -> Value {
        self.ask("explorer.consoleEval", json!({ "code": code }))
    }
}

impl Deref for UnitySample {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}
