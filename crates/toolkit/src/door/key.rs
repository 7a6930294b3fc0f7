//! The key that proves records to be ours: one for each user of a machine, made once, and never in a project.
//!
//! It lies in the user's state folder. Who has no such folder gets one in a place where everybody may make
//! folders, and it counts only while that folder is theirs alone. Without any key nothing is written: a
//! change that was interrupted could not be told from one that somebody put there.

#![expect(clippy::disallowed_methods, reason = "the key is the door's own, outside the project")]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use scenewright_text::beneath::Spot;
use scenewright_text::{private, proof, random_name, regular};

use super::record::UndoId;

const NAME: &str = "records.key";
/// The folder's name in a place where everybody may make some.
const SHARED: &str = "scenewright";

/// Where the keys of this user may be, for one project.
#[derive(Debug)]
pub(super) struct Keys {
    /// The project, without links.
    root: PathBuf,
    /// The best first.
    places: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    folder: PathBuf,
    /// Everybody may make folders beside this one.
    is_shared: bool,
}

/// A key, for the records of one project.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key {
    secret: [u8; proof::BYTES],
    root: Vec<u8>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// The parts of a record that a proof is about, after the project and the number.
    fn parts<'a>(&'a self, id: &'a [u8; 8], more: &[&'a [u8]]) -> Vec<&'a [u8]> {
        [&[&self.root[..], &id[..]], more].concat()
    }

    pub(super) fn prove(&self, id: UndoId, parts: &[&[u8]]) -> [u8; proof::BYTES] {
        proof::of(&self.secret, &self.parts(&id.0.to_le_bytes(), parts))
    }

    pub(super) fn proves(&self, id: UndoId, parts: &[&[u8]], proof: &[u8]) -> bool {
        proof::holds(&self.secret, &self.parts(&id.0.to_le_bytes(), parts), proof)
    }
}

impl Keys {
    /// The keys for the project at `root` of the user whose state folder this is.
    pub(super) fn new(state: Option<&Path>, root: &Path) -> Self {
        let own = state.map(|folder| Place { folder: folder.to_owned(), is_shared: false });
        let shared = private::shared_folders(SHARED).into_iter();
        let shared = shared.map(|folder| Place { folder, is_shared: true });
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Self { root, places: own.into_iter().chain(shared).collect() }
    }

    /// Every key that is there. Nothing is made.
    pub(super) fn known(&self) -> Vec<Key> {
        self.places.iter().filter_map(|place| place.read(&self.root).ok()).collect()
    }

    /// The key that a new record gets, made when there is none.
    pub(super) fn own(&self) -> io::Result<Key> {
        let mut obstacles = Vec::new();
        for place in &self.places {
            match place.read(&self.root) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    obstacles.push(format!("{}: {error}", place.file().display()));
                    continue;
                }
                key => return key,
            }
            match place.make().and_then(|()| place.read(&self.root)) {
                Err(error) => obstacles.push(format!("{}: {error}", place.file().display())),
                key => return key,
            }
        }
        Err(io::Error::other(format!(
            "the key that proves records can be kept nowhere ({}); set HOME or XDG_STATE_HOME to a \
             folder of this user's outside of the project",
            obstacles.join("; ")
        )))
    }
}

