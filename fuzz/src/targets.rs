//! The targets: each takes any bytes, and says in its own file what must hold for them.

mod commented_json;
mod console;
mod csharp_script;
mod envelope;
mod frames;
mod git_output;
mod godot_binary;
mod godot_document;
mod ldtk_level;
mod markup;
mod merge;
mod records;
mod unity_binary;
mod unity_document;
mod unity_mesh;

/// What a target does with an input; it panics where something does not hold.
pub(crate) type Run = fn(&[u8]);

const TARGETS: [(&str, Run); 15] = [
    ("commented_json", commented_json::run),
    ("console", console::run),
    ("csharp_script", csharp_script::run),
    ("envelope", envelope::run),
    ("frames", frames::run),
    ("git_output", git_output::run),
    ("godot_binary", godot_binary::run),
    ("godot_document", godot_document::run),
    ("ldtk_level", ldtk_level::run),
    ("markup", markup::run),
    ("merge", merge::run),
    ("records", records::run),
    ("unity_binary", unity_binary::run),
    ("unity_document", unity_document::run),
    ("unity_mesh", unity_mesh::run),
];

pub(crate) fn find(name: &str) -> Option<Run> {
    TARGETS.iter().find(|(own, _)| *own == name).map(|(_, run)| *run)
}

pub(crate) fn names() -> String {
    TARGETS.map(|(name, _)| name).join(", ")
}
