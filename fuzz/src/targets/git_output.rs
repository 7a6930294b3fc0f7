//! What git writes repeats what a repository says: any bytes are read, and nothing is made up.

use scenewright_git::output::{blob_size, raw_changes, stages};

pub(crate) fn run(bytes: &[u8]) {
    let has = |part: &[u8]| part.is_empty() || bytes.windows(part.len()).any(|own| own == part);
    for change in raw_changes(bytes) {
        assert!(!change.path.is_empty() && !change.path.contains(&0) && has(change.path));
        assert!(change.old_path.is_none_or(|path| !path.is_empty() && has(path)));
    }
    for stage in stages(bytes) {
        assert!((1..=3).contains(&stage.stage) && has(stage.path));
        assert!(!stage.id.is_empty() && stage.id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let _ = blob_size(line);
    }
}