impl Place {
    fn file(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// The key, if it is there and nobody else can have read or written it.
    fn read(&self, root: &Path) -> io::Result<Key> {
        self.check(root)?;
        let file = regular::open(&self.file())?;
        if let Some(why) = private::doubt(&file)? {
            return Err(io::Error::other(why));
        }
        if !private::is_secret(&file)? {
            return Err(io::Error::other("other users may read it"));
        }
        let mut bytes = Vec::new();
        file.take(proof::BYTES as u64 + 1).read_to_end(&mut bytes)?;
        let secret = bytes.try_into();
        let secret = secret.map_err(|_| io::Error::other("it is not a key; move it away"))?;
        Ok(Key { secret, root: root.as_os_str().as_encoded_bytes().to_vec() })
    }

    /// A key in a project would be known to whoever made the project.
    fn check(&self, root: &Path) -> io::Result<()> {
        let there = self.folder.ancestors().find_map(|folder| folder.canonicalize().ok());
        if there.is_none_or(|there| there.starts_with(root)) {
            return Err(io::Error::other("it would be in the project"));
        }
        match private::doubt_folder(&self.folder) {
            Ok(Some(why)) if self.is_shared => Err(io::Error::other(why)),
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }

    /// Have a key, whole and on the disk. When two make one at once, the first one counts for both.
    fn make(&self) -> io::Result<()> {
        match self.is_shared {
            true => private::make_folder(&self.folder).or_else(there_already)?,
            false => private::make_folders(&self.folder)?,
        }
        let aside = self.folder.join(format!("{NAME}.{}.tmp", random_name()?));
        let made = private::create_new(&aside).and_then(|mut file| {
            file.write_all(&proof::random_key()?)?;
            file.sync_all()?;
            let at = |path: &Path| Spot::find(&self.folder, path);
            at(&aside)?.rename_new(&at(&self.file())?)
        });
        if made.is_err() {
            let _ = fs::remove_file(&aside);
        }
        made.or_else(there_already)?;
        if cfg!(unix) {
            // Folders on the way may be new, too. Not all of them need be ours to sync.
            for folder in self.folder.ancestors() {
                let _ = File::open(folder).and_then(|folder| folder.sync_all());
            }
        }
        Ok(())
    }
}

fn there_already(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::AlreadyExists => Ok(()),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    fn at(folder: &Path, root: &Path) -> Keys {
        let place = Place { folder: folder.to_owned(), is_shared: true };
        Keys { root: root.canonicalize().unwrap(), places: vec![place] }
    }

    #[test]
    fn all_who_start_at_once_have_the_same_key() {
        let (home, project) = (Folder::empty(), Folder::empty());
        for round in 0..20 {
            let place = home.path(&round.to_string());
            let start = std::sync::Barrier::new(8);
            let own = || {
                let keys = at(&place, project.root());
                start.wait();
                keys.own().unwrap()
            };
            let keys: Vec<Key> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(own)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(keys.iter().all(|key| *key == keys[0]));
            assert_eq!(at(&place, project.root()).known(), [keys[0].clone()]);
            let names = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name());
            assert_eq!(names.collect::<Vec<_>>(), [NAME]);
        }
    }

    #[test]
    fn a_key_is_made_when_something_is_written_and_never_in_the_project() {
        let (home, project) = (Folder::empty(), Folder::empty());
        let keys = at(&home.path("new"), project.root());
        assert_eq!(keys.known(), []);
        assert!(!home.path("new").exists());
        let inside = at(&project.path("state"), project.root());
        let error = inside.own().unwrap_err().to_string();
        assert!(error.contains("it would be in the project"), "{error}");
        assert!(!project.path("state").exists());
        // Nor is one taken that came with the project.
        keys.own().unwrap();
        fs::rename(home.path("new"), project.path("state")).unwrap();
        assert_eq!(inside.known(), []);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_could_have_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let (home, project) = (Folder::empty(), Folder::empty());
        let place = home.path("place");
        let keys = at(&place, project.root());
        keys.own().unwrap();
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        assert_eq!(fs::metadata(place.join(NAME)).unwrap().permissions().mode() & 0o777, 0o600);
        for (path, bad, good) in [(place.clone(), 0o755, 0o700), (place.join(NAME), 0o644, 0o600)] {
            set(&path, bad);
            assert_eq!(keys.known(), [], "{path:?}");
            let error = keys.own().unwrap_err().to_string();
            assert!(error.contains("other users may"), "{error}");
            set(&path, good);
        }
        assert_eq!(keys.known().len(), 1);
        fs::write(place.join(NAME), "short").unwrap();
        let error = keys.own().unwrap_err().to_string();
        assert!(error.contains("it is not a key"), "{error}");
        fs::remove_file(place.join(NAME)).unwrap();
        std::os::unix::fs::symlink("elsewhere", place.join(NAME)).unwrap();
        assert!(keys.own().unwrap_err().to_string().contains("it is a link, not a file"));
        assert!(!place.join("elsewhere").exists());
    }

    #[test]
    fn a_proof_is_of_one_project_and_one_number() {
        let (home, project, other) = (Folder::empty(), Folder::empty(), Folder::empty());
        let key = at(&home.path("k"), project.root()).own().unwrap();
        let proof = key.prove(UndoId(1), &[b"text"]);
        assert!(key.proves(UndoId(1), &[b"text"], &proof));
        assert!(!key.proves(UndoId(2), &[b"text"], &proof));
        assert!(!key.proves(UndoId(1), &[b"tex_"], &proof));
        let elsewhere = at(&home.path("k"), other.root()).own().unwrap();
        assert!(!elsewhere.proves(UndoId(1), &[b"text"], &proof));
    }
}
