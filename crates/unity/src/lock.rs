//! Whether a Unity editor has a project open, by the file that it keeps locked while it runs.

use std::path::Path;

use crate::os;

/// The file, from the project's root.
pub const FILE: &str = "Temp/UnityLockfile";

/// What the lock file of a project tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// A program holds it: an editor runs.
    Held,
    /// It is there, and nobody on this machine holds it: an editor was killed, or runs where its
    /// locks do not show, as in a container or on another machine.
    Left,
}

/// Look at the lock file of the project at `root`; nothing when there is none, as after an editor
/// that ended in good order.
pub fn look(root: &Path) -> Option<Lock> {
    let path = root.join(FILE);
    // Neither a link to elsewhere nor a pipe is opened: that could wait forever.
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    Some(if os::is_held(&path) { Lock::Held } else { Lock::Left })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn a_file_that_nobody_holds_was_left() {
        let folder = Folder::unity("");
        assert_eq!(look(folder.root()), None);
        folder.write(FILE, "");
        assert_eq!(look(folder.root()), Some(Lock::Left));
        std::fs::remove_file(folder.path(FILE)).unwrap();
        std::fs::create_dir(folder.path(FILE)).unwrap();
        assert_eq!(look(folder.root()), None);
    }

    /// Locks of POSIX's are a process's, so another one has to take it: Python has the call, where
    /// there is a Python.
    #[cfg(unix)]
    #[test]
    fn a_file_that_another_program_locked_is_held() {
        use std::io::Read as _;
        use std::process::{Command, Stdio};
        let folder = Folder::unity("");
        folder.write(FILE, "");
        let script = "import fcntl,sys\nf=open(sys.argv[1],'wb')\nfcntl.lockf(f,fcntl.LOCK_EX)\n\
                      print('held',flush=True)\nsys.stdin.read()";
        let mut python = Command::new("python3");
        python.args(["-c", script]).arg(folder.path(FILE));
        let Ok(mut child) = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            return;
        };
        let mut said = [0; 4];
        child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
        assert_eq!(look(folder.root()), Some(Lock::Held));
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
        assert_eq!(look(folder.root()), Some(Lock::Left));
    }
}
