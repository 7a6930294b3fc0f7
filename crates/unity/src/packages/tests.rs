//! Packages of small projects, and of the sample.

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;

use super::*;
use crate::EditorVersion;

fn check(text: &str, expected: Expect) {
    let dir = Folder::files(text);
    let Packages { installed, notes, .. } = read(dir.root());
    let mut shown = String::new();
    for package in &installed {
        let license = package.license.as_ref().and_then(License::name).unwrap_or("-");
        shown += &format!(
            "{} {} {} {} {:?} {license}\n",
            package.name,
            package.version_text(),
            package.origin,
            package.folder.as_deref().unwrap_or("-"),
            package.pin(),
        );
    }
    notes.iter().for_each(|note| shown += &format!("{}\n", dir.hide(note)));
    expected.assert_eq(&shown);
}

#[test]
fn joins_manifest_lock_cache_and_folders() {
    check(
        r##"
//- Packages/manifest.json
{ "dependencies": { "com.a": "1.2.0", "com.b": "https://example.org/b.git#main", "com.e": "file:../../e" } }
//- Packages/packages-lock.json
{ "dependencies": {
  "com.a": { "version": "1.2.1", "source": "registry" },
  "com.b": { "version": "https://example.org/b.git#main", "source": "git", "hash": "abc" },
  "com.c": { "version": "3.0.0", "source": "registry" },
  "com.m": { "version": "1.0.0", "source": "builtin" } } }
//- Packages/own/package.json
{ "name": "com.d", "version": "0.1.0", "license": "MIT" }
//- Library/PackageCache/com.a@1.2.0/package.json
{ "name": "com.a" }
//- Library/PackageCache/com.a@1.2.1/package.json
{ "name": "com.a", "license": "SEE LICENSE IN LICENSE.md" }
//- Library/PackageCache/com.a@1.2.1/License.md
com.a copyright © 2020

Licensed under the Unity Companion
License for Unity-dependent projects
//- Library/PackageCache/com.c@8a7f/package.json
{ "license": { "type": "Zlib" } }
"##,
        expect![[r#"
            com.a 1.2.1 registry Library/PackageCache/com.a@1.2.1 Firm LicenseRef-Unity-Companion-License
            com.b https://example.org/b.git#main git - Movable("main") -
            com.c 3.0.0 registry Library/PackageCache/com.c@8a7f Firm Zlib
            com.d 0.1.0 embedded Packages/own Firm MIT
            com.e file:../../e local - Path("../../e", Outside) -
            com.m 1.0.0 builtin - Firm -
        "#]],
    );
}

#[test]
fn broken_files_become_notes() {
    check(
        "//- Packages/manifest.json\n{ \"dependencies\": { \"com.a\": 1 } }\n//- Packages/packages-lock.json\n{\n//- Packages/x/package.json\n{}\n",
        expect![[r#"
            com.a  unknown - Firm -
            Packages/manifest.json: the version of com.a is not text
            Packages/packages-lock.json is not JSON (EOF while parsing an object at line 2 column 0)
            Packages/x/package.json has no name: the package is passed over
        "#]],
    );
}

#[test]
fn without_files_there_is_nothing() {
    check(
        "//- Assets/a.txt\n",
        expect![[r#"
            Packages/manifest.json not found
            Packages/packages-lock.json not found
        "#]],
    );
}

fn package(requested: &str) -> Package {
    let mut found = BTreeMap::new();
    let package = entry(&mut found, "com.x");
    package.requested = Some(requested.to_owned());
    package.origin = origin_of(Some(requested));
    package.clone()
}

#[test]
fn tells_what_can_move() {
    let hash = "0123456789abcdef0123456789abcdef01234567";
    let https = "https://example.org/x.git";
    assert_eq!(package("1.0.0").pin(), Pin::Firm);
    assert_eq!(package(https).pin(), Pin::NoRevision);
    assert_eq!(package(&format!("{https}?path=/a#{hash}")).pin(), Pin::Firm);
    assert_eq!(package(&format!("{https}#v1.2.0")).pin(), Pin::Firm);
    assert_eq!(package(&format!("{https}#upm")).pin(), Pin::Movable("upm".to_owned()));
    assert_eq!(package("file:../Local/x").pin(), Pin::Path("../Local/x".to_owned(), Place::Inside));
    let home = "file:/home/me/x";
    assert_eq!(package(home).pin(), Pin::Path("/home/me/x".to_owned(), Place::Outside));
    assert_eq!(package("git@github.com:a/b.git").origin, PackageOrigin::Git);
    assert_eq!(package("http://a/b.git#1.0").open_address(), Some("http://a/b.git#1.0"));
    assert_eq!(package(https).open_address(), None);
}

#[test]
fn compares_editor_versions() {
    let check = |unity: &str, release: Option<&str>, editor: &str| {
        let mut package = package("1.0.0");
        let unity_release = release.map(str::to_owned);
        let unity = Some(unity.to_owned());
        package.info = Some(PackageInfo { unity, unity_release, ..PackageInfo::default() });
        package.needs(&EditorVersion { text: editor.to_owned(), revision: None })
    };
    assert_eq!(check("2022.3", None, "2022.3.20f1"), Needs::Met);
    assert_eq!(check("2022.3", None, "2022.3.0a1"), Needs::Met);
    assert_eq!(check("6000.0", None, "2022.3.20f1"), Needs::Newer("6000.0".to_owned()));
    let newer = Needs::Newer("2022.3.21f1".to_owned());
    assert_eq!(check("2022.3", Some("21f1"), "2022.3.20f1"), newer);
    assert_eq!(check("2022.3", Some("20b5"), "2022.3.20f1"), Needs::Met);
    assert_eq!(check("soon", None, "2022.3.20f1"), Needs::Unknown);
    assert_eq!(
        package("1.0.0").needs(&EditorVersion { text: "2022.3.1f1".into(), revision: None }),
        Needs::Unknown
    );
}

#[test]
fn licences_are_matched_as_expressions() {
    let allowed = ["MIT".to_owned(), "Apache-2.0".to_owned()];
    let check = |term: &str| {
        let term = LicenseTerm::Declared(term.to_owned());
        License { term, file: String::new() }.is_allowed(&allowed)
    };
    for allowed in ["mit", "MIT OR GPL-3.0-only", "(MIT AND Apache-2.0)", "Apache-2.0 WITH x"] {
        assert_eq!(check(allowed), Some(true), "{allowed}");
    }
    assert_eq!(check("MIT AND GPL-3.0-only"), Some(false));
    let unread = License { term: LicenseTerm::Unrecognized, file: String::new() };
    assert_eq!(unread.is_allowed(&allowed), None);
}

#[test]
fn reads_the_sample() {
    let root = scenewright_fixture::sample("unity");
    let Packages { installed, notes, has_manifest } = read(&root);
    assert!(has_manifest && notes.is_empty(), "{notes:?}");
    let built_in = installed.iter().filter(|p| p.origin == PackageOrigin::BuiltIn).count();
    assert_eq!((installed.len(), built_in), (14, 10));
}
