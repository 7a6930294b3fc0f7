//! Changes of several tools that are to be made together: each sees what those before it did, and
//! nothing is written until all are done.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use scenewright_contract::ToolError;
use scenewright_contract::call::Diffs;

use super::{Content, Plan, ProjectPath, Written, disk_read, report};
use crate::Project;

/// Files as they were and as they are to be, by project and path; and folders that are to be there,
/// or to go if nothing is in them.
#[derive(Debug, Default)]
pub struct Stage {
    files: Mutex<BTreeMap<(PathBuf, ProjectPath), Staged>>,
    folders: Mutex<BTreeMap<(PathBuf, ProjectPath), bool>>,
}

#[derive(Debug)]
struct Staged {
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

impl Stage {
    /// The staged content of a file: none when nothing is staged for it, and inside that none when
    /// it is gone.
    pub(super) fn read(&self, project: &Project, path: &ProjectPath) -> Option<Option<Vec<u8>>> {
        let key = (project.root.clone(), path.clone());
        self.files().get(&key).map(|staged| staged.after.clone())
    }

    /// The staged files of a project, and whether each will be there.
    pub(super) fn paths(&self, project: &Project) -> Vec<(ProjectPath, bool)> {
        let files = self.files();
        let own = files.iter().filter(|((root, _), _)| *root == project.root);
        own.map(|((_, path), staged)| (path.clone(), staged.after.is_some())).collect()
    }

    /// Whether a folder is to be there, or to go; nothing where nobody said so.
    pub(super) fn folder(&self, project: &Project, path: &ProjectPath) -> Option<bool> {
        self.folders().get(&(project.root.clone(), path.clone())).copied()
    }

    /// Whether something is staged for another project than this one.
    pub fn has_others(&self, project: &Project) -> bool {
        self.files().keys().any(|(root, _)| *root != project.root)
    }

    /// Take a plan in instead of carrying it out.
    pub(super) fn take(&self, plan: &Plan<'_>, diffs: Diffs) -> Result<Written, ToolError> {
        for change in &plan.changes {
            let (_, after) = change.sides();
            let mut after = after.map(<[u8]>::to_vec);
            if let Some(from) = &change.from {
                if matches!(change.content, Content::Kept) {
                    after = self.current(plan.project, from)?;
                }
                self.put(plan.project, from, None)?;
            }
            self.put(plan.project, &change.path, after)?;
        }
        let there = plan.folders.iter().map(|folder| (folder, true));
        for (folder, is_there) in plan.emptied.iter().map(|folder| (folder, false)).chain(there) {
            let key = (plan.project.root.clone(), folder.clone());
            self.folders().insert(key, is_there);
        }
        Ok(report::staged(&plan.changes, diffs))
    }

    fn current(&self, project: &Project, path: &ProjectPath) -> Result<Option<Vec<u8>>, ToolError> {
        match self.read(project, path) {
            Some(staged) => Ok(staged),
            None => disk_read(project, path),
        }
    }

    fn put(
        &self,
        project: &Project,
        path: &ProjectPath,
        after: Option<Vec<u8>>,
    ) -> Result<(), ToolError> {
        let key = (project.root.clone(), path.clone());
        if let Some(staged) = self.files().get_mut(&key) {
            staged.after = after;
            return Ok(());
        }
        let before = disk_read(project, path)?;
        self.files().insert(key, Staged { before, after });
        Ok(())
    }

    /// Everything that is staged for a project, as one plan's worth of owned changes.
    pub fn plan<'a>(&self, project: &'a Project) -> Plan<'a> {
        let mut plan = Plan::new(project);
        for ((root, path), staged) in self.files().iter() {
            if *root == project.root {
                plan.replace_owned(path, staged.before.clone(), staged.after.clone());
            }
        }
        let folders = self.folders();
        // The innermost first, so that the outer ones are empty when they come.
        for ((_, path), is_there) in
            folders.iter().rev().filter(|((root, _), _)| *root == project.root)
        {
            match is_there {
                true => plan.create_folder(path),
                // One that came and went was never there, and undo must not bring it.
                false if project.root.join(path.as_str()).is_dir() => plan.remove_folder(path),
                false => {}
            }
        }
        plan
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<(PathBuf, ProjectPath), Staged>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folders(&self) -> MutexGuard<'_, BTreeMap<(PathBuf, ProjectPath), bool>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
