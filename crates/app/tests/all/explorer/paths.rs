//! "`path` is validated to stay inside the Scripts folder; `.cs` only": every way out is shut, for
//! reading, writing, deleting and running.

use serde_json::json;

use crate::explorer::support::World;

const OUTSIDE: &str = "InvalidArgument: path must stay inside the Scripts folder";

/// A folder with a file beside the Scripts folder that nobody may touch.
async fn world() -> World {
    let world = World::with_files(&[("home/secret.cs", "return \"secret\";")]);
    world.write_script("inside.cs", b"return 1;");
    world.done("SetConfig", json!({ "enableConsoleEval": true })).await;
    world
}

/// Every tool that takes a path refuses this one with these words, and nothing has happened outside.
async fn refused(world: &World, path: &str, said: &str) {
    for tool in ["WriteConsoleScript", "DeleteConsoleScript", "RunConsoleScript"] {
        let mut arguments = json!({ "path": path });
        if tool == "WriteConsoleScript" {
            arguments["content"] = json!("return \"changed\";");
        }
        assert_eq!(world.said(tool, arguments).await, said, "{tool} {path}");
    }
    let read = world.said("ReadConsoleScript", json!({ "path": path })).await;
    assert_eq!(read, format!("400 {said}"), "{path}");
    let secret = world.folder.read("home/secret.cs");
    assert_eq!(secret, "return \"secret\";", "{path}");
}

#[tokio::test]
async fn dots_lead_nowhere() {
    let world = world().await;
    for path in [
        "../secret.cs",
        "..\\secret.cs",
        "a/../../secret.cs",
        "./../secret.cs",
        "a/b/../../../secret.cs",
        "../Scripts/../secret.cs",
        "/../secret.cs",
    ] {
        refused(&world, path, OUTSIDE).await;
    }
    // Inside they are only a long way round.
    let read = world.call("ReadConsoleScript", json!({ "path": "a/../inside.cs" })).await;
    assert_eq!(read["Path"], json!(world.script("inside.cs")));
}

#[tokio::test]
async fn absolute_paths_lead_nowhere_else() {
    let world = world().await;
    let home = world.folder.path("home");
    let beside = home.join("secret.cs").display().to_string();
    let through = world.script("..").join("secret.cs").display().to_string();
    // A folder whose name only begins like ours.
    let longer = home.join("ScriptsToo").join("a.cs").display().to_string();
    for path in [&*beside, &*through, &*longer, "/etc/a.cs", "C:\\a.cs", "C:a.cs", "\\\\host\\a.cs"]
    {
        refused(&world, path, OUTSIDE).await;
    }
}

/// A folder that differs from ours by case alone is another one, or ours under a name we do not know.
#[tokio::test]
async fn case_leads_nowhere() {
    let world = world().await;
    let other = world.folder.path("home/scripts/inside.cs");
    let path = other.display().to_string();
    refused(&world, &path, OUTSIDE).await;
    assert!(std::fs::read(world.script("inside.cs")).unwrap().starts_with(b"return 1"));
}

#[cfg(unix)]
#[tokio::test]
async fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let world = world().await;
    let home = world.folder.path("home");
    let link = |target: &std::path::Path, name: &str| symlink(target, world.script(name)).unwrap();
    link(&home.join("secret.cs"), "file.cs");
    link(&home, "folder");
    link(&home.join("not-there.cs"), "dangling.cs");
    link(std::path::Path::new("../secret.cs"), "relative.cs");
    for path in ["file.cs", "folder/secret.cs", "folder/new.cs", "dangling.cs", "relative.cs"] {
        refused(&world, path, OUTSIDE).await;
    }
    assert!(!home.join("new.cs").exists() && !home.join("not-there.cs").exists());
    // A link that stays inside is as good as what it points to.
    link(&world.script("inside.cs"), "same.cs");
    let read = world.call("ReadConsoleScript", json!({ "path": "same.cs" })).await;
    assert_eq!(read["Content"], "return 1;");
}

#[tokio::test]
async fn only_cs_files() {
    let world = world().await;
    for path in ["a", "a.txt", "a.cs.txt", "a.cs/", ".", "mcp.config.json", "a.csx"] {
        refused(&world, path, "InvalidArgument: Only .cs files are allowed").await;
    }
    for path in ["", "  "] {
        refused(&world, path, "InvalidArgument: path is required").await;
    }
    for path in ["a\0.cs", "a.txt:b.cs"] {
        refused(&world, path, OUTSIDE).await;
    }
    let shouted = json!({ "path": "LOUD.CS", "content": "return 2;" });
    world.done("WriteConsoleScript", shouted).await;
    assert!(world.script("LOUD.CS").exists());
    // A folder is no script, whatever its name.
    std::fs::create_dir(world.script("folder.cs")).unwrap();
    let read = world.said("ReadConsoleScript", json!({ "path": "folder.cs" })).await;
    assert_eq!(read, "404 NotFound: Not found");
}
