//! Which projects are open, and which one a call is about.

use std::path::PathBuf;
use std::sync::Arc;

use expect_test::expect;
use scenewright_contract::{Call, ErrorKind, JsonMap, Limits, Listener, ToolError};
use scenewright_fixture::Folder;
use serde_json::json;

use super::{Kept, Places, Samples, Workspace};
use crate::{Cx, Runner, Settings, plain};

const GODOT: &str = "config_version=5\n";
const UNITY: &str = "m_EditorVersion: 2022.3.20f1\n";

/// Projects in folders: `godot:` or `unity:` before each.
fn folder(projects: &[&str]) -> Folder {
    let folder = Folder::empty();
    projects.iter().for_each(|project| make(&folder, project));
    folder
}

fn make(folder: &Folder, project: &str) {
    match project.split_once(':') {
        Some(("unity", path)) => {
            folder.write(&format!("{path}/ProjectSettings/ProjectVersion.txt"), UNITY);
        }
        Some((_, path)) => folder.write(&format!("{path}/project.godot"), GODOT),
        None => std::fs::create_dir_all(folder.path(project)).unwrap(),
    }
}

fn find(places: Places) -> Workspace {
    Workspace::find(plain::ENGINES, places, Kept::default()).unwrap()
}

fn here(folder: &Folder, path: &str) -> Places {
    Places { here: Some(folder.path(path)), ..Places::default() }
}

fn ids(workspace: &Workspace) -> Vec<String> {
    workspace.projects().iter().map(|project| project.id.to_string()).collect()
}

fn runner(workspace: Workspace) -> Arc<Runner> {
    plain::runner(workspace, Settings { allow_writes: true, ..Settings::default() }, None)
}

fn open_after(runner: &Runner) -> Vec<String> {
    ids(&runner.look())
}

#[test]
fn the_order_is_named_then_roots_then_above_then_below() {
    let folder = folder(&["godot:home/Old", "godot:Mario", "godot:up/in/Up", "web"]);
    let all = |named: &[&str], roots: &[&str], here: &str| {
        let paths = |names: &[&str]| names.iter().map(|name| folder.path(name)).collect();
        let named: Vec<PathBuf> = paths(named);
        let here = Some(folder.path(here));
        ids(&find(Places { named, roots: paths(roots), here, ..Places::default() }))
    };
    assert_eq!(all(&["Mario"], &["home/Old"], "up/in/Up"), ["Mario"]);
    assert_eq!(all(&[], &["Mario"], "home"), ["Mario"], "what is below does not count");
    assert_eq!(all(&[], &["Mario"], "home/Old"), ["Mario"], "nor what is above");
    assert_eq!(all(&[], &[], "home/Old"), ["Old"]);
    assert_eq!(all(&[], &[], "home"), ["Old"]);
    assert!(all(&[], &[], "up").is_empty(), "only right below");
    // A client that works elsewhere is not in what is below the working folder.
    assert!(all(&[], &["web"], "home").is_empty());
    assert_eq!(all(&[], &["web"], "home/Old"), ["Old"]);
    // A folder of another machine says nothing.
    assert_eq!(all(&[], &["nowhere"], "home"), ["Old"]);
}

#[test]
fn a_root_is_in_a_project_or_holds_some() {
    let folder = folder(&["godot:game/one", "unity:game/deep/er/two", "game/one/scenes/a"]);
    let roots = |roots: &[&str]| {
        let roots = roots.iter().map(|root| folder.path(root)).collect();
        ids(&find(Places { roots, ..Places::default() }))
    };
    assert_eq!(roots(&["game/one/scenes/a"]), ["one"]);
    assert_eq!(roots(&["game"]), ["two", "one"]);
    assert_eq!(roots(&["game/deep", "game/one/scenes"]), ["two", "one"]);
    assert_eq!(roots(&["game/one", "game/one/scenes"]), ["one"]);
}

