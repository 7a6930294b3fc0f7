//! What the C# code of a Unity project can be written against.

mod search;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "unityApi",
    engine: Some("unity"),
    about: "Types and members that C# code can use",
    tools: &[search::TOOL],
};
