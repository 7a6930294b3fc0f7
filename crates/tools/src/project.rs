//! The project as a whole: its settings, its files.

mod get_version;
mod info;
mod inspect_script;
mod list_files;
mod read_file;
mod search_text;

use crate::Group;

pub(crate) const GROUP: Group = Group {
    name: "project",
    about: "The project as a whole: settings, versions, files",
    tools: &[
        info::TOOL,
        get_version::TOOL,
        list_files::TOOL,
        read_file::TOOL,
        search_text::TOOL,
        inspect_script::TOOL,
    ],
};
