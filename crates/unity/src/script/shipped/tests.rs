//! Which versions of package classes a project gets.

use super::*;
use crate::script::parse;

fn find(name: &str, unity: &str, packages: &[(&str, &str)]) -> Vec<&'static str> {
    let version = |name: &str| {
        let found = packages.iter().find(|(known, _)| *known == name);
        found.map(|(_, version)| (*version).to_owned())
    };
    shipped(name, &Has { unity, package: &version })
}

#[test]
fn a_class_is_as_in_the_version_of_the_project() {
    let has = |unity: &str, field: &str| find("Graphic", unity, &[])[0].contains(field);
    assert!(!has("2019.4.31f1", "m_RaycastPadding"));
    assert!(has("2020.3.18f1", "m_RaycastPadding"));
    assert!(has("2017.4.1f1", "m_RaycastTarget"), "older than the table: as the oldest");

    let camera =
        |version| find("CinemachineCamera", "2022.3.1f1", &[("com.unity.cinemachine", version)]);
    assert_eq!(camera("2.9.7").len(), 0, "it came with 3.0");
    assert_eq!(camera("3.1.2").len(), 1);
}

#[test]
fn a_class_that_moved_is_taken_from_where_the_project_has_it() {
    let text = |unity: &str, packages: &[(&str, &str)]| find("TMP_Text", unity, packages);
    let old = text("2021.3.6f1", &[("com.unity.textmeshpro", "3.0.6")]);
    assert_eq!(old.len(), 1);
    assert!(old[0].contains("m_enableWordWrapping"));
    let new = text("6000.0.23f1", &[("com.unity.ugui", "2.0.0")]);
    assert_eq!(new.len(), 1);
    assert!(
        new[0].contains("m_TextWrappingMode"),
        "since Unity 6 no package of that name is named"
    );
    assert_eq!(text("2021.3.6f1", &[]), old, "without a manifest: by Unity's version");
}

#[test]
fn names_that_no_package_has_and_versions_that_are_none() {
    assert!(find("NoSuchClass", "2022.3.1f1", &[]).is_empty());
    assert_eq!(find("Image", "not a version", &[("com.unity.ugui", "git")]).len(), 1);
    assert!(version_parts("2021.3.6f1") > version_parts("2021.3.5f9"));
    assert!(
        version_parts("3.0.0-pre.1") >= version_parts("3.0.0") && version_parts("git").is_none()
    );
}

#[test]
fn every_declaration_can_be_read() {
    for (name, classes) in classes() {
        for (_, _, text) in classes.iter().filter_map(|class| class.versions.last()) {
            let file = parse(text);
            assert_eq!(file.problems, [], "{name}: {text}");
            let has_it = file.all_types().any(|decl| decl.name == *name);
            assert!(has_it || text.is_empty(), "{name}: {text}");
        }
    }
}
