//! Code of the project that is run, where there is an editor to run it.

mod call_method;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "runtime",
    engine: Some("unity"),
    about: "Code of the project, run by Unity",
    tools: &[call_method::TOOL],
};
