//! Single assets and how they hang together.

mod create;
mod create_folder;
mod delete;
mod dependencies_graph;
mod duplicate;
mod import_settings;
mod info;
mod r#move;
mod unused;
mod usages;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "asset",
    engine: Some("unity"),
    about: "Assets of Unity projects: what they are, what they need, who uses them; made, moved, copied and deleted with their metas",
    tools: &[
        info::TOOL,
        dependencies_graph::TOOL,
        usages::TOOL,
        unused::TOOL,
        r#move::TOOL,
        duplicate::TOOL,
        delete::TOOL,
        create::TOOL,
        create_folder::TOOL,
        import_settings::TOOL,
    ],
};
