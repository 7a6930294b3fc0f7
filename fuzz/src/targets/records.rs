//! Whatever lies in `.scenewright/` of a project, even with a proof that holds, a server that may write starts and
//! writes, and nothing outside of the project changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use scenewright_toolkit::{Engine, Kept, Workspace, door};
use scenewright_tools_godot::ENGINE;

const ENGINES: &[Engine] = &[ENGINE];
const CANARY: &str = "outside\n";

/// A folder with a project, the state of its user, and a file that nobody may touch.
static PLACE: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = std::env::temp_dir().join(format!("scenewright-fuzz-{}", std::process::id()));
    fs::create_dir_all(root.join("out/empty")).expect("a temporary folder");
    root
});

pub(crate) fn run(bytes: &[u8]) {
    let Some((how, bytes)) = bytes.split_first() else { return };
    let project = PLACE.join("game");
    let _ = fs::remove_dir_all(&project);
    fs::create_dir_all(project.join("a/b")).expect("a temporary folder");
    for (name, text) in
        [("project.godot", "config_version=5\n"), ("a/x.gd", "one\n"), ("a/y.gd", "two\n")]
    {
        fs::write(project.join(name), text).expect("a temporary file");
    }
    fs::write(PLACE.join("out/x.gd"), CANARY).expect("a temporary file");
    let kept = Kept { state: Some(PLACE.join("state")), ..Kept::default() };
    let workspace =
        Workspace::open(ENGINES, std::slice::from_ref(&project), kept).expect("it is a project");
    let opened = workspace.projects().first().expect("it is open");
    let ending = if how & 1 == 0 { "intent" } else { "done" };
    match how & 2 {
        // The reader of the first line sees these.
        0 => {
            let folder = project.join(".scenewright");
            fs::create_dir_all(&folder).expect("a temporary folder");
            fs::write(folder.join(format!("00000001.{ending}")), bytes).expect("a temporary file");
        }
        // What comes behind it is only seen with a proof.
        _ => {
            let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
            let kept = bytes.get(end + 1..).unwrap_or_default();
            door::plant(opened, ending, &bytes[..end], kept).expect("a temporary file");
        }
    }
    door::look_after(workspace.projects(), true, None);
    let _ = door::history(opened);
    unharmed(&PLACE);
}

fn unharmed(place: &Path) {
    assert_eq!(fs::read_to_string(place.join("out/x.gd")).ok().as_deref(), Some(CANARY));
    assert!(place.join("out/empty").is_dir(), "a folder outside is gone");
    let count = |folder: &Path| fs::read_dir(folder).map(Iterator::count).unwrap_or_default();
    assert_eq!(count(&place.join("out")), 2);
}