#[test]
fn the_users_own_folder_is_not_searched_in_depth() {
    let folder = folder(&["godot:home/me/near", "godot:home/me/work/far"]);
    let open = |root: &str| {
        let (roots, home) = (vec![folder.path(root)], Some(folder.path("home/me")));
        ids(&find(Places { roots, home, ..Places::default() }))
    };
    assert_eq!(open("home/me"), ["near"]);
    assert!(open("home").is_empty());
    assert_eq!(open("home/me/work"), ["far"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_before_anything_is_compared() {
    let folder = folder(&["godot:real/game", "godot:secret", "allowed"]);
    std::os::unix::fs::symlink(folder.path("real"), folder.path("link")).unwrap();
    std::os::unix::fs::symlink(folder.path("secret"), folder.path("allowed/out")).unwrap();
    let runner = runner(find(here(&folder, "allowed")));
    runner.work_in(vec![folder.path("link"), folder.path("real/game")]);
    assert_eq!(open_after(&runner), ["game"], "one project under two names");
    let error = runner.open_project(folder.path("allowed/out").to_str().unwrap()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Denied, "{error:?}");
}

#[test]
fn a_client_that_moves_takes_the_projects_along() {
    let folder = folder(&["godot:one", "godot:two", "godot:empty/three"]);
    let runner = runner(find(here(&folder, "empty")));
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let listener = told.clone();
    runner.follow(Box::new(move |workspace| listener.lock().unwrap().push(ids(workspace))));
    let before = runner.workspace();
    runner.work_in(vec![folder.path("one")]);
    runner.work_in(vec![folder.path("one")]);
    let one = runner.workspace().projects()[0].clone();
    runner.work_in(vec![folder.path("two"), folder.path("one")]);
    assert_eq!(*told.lock().unwrap(), [vec!["one"], vec!["two", "one"]], "once for each change");
    assert_eq!(ids(&before), ["three"], "a call under way keeps what it began with");
    assert!(Arc::ptr_eq(&one, &runner.workspace().projects()[1]), "what stays stays as it is");
    assert_eq!(runner.edition(), 2);
}

#[test]
fn what_is_no_longer_open_ends_with_its_last_call() {
    let folder = folder(&["godot:one", "godot:two"]);
    let runner = runner(find(here(&folder, "one")));
    let ended = plain::ended(&runner.workspace().projects()[0]);
    let call = runner.workspace();
    runner.work_in(vec![folder.path("two")]);
    assert!(!ended(), "a call is under way");
    drop(call);
    assert!(ended());
}

#[test]
fn a_project_that_comes_or_goes_is_noticed_with_the_next_look() {
    let folder = folder(&["here"]);
    let runner = runner(find(here(&folder, "here")));
    assert!(open_after(&runner).is_empty());
    make(&folder, "godot:here/new");
    assert_eq!(open_after(&runner), ["new"]);
    // One that is named is looked for, too.
    make(&folder, "godot:here/next");
    let name = |name: &str| JsonMap::from_iter([("project".to_owned(), json!(name))]);
    assert_eq!(ids(&runner.look_for(&Call::new("", name("other")))), ["new", "next"]);
    std::fs::remove_dir_all(folder.path("here/new")).unwrap();
    assert_eq!(open_after(&runner), ["next"]);
    std::fs::remove_dir_all(folder.path("here/next")).unwrap();
    assert!(open_after(&runner).is_empty());
}

#[test]
fn a_long_search_is_not_repeated_with_every_call() {
    let folder = folder(&[]);
    for number in 0..600 {
        std::fs::create_dir_all(folder.path(&format!("work/{number}"))).unwrap();
    }
    let runner = runner(find(Places { roots: vec![folder.path("work")], ..Places::default() }));
    assert_eq!(runner.look().searched(), 601);
    let first = runner.look();
    assert!(Arc::ptr_eq(&first, &runner.look()), "the second look follows at once");
    make(&folder, "godot:work/7/new");
    let began = std::time::Instant::now();
    while open_after(&runner).is_empty() {
        assert!(began.elapsed().as_secs() < 60, "it is never looked for again");
    }
}

#[test]
fn a_folder_is_opened_where_the_client_works_and_nowhere_else() {
    let folder = folder(&[
        "godot:work/a",
        "work/more",
        "godot:work/more/b/c",
        "godot:two/x",
        "godot:two/y",
        "godot:other",
        "godot:lib/d",
        "empty",
    ]);
    let places = Places { allowed: vec![folder.path("lib")], ..here(&folder, "empty") };
    let runner = runner(find(places));
    runner.work_in(vec![folder.path("work/a"), folder.path("work/more"), folder.path("two/x")]);
    let open = |path: &str| match runner.open_project(path) {
        Ok(opened) => format!("{} {}", opened.project.id, opened.was_open),
        Err(error) => format!("{:?}", error.kind),
    };
    let absolute = |path: &str| folder.path(path).to_str().unwrap().to_owned();
    assert_eq!(open("a"), "a true");
    assert_eq!(open(&absolute("work/a/project.godot")), "a true", "a file in it");
    assert_eq!(open("b"), "c true", "from a folder of the client's");
    assert_eq!(open(&absolute("lib")), "d false", "the only one below");
    assert_eq!(open(&absolute("lib/d")), "d true");
    for outside in ["other", "two/y", "", "nowhere"] {
        assert_eq!(open(&absolute(outside)), "Denied", "{outside}");
    }
    assert_eq!(open("../../other"), "Denied");
    assert_eq!(open("nothing"), "EngineError");
    assert_eq!(open(&absolute("empty")), "EngineError", "there is none");
    let open = ids(&runner.workspace());
    assert_eq!(open, ["a", "c", "x", "d"]);
    // It stays while the client may open it.
    runner.work_in(vec![folder.path("two/y")]);
    assert_eq!(ids(&runner.workspace()), ["y", "d"]);
}

#[test]
fn who_named_the_projects_named_all_of_them() {
    let folder = folder(&["godot:a", "godot:b"]);
    let open = |allowed: Vec<PathBuf>| {
        let named = vec![folder.path("a")];
        let runner = runner(find(Places { named, allowed, ..here(&folder, "") }));
        let opened = runner.open_project(folder.path("b").to_str().unwrap());
        opened.map(|_| ids(&runner.workspace())).map_err(|error| error.kind)
    };
    assert_eq!(open(Vec::new()), Err(ErrorKind::Denied));
    assert_eq!(open(vec![folder.path("")]), Ok(vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn the_top_of_a_disk_is_no_working_folder() {
    let top = std::env::temp_dir().ancestors().last().unwrap().to_owned();
    let nothing = find(Places { here: Some(top.clone()), ..Places::default() });
    assert!(nothing.workplaces().is_empty());
    let said = find(Places { roots: vec![top.clone()], ..Places::default() });
    assert_eq!(said.workplaces(), [super::canonical(&top).unwrap()], "unless the client says so");
}

#[test]
fn several_below_a_folder_are_named_and_none_is_opened() {
    let folder = folder(&["empty", "unity:all/x", "godot:all/y"]);
    let runner = runner(find(Places { allowed: vec![folder.path("all")], ..Places::default() }));
    let error = runner.open_project(folder.path("all").to_str().unwrap()).unwrap_err();
    let text = folder.hide(&error.text());
    expect![[r#"
        several projects are below DIR/all
        Try: call again with the path of one: DIR/all/x, DIR/all/y"#]]
    .assert_eq(&text.replace('\\', "/"));
    assert!(runner.workspace().projects().is_empty());
}

#[test]
fn samples_stand_in_until_there_is_a_project() {
    fn samples() -> std::io::Result<Vec<PathBuf>> {
        Ok(vec![scenewright_fixture::sample("godot")])
    }
    let folder = folder(&["here"]);
    let places = |samples| Places { samples, ..here(&folder, "here") };
    let stand_in = runner(find(places(Samples::InPlaceOfNothing(samples))));
    let asked = runner(find(places(Samples::Asked(samples))));
    for runner in [&stand_in, &asked] {
        assert!(runner.workspace().remark().unwrap().starts_with("This is the sample project"));
        assert_eq!(open_after(runner), ["godot"]);
    }
    // Names of tools stay as they are written.
    let said = stand_in.workspace().remark().unwrap();
    assert!(said.contains(": none was found; project_open opens one in "), "{said}");
    make(&folder, "godot:here/own");
    assert_eq!(open_after(&stand_in), ["own"]);
    assert_eq!(stand_in.workspace().remark(), None);
    assert_eq!(open_after(&asked), ["godot"]);
}

#[test]
fn an_addon_is_there_while_its_folder_is_one() {
    let folder = Folder::empty();
    folder.write("addon/plugin.cfg", "");
    let addon = [folder.path("addon")];
    let open = Workspace::open_to_check(plain::ENGINES, &addon, Kept::default()).unwrap();
    assert!(open.projects()[0].is_part && !open.has_lost());
    std::fs::remove_file(folder.path("addon/plugin.cfg")).unwrap();
    assert!(open.has_lost());
}

/// The project that a call without one is about, and what it says of that.
fn chosen(workspace: Workspace, engine: Option<&str>, acts: bool) -> Result<String, ToolError> {
    let runner = runner(workspace);
    let cx = Cx::new(runner.clone(), Call::new("test.echo", JsonMap::new()), Limits::DEFAULT);
    let project = cx.choose(engine, None, acts)?.id.to_string();
    cx.choose(engine, None, acts)?;
    Ok([vec![project], cx.take_diagnostics()].concat().join("; "))
}

#[test]
fn of_several_projects_a_read_names_the_first_and_a_write_is_refused() {
    let folder = folder(&["unity:Alpha", "unity:Beta", "godot:Gamma"]);
    let open = || find(here(&folder, ""));
    expect!["Alpha; This is about Alpha. Also open: Beta, Gamma."]
        .assert_eq(&chosen(open(), None, false).unwrap());
    expect!["Alpha; This is about Alpha. Also open: Beta."]
        .assert_eq(&chosen(open(), Some("folders"), false).unwrap());
    assert_eq!(chosen(open(), Some("whole"), true).unwrap(), "Gamma", "only one can be meant");
    let error = chosen(open(), Some("folders"), true).unwrap_err();
    assert_eq!(error.message, "2 projects are open, and the call names none: Alpha, Beta");
    assert_eq!(error.details["projects"], json!(["Alpha", "Beta"]));
}

#[test]
fn where_nothing_is_open_every_answer_says_so_once() {
    let folder = folder(&["here"]);
    let runner = runner(find(here(&folder, "here")));
    let call = |tool: &str, listener| {
        let text = JsonMap::from_iter([("text".to_owned(), json!("hi"))]);
        let call = Call { listener, ..Call::new(tool, text) };
        let outcome = runner.admit(call).and_then(|admitted| admitted.run());
        outcome.map(|outcome| outcome.diagnostics).map_err(|error| error.hint.unwrap_or_default())
    };
    let said = call("test.echo", Listener::Stdio).unwrap();
    assert_eq!(said.len(), 1, "{said:?}");
    expect!["No project is open: ask the user which folder their Unity or Godot project is in; project_open opens one in DIR/here; for any other the user has to add `--project DIR` to the command that starts this server, or `--allow-projects DIR` to let project_open open what is below DIR."]
        .assert_eq(&folder.hide(&said[0]).replace('\\', "/"));
    let said = call("test.missing", Listener::Http).unwrap_err();
    assert!(said.contains("No project is open"), "{said}");
    let said = call("test.none", Listener::Http).unwrap_err();
    assert!(said.contains("No project is open"), "{said}");
    assert!(call("test.echo", Listener::CommandLine).unwrap().is_empty());
    make(&folder, "godot:here/new");
    assert!(call("test.echo", Listener::Stdio).unwrap().is_empty());
}
