//! Links that leave a folder: what is read for a project is in it. Everything that opens a file of
//! a project asks here, so that a link cannot show what the project does not hold.

use std::fs;
use std::io;
use std::path::{Component, Path};

/// What is said of a link that leads out of a project.
pub const LEAVES: &str = "a link that leaves the project, which is not followed";

/// Whether what a path below `root` leads to is there as well, all links followed. A link that leads
/// nowhere leaves nothing; opening it tells what is wrong.
pub fn stays_inside(root: &Path, path: &Path) -> bool {
    !has_link(root, path) || leads_inside(root, path)
}

/// The same as an error that says so.
pub fn check_inside(root: &Path, path: &Path) -> io::Result<()> {
    match stays_inside(root, path) {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::PermissionDenied, LEAVES)),
    }
}

/// Whether the target of a link is below `root`. For whoever knows already that it is one.
pub fn leads_inside(root: &Path, link: &Path) -> bool {
    match (fs::canonicalize(root), fs::canonicalize(link)) {
        (Ok(root), Ok(target)) => target.starts_with(root),
        (_, Err(error)) => {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        }
        (Err(_), Ok(_)) => false,
    }
}

/// Whether a link is on the way from `root` to a path. Asking each step costs less than finding the
/// real path, and works on disks that do not tell it.
fn has_link(root: &Path, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return true };
    let mut at = root.to_owned();
    below.components().any(|part| {
        at.push(part);
        // Behind `..` nobody knows without the real path.
        !matches!(part, Component::Normal(_) | Component::CurDir)
            || fs::symlink_metadata(&at).is_ok_and(|found| found.is_symlink())
    })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn a_path_without_links_stays() {
        let dir = Folder::files("//- game/a/b.txt\n//- secret.txt\n");
        let root = dir.path("game");
        assert!(stays_inside(&root, &root.join("a/b.txt")));
        assert!(stays_inside(&root, &root.join("a/nothing/here.txt")));
        assert!(!stays_inside(&root, &root.join("../secret.txt")));
        assert!(!stays_inside(&root, &dir.path("secret.txt")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_judged_by_where_they_end() {
        use std::os::unix::fs::symlink;
        let dir = Folder::files("//- game/a/b.txt\n//- out/secret.txt\n");
        let root = dir.path("game");
        let link = |to: &str, at: &str| symlink(to, root.join(at)).unwrap();
        link("a/b.txt", "inside.txt");
        link("../out/secret.txt", "relative.txt");
        symlink(dir.path("out/secret.txt"), root.join("absolute.txt")).unwrap();
        link("relative.txt", "chain.txt");
        link("inside.txt", "good_chain.txt");
        link("../out", "folder");
        link("a", "inner");
        link("nowhere", "dangling.txt");
        for name in ["inside.txt", "good_chain.txt", "inner/b.txt", "dangling.txt"] {
            assert!(check_inside(&root, &root.join(name)).is_ok(), "{name}");
        }
        for name in ["relative.txt", "absolute.txt", "chain.txt", "folder/secret.txt", "folder"] {
            let error = check_inside(&root, &root.join(name)).unwrap_err();
            assert_eq!(error.to_string(), LEAVES, "{name}");
        }
        // A project that is itself reached through a link is still one folder.
        symlink(&root, dir.path("alias")).unwrap();
        assert!(stays_inside(&dir.path("alias"), &dir.path("alias/inside.txt")));
        assert!(!stays_inside(&dir.path("alias"), &dir.path("alias/chain.txt")));
    }
}
