//! User interfaces of UI Toolkit: UXML documents, USS styles and what they are bound to.

mod add_style;
mod bind_data;
mod create_document;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "ui",
    engine: Some("unity"),
    about: "UI Toolkit of Unity projects: UXML documents, USS styles, bindings",
    tools: &[create_document::TOOL, add_style::TOOL, bind_data::TOOL],
};
