//! `scenewright init`: what it writes works, and what is there stays.

use std::process::Output;

use scenewright_fixture::{Folder, copy, sample};
use serde_json::Value;

use super::{command, stderr, stdout};

/// A repository with a project in a folder of it.
fn repository(engine: &str) -> Folder {
    let folder = Folder::empty();
    copy(&sample(engine), &folder.path("game"));
    std::fs::create_dir(folder.path(".git")).unwrap();
    folder
}

fn init(folder: &Folder, args: &[&str]) -> Output {
    command(&folder.path("game")).arg("init").args(args).output().unwrap()
}

fn states(output: &Output) -> Vec<String> {
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    all.as_array().unwrap().iter().map(|one| one["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_project_gets_its_settings_and_what_was_asked_for() {
    for engine in ["unity", "godot"] {
        let folder = repository(engine);
        let shown = init(&folder, &["--dry-run", "--ci", "github", "--agents"]);
        assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
        assert!(stdout(&shown).contains("\n+[check]\n"), "{}", stdout(&shown));
        assert!(!folder.path("game/scenewright.toml").exists(), "a dry run writes nothing");
        assert!(!folder.path(".github").exists() && !folder.path("AGENTS.md").exists());

        let done = init(&folder, &["--ci", "github", "--agents", "--json"]);
        assert_eq!(states(&done), ["changed"; 3]);
        let workflow = folder.read(".github/workflows/scenewright.yml");
        assert!(workflow.contains("check --project game --format github"), "{workflow}");
        assert!(folder.read("AGENTS.md").contains("in `game`"));
        let check = command(&folder.path("game")).arg("check").output().unwrap();
        assert_eq!(check.status.code(), Some(0), "{}", stderr(&check));

        let again = init(&folder, &["--ci", "github", "--agents", "--json"]);
        assert_eq!(
            (states(&again), again.status.code()),
            (vec!["unchanged".to_owned(); 3], Some(0))
        );
    }
}

#[test]
fn what_somebody_wrote_is_never_overwritten() {
    let folder = repository("godot");
    let ours = "[check]\nexclude = ['mine/**']\n";
    folder.write("game/scenewright.toml", ours);
    folder.write(".github/workflows/scenewright.yml", "name: mine\n");
    folder.write("AGENTS.md", "# Rules\r\n\r\nBe kind.\r\n");
    let output = init(&folder, &["--ci", "github", "--agents", "--json"]);
    assert_eq!(
        (states(&output), output.status.code()),
        (vec!["refused".to_owned(), "refused".to_owned(), "changed".to_owned()], Some(1))
    );
    assert_eq!(folder.read("game/scenewright.toml"), ours);
    assert_eq!(folder.read(".github/workflows/scenewright.yml"), "name: mine\n");
    let page = folder.read("AGENTS.md");
    assert!(
        page.starts_with("# Rules\r\n\r\nBe kind.\r\n\r\n<!-- scenewright init: begin -->\r\n")
    );
    assert_eq!(page.matches('\n').count(), page.matches("\r\n").count());
}

#[test]
fn settings_that_were_edited_stay() {
    let folder = repository("unity");
    assert_eq!(init(&folder, &[]).status.code(), Some(0));
    let edited = folder.read("game/scenewright.toml").replace("# \"Assets", "\"Assets");
    folder.write("game/scenewright.toml", &edited);
    let output = init(&folder, &["--json"]);
    assert_eq!((states(&output), output.status.code()), (vec!["kept".to_owned()], Some(0)));
    assert_eq!(folder.read("game/scenewright.toml"), edited);
}

#[test]
fn a_pipeline_of_gitlab_that_is_there_gets_a_file_to_include() {
    let folder = repository("godot");
    let output = init(&folder, &["--ci", "gitlab"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.read(".gitlab-ci.yml").contains("junit: scenewright.xml"));
    let folder = repository("godot");
    folder.write(".gitlab-ci.yml", "build:\n  script: make\n");
    let output = init(&folder, &["--ci", "gitlab"]);
    assert!(stdout(&output).contains("- local: .gitlab/scenewright.yml"), "{}", stdout(&output));
    assert_eq!(folder.read(".gitlab-ci.yml"), "build:\n  script: make\n");
    assert!(folder.read(".gitlab/scenewright.yml").contains("junit: scenewright.xml"));
}

/// The command of each recipe is run as it stands, with this program instead of the published one.
#[test]
fn the_commands_of_the_recipes_run() {
    for (host, file) in
        [("github", ".github/workflows/scenewright.yml"), ("gitlab", ".gitlab-ci.yml")]
    {
        let folder = repository("unity");
        init(&folder, &["--ci", host]);
        let recipe = folder.read(file);
        let start = format!("npx -y scenewright@{} ", env!("CARGO_PKG_VERSION"));
        let mut lines =
            recipe.lines().filter_map(|line| line.split_once(&start)).map(|(_, rest)| rest);
        let line = lines.find(|line| !line.contains("--changed-since")).unwrap();
        let output = command(folder.root()).args(line.split(' ')).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
    }
}

/// The command of a recipe that checks everything, run from the root of the repository.
fn first_push(folder: &Folder, recipe: &str) -> Output {
    let start = format!("npx -y scenewright@{} ", env!("CARGO_PKG_VERSION"));
    let lines = recipe.lines().filter_map(|line| line.split_once(&start)).map(|(_, rest)| rest);
    let line = lines.into_iter().find(|line| !line.contains("--changed-since")).unwrap();
    command(folder.root()).args(line.split(' ')).output().unwrap()
}

/// Without its script a sample has findings.
fn break_project(folder: &Folder, project: &str) {
    for end in ["", ".meta"] {
        let script = format!("{project}/Assets/Scripts/Collectible.cs{end}");
        std::fs::remove_file(folder.path(&script)).unwrap();
    }
}

#[test]
fn the_first_push_is_green_on_a_project_with_findings() {
    for (host, file) in
        [("github", ".github/workflows/scenewright.yml"), ("gitlab", ".gitlab-ci.yml")]
    {
        let folder = repository("unity");
        break_project(&folder, "game");
        let check = || command(&folder.path("game")).arg("check").output().unwrap();
        assert_eq!(check().status.code(), Some(1), "it has errors");
        let tried = init(&folder, &["--ci", host, "--dry-run"]);
        assert!(stdout(&tried).contains("would be accepted"), "{}", stdout(&tried));
        assert!(!folder.path("game/scenewright-baseline.json").exists());
        let done = init(&folder, &["--ci", host]);
        assert!(stdout(&done).contains("of today are accepted"), "{}", stdout(&done));
        let pushed = first_push(&folder, &folder.read(file));
        assert_eq!(pushed.status.code(), Some(0), "{}{}", stdout(&pushed), stderr(&pushed));
        // What comes later is told.
        std::fs::remove_file(folder.path("game/Assets/Scripts/LanternFlicker.cs")).unwrap();
        assert_eq!(first_push(&folder, &folder.read(file)).status.code(), Some(1));
        // A baseline that is there stays.
        let before = folder.read("game/scenewright-baseline.json");
        assert_eq!(init(&folder, &["--ci", host]).status.code(), Some(0));
        assert_eq!(folder.read("game/scenewright-baseline.json"), before);
    }
}

#[test]
fn a_repository_of_projects_gets_one_recipe() {
    let folder = Folder::empty();
    copy(&sample("unity"), &folder.path("games/keep"));
    copy(&sample("godot"), &folder.path("tools/deep/run"));
    std::fs::create_dir(folder.path(".git")).unwrap();
    break_project(&folder, "games/keep");
    let init = |args: &[&str]| command(folder.root()).arg("init").args(args).output().unwrap();
    let refused = init(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("2 projects are here"), "{}", stderr(&refused));
    let done = init(&["--ci", "github", "--agents"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let recipe = folder.read(".github/workflows/scenewright.yml");
    assert!(recipe.contains("check --project . --format github"), "{recipe}");
    assert!(folder.path("games/keep/scenewright-baseline.json").is_file());
    assert!(!folder.path("tools/deep/run/scenewright-baseline.json").exists(), "it has no errors");
    let pushed = first_push(&folder, &recipe);
    assert_eq!(pushed.status.code(), Some(0), "{}{}", stdout(&pushed), stderr(&pushed));
    assert!(stdout(&pushed).contains("keep, run: 0 errors"), "{}", stdout(&pushed));
    let page = folder.read("AGENTS.md");
    assert!(
        page.contains("a Unity project in `games/keep`, a Godot project in `tools/deep/run`"),
        "{page}"
    );
    // One of them by its name, as every other command takes it.
    assert_eq!(init(&["--project", "tools/deep/run"]).status.code(), Some(0));
    assert!(folder.path("tools/deep/run/scenewright.toml").is_file());
}

#[test]
fn a_folder_with_an_odd_name_is_quoted() {
    let folder = Folder::empty();
    copy(&sample("godot"), &folder.path("my game #1"));
    std::fs::create_dir(folder.path(".git")).unwrap();
    let mut init = command(&folder.path("my game #1"));
    assert_eq!(init.args(["init", "--ci", "github"]).status().unwrap().code(), Some(0));
    let recipe = folder.read(".github/workflows/scenewright.yml");
    assert!(recipe.contains("run: |\n          npx "), "{recipe}");
    assert!(recipe.contains("check --project='my game #1'\n"), "{recipe}");
}

#[test]
fn outside_of_a_project_nothing_is_written() {
    let folder = Folder::empty();
    let output = command(folder.root()).arg("init").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no project here"), "{}", stderr(&output));
    assert!(!folder.path("scenewright.toml").exists());
}
