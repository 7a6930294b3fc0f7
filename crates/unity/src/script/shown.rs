//! What a component or asset is called where people read it: scripts by the class that they hold.

use std::borrow::Cow;

use super::{ClassIdentifier, dll_script, package_script};
use crate::{ClassId, FileId, Guid, Object, Reference};

/// The class of an object as people know it. `path_of` gives the path of the asset with a guid.
pub(crate) fn shown_class<'d>(
    object: Object<'d>,
    path_of: &dyn Fn(Guid) -> Option<String>,
) -> Cow<'d, str> {
    if object.class_id() != ClassId::MONO_BEHAVIOUR {
        return object.class_name();
    }
    let read = || object.get("m_Script")?.as_reference();
    let script = object.glance_reference("m_Script").or_else(read);
    let noted = || object.get("m_EditorClassIdentifier").map(|value| value.text().into_owned());
    let named = |script: Reference| script_class(script.guid?, script.file_id, noted, path_of);
    script.and_then(named).map_or_else(|| object.class_name(), Cow::Owned)
}

/// The class of a script: by the name of its source, what the editor noted, or the tables of packages.
pub(crate) fn script_class(
    guid: Guid,
    file_id: FileId,
    noted: impl FnOnce() -> Option<String>,
    path_of: &dyn Fn(Guid) -> Option<String>,
) -> Option<String> {
    let path = path_of(guid);
    let name = path.as_deref().map(|path| path.rsplit('/').next().unwrap_or(path));
    if let Some(stem) = name.and_then(|name| name.strip_suffix(".cs")) {
        return Some(stem.to_owned());
    }
    let noted = noted();
    if let Some(class) = noted.as_deref().and_then(ClassIdentifier::parse) {
        return Some(class.name.to_owned());
    }
    let package = package_script(guid.0).map(|script| script.name);
    let library = || dll_script(guid.0, file_id.0).map(|script| script.name);
    package.or_else(library).map(str::to_owned)
}

/// The name of an asset without folder and ending.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
