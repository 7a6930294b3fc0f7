//! C# scripts of Unity projects.

mod create;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "script",
    engine: Some("unity"),
    about: "C# scripts of Unity projects: new ones",
    tools: &[create::TOOL],
};
