//! All clients, those that people use first, then the libraries that they make their own with.

mod libraries;
mod programs;

use super::recipe::Recipe;

/// Every recipe, in the order of the page.
pub(super) fn all() -> impl Iterator<Item = &'static Recipe> {
    programs::PROGRAMS.iter().chain(libraries::LIBRARIES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::recipe::{Package, Start};

    #[test]
    fn recipes_are_whole() {
        let mut names: Vec<_> = all().map(|recipe| recipe.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
        for recipe in all() {
            let (Package::Npm(packages) | Package::Python(_, packages)) = recipe.package;
            for package in packages {
                let has_version = package.trim_start_matches('@').contains(['@', '=', '<']);
                assert!(has_version, "{}: {package} has no version", recipe.name);
            }
            if let Start::Script(name) = recipe.start {
                assert!(crate::paths::asset("clients").join(name).is_file(), "{name}");
            }
        }
        assert!(all().any(|recipe| recipe.in_ci));
    }
}
