//! A binary file of Unity is read or refused; its text is no longer than asked for, and can be read again.

use scenewright_unity::Document;
use scenewright_unity::binary::{BinaryFile, Detail};

const LONGEST: usize = 1 << 20;

pub(crate) fn run(bytes: &[u8]) {
    let Ok(file) = BinaryFile::open(bytes) else { return };
    let _ = (file.unity_version(), file.format(), file.has_layouts(), file.externals().len());
    for object in file.objects() {
        let _ = (object.size(), file.object(object.file_id()).is_some());
    }
    for detail in [Detail::All, Detail::Outline] {
        if let Some(text) = file.to_text(detail, LONGEST) {
            assert!(text.len() <= LONGEST, "{} bytes", text.len());
            let _ = Document::parse(text.into_bytes()).problems();
        }
    }
}
