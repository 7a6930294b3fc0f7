//! A file as text of which git can show differences that people read: objects with their names.

use std::collections::HashMap;

use scenewright_unity::{Document, DocumentKind, FileId, scan_references};

/// The text of a Unity file with names beside ids; nothing for other files, which say enough.
pub fn outline(bytes: &[u8]) -> Option<Vec<u8>> {
    let document = Document::parse(bytes);
    if document.kind() != DocumentKind::UnityYaml {
        return None;
    }
    let names = names(&document);
    let bytes = document.as_bytes();
    let mut text = Vec::with_capacity(bytes.len() * 5 / 4);
    let mut from = document.preamble().end;
    for object in document.objects() {
        let header = object.header_span();
        let name = names.get(&object.file_id()).map_or("", String::as_str);
        text.extend(&bytes[from..header.start]);
        text.extend(format!("--- {name} ").as_bytes());
        text.extend(&bytes[header.start + 4..header.end]);
        from = header.end;
        for (offset, reference) in scan_references(&bytes[object.body_span()]) {
            let at = object.body_span().start + offset;
            let name = names.get(&reference.file_id).filter(|_| reference.guid.is_none());
            let end = memchr::memchr(b'}', &bytes[at..]).map(|end| at + end);
            if let (Some(name), Some(end)) = (name, end.filter(|_| at >= from)) {
                text.extend(&bytes[from..end]);
                text.extend(format!(" {name}").as_bytes());
                from = end;
            }
        }
    }
    text.extend(&bytes[from..]);
    Some(text)
}

/// Each object as people call it: `Transform of Door`.
fn names(document: &Document) -> HashMap<FileId, String> {
    let own = |id: FileId| {
        let object = document.object(id)?;
        let name = object.get("m_Name")?.text().into_owned();
        (!name.is_empty()).then_some(name)
    };
    document
        .objects()
        .map(|object| {
            let class = object.class_name();
            let owner =
                object.glance_reference("m_GameObject").and_then(|owner| own(owner.file_id));
            let name = match (own(object.file_id()), owner) {
                (Some(name), _) => format!("{class} {name:?}"),
                (None, Some(owner)) => format!("{class} of {owner:?}"),
                (None, None) => class.into_owned(),
            };
            (object.file_id(), name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::outline;

    #[test]
    fn ids_have_names_beside_them() {
        let text = "%YAML 1.1\n--- !u!1 &1\nGameObject:\n  m_Name: Door\n  m_Component:\n  - component: {fileID: 2}\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Mesh: {fileID: 1, guid: 0123456789abcdef0123456789abcdef, type: 3}\n";
        let expected = "--- GameObject \"Door\" !u!1 &1\nGameObject:\n  m_Name: Door\n  m_Component:\n  - component: {fileID: 2 Transform of \"Door\"}\n--- Transform of \"Door\" !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1 GameObject \"Door\"}\n  m_Mesh: {fileID: 1, guid: 0123456789abcdef0123456789abcdef, type: 3}\n";
        let shown = outline(text.as_bytes()).expect("a Unity file");
        assert_eq!(String::from_utf8(shown).expect("text"), expected);
        assert_eq!(outline(b"[gd_scene format=3]\n"), None);
    }
}
