//! Which projects a runner has open now. They can be replaced at any time: calls under way keep what
//! was open when they began, and whoever follows is told of what is open from now on.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use scenewright_contract::{Call, ToolError};
use serde_json::Value;

use super::Runner;
use crate::cx::PROJECT_ARGUMENTS;
use crate::door;
use crate::workspace::{Opened, Workspace};

/// Told of what is open from now on.
pub(super) type Follower = Box<dyn Fn(&Workspace) + Send + Sync>;

/// A look at more folders is not repeated with every call.
const FEW: usize = 500;
/// It takes no larger part of the time than one in so many.
const REST: u32 = 10;

/// What is open.
pub(super) struct Open {
    now: RwLock<Arc<Workspace>>,
    changing: Mutex<Changing>,
    edition: AtomicU64,
}

/// Held while something else becomes open.
#[derive(Default)]
struct Changing {
    followers: Vec<Follower>,
    has_ended: bool,
    /// Nobody looks again before.
    rests_until: Option<Instant>,
}

impl Open {
    pub(super) fn new(workspace: Workspace) -> Self {
        Self {
            now: RwLock::new(Arc::new(workspace)),
            changing: Mutex::default(),
            edition: AtomicU64::new(0),
        }
    }
}

impl Runner {
    /// The open projects.
    pub fn workspace(&self) -> Arc<Workspace> {
        self.open.now.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Another number when other projects are open.
    pub fn edition(&self) -> u64 {
        self.open.edition.load(Ordering::Acquire)
    }

    /// Tell `follower` of what is open whenever that changes.
    pub fn follow(&self, follower: Follower) {
        self.changing().followers.push(follower);
    }

    /// The end is near: nobody follows any more, and nothing else is opened.
    pub fn stop_following(&self) {
        let mut changing = self.changing();
        changing.followers.clear();
        changing.has_ended = true;
    }

    /// Open what is in the folders that the client works in.
    pub fn work_in(&self, folders: Vec<PathBuf>) {
        let mut changing = self.changing();
        let new = self.workspace().for_roots(folders);
        self.replace(new, &mut changing);
    }

    /// Open the project that a folder is, is in, or holds, beside those that are open.
    pub fn open_project(&self, path: &str) -> Result<Opened, ToolError> {
        let mut changing = self.changing();
        let (new, opened) = self.workspace().with(path)?;
        self.replace(new, &mut changing);
        Ok(opened)
    }

    /// From now on the project at this root may be opened, too: a call has made it.
    pub fn may_open(&self, root: PathBuf) {
        let mut changing = self.changing();
        let new = self.workspace().allowing(root);
        self.replace(new, &mut changing);
    }

    /// What is open, after another look where nothing is or what was open is gone.
    pub fn look(&self) -> Arc<Workspace> {
        self.look_unless(|now| !now.is_without() && !now.has_lost())
    }

    /// The same for a call; also where it names a project that is not open.
    pub(crate) fn look_for(&self, call: &Call) -> Arc<Workspace> {
        let named = PROJECT_ARGUMENTS.into_iter().filter_map(|name| call.arguments.get(name));
        let mut named = named.filter_map(Value::as_str);
        self.look_unless(|now| {
            !now.is_without() && !now.has_lost() && named.all(|name| now.named(name).is_ok())
        })
    }

    fn look_unless(&self, is_fine: impl FnOnce(&Workspace) -> bool) -> Arc<Workspace> {
        let now = self.workspace();
        if !now.places().are_any() || is_fine(&now) {
            return now;
        }
        let mut changing = self.changing();
        let began = Instant::now();
        // What is gone is gone: leaving it out takes no second look.
        if self.workspace().has_lost() || changing.rests_until.is_none_or(|until| until <= began) {
            let new = self.workspace().again();
            let is_long = new.searched() > FEW;
            self.replace(new, &mut changing);
            changing.rests_until = is_long.then(|| began + began.elapsed() * REST);
        }
        self.workspace()
    }

    fn changing(&self) -> MutexGuard<'_, Changing> {
        self.open.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, new: Workspace, changing: &mut Changing) {
        if changing.has_ended {
            return;
        }
        let old = self.workspace();
        let is_like = new.is_like(&old);
        let new = Arc::new(new);
        if !is_like {
            let is_new =
                |project: &&Arc<_>| !old.projects().iter().any(|one| Arc::ptr_eq(one, project));
            let added: Vec<_> = new.projects().iter().filter(is_new).cloned().collect();
            door::look_after(&added, self.settings.allow_writes, self.audit.as_ref());
        }
        *self.open.now.write().unwrap_or_else(PoisonError::into_inner) = new.clone();
        if is_like {
            return;
        }
        self.open.edition.fetch_add(1, Ordering::AcqRel);
        let gone = old.projects().iter();
        gone.filter(|one| !new.projects().iter().any(|kept| Arc::ptr_eq(one, kept)))
            .for_each(|project| project.close());
        self.packs().for_each(|pack| pack.projects_changed(&new));
        changing.followers.iter().for_each(|follower| follower(&new));
    }
}
