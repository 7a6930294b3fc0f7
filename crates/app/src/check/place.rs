//! Where the files of a report are: from the project for people, from the repository for code hosts.

use std::path::Path;
use std::sync::Arc;

use scenewright_contract::finding::Finding;
use scenewright_toolkit::workspace::Project;

/// What stands before the files of one project.
pub(super) struct Place {
    /// In a report: whose file it is, where there are several projects.
    said: String,
    /// In the repository; none when the project is in no repository.
    held: Option<String>,
}

/// The place of each project.
pub(super) fn of(projects: &[Arc<Project>]) -> Vec<Place> {
    let place = |project: &Arc<Project>| Place {
        said: if projects.len() > 1 { format!("{}/", project.id) } else { String::new() },
        held: below_repository(&project.root),
    };
    projects.iter().map(place).collect()
}

impl Place {
    /// What stands before the files of this project in a report.
    pub(super) fn prefix(&self) -> &str {
        &self.said
    }

    /// Say whose file a finding of this project is about.
    pub(super) fn name(&self, finding: &mut Finding) {
        if !self.said.is_empty() {
            finding.file = [&self.said, &*finding.file].concat().into();
        }
    }
}

/// Name the file of a finding from the root of its repository: a code host knows no projects, and
/// shows nothing beside a file that it does not find.
pub(super) fn from_repository(finding: &mut Finding, places: &[Place]) {
    let named = places.iter().find_map(|place| {
        // An id has no slash, so at most one place fits.
        let file = finding.file.strip_prefix(&place.said)?;
        Some(format!("{}{file}", place.held.as_ref()?))
    });
    if let Some(named) = named {
        finding.file = named.into();
    }
}

/// The way from the root of the repository to `folder`: `""` or `game/`.
fn below_repository(folder: &Path) -> Option<String> {
    let below = folder.strip_prefix(scenewright_text::repository(folder)?).ok()?;
    Some(below.iter().map(|name| format!("{}/", name.to_string_lossy())).collect())
}
