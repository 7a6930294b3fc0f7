//! `cargo xtask scripts`: Mono's compiler reads every script template, with and without a namespace,
//! beside declarations of what they use of Unity (`xtask/assets/unity_stubs.cs`).
//!
//! It has to notice a line too many in each of them, and a class that Unity does not have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use scenewright_unity::script::Template;
use xtask::{install, paths, process};

const LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn run() -> Result<()> {
    let Some(compiler) = install::or_notice("scripts", install::mono_compiler())? else {
        return Ok(());
    };
    let dir = paths::target().join("scripts");
    if dir.exists() {
        fs::remove_dir_all(&dir).with_context(|| dir.display().to_string())?;
    }
    let compile =
        |name: &str, change: &dyn Fn(String) -> String| compile(&compiler, &dir.join(name), change);
    let whole = compile("whole", &|source| source)?;
    ensure!(whole.is_empty(), "the templates do not compile:\n{}", whole.join("\n"));
    let broken = compile("broken", &|source| source + "}\n")?;
    for name in names() {
        let is_told = broken.iter().any(|line| line.contains(&name));
        ensure!(is_told, "{name} is broken and the compiler does not notice");
    }
    let unknown = compile("unknown", &|source| source.replace("MonoBehaviour", "MonoBehavior"))?;
    ensure!(!unknown.is_empty(), "a class that Unity does not have is not noticed");
    println!("{} scripts compile, and none that is broken", names().count());
    Ok(())
}

/// The files that are compiled.
fn names() -> impl Iterator<Item = String> {
    let of =
        |template: Template| [format!("{template:?}Plain.cs"), format!("{template:?}Within.cs")];
    Template::ALL.into_iter().flat_map(of)
}

/// What the compiler has against the templates, after a change of each.
fn compile(compiler: &Path, dir: &Path, change: &dyn Fn(String) -> String) -> Result<Vec<String>> {
    fs::create_dir_all(dir)?;
    let mut files: Vec<PathBuf> = vec![paths::asset("unity_stubs.cs")];
    for template in Template::ALL {
        for (ending, namespace) in [("Plain", ""), ("Within", "Game.Made")] {
            let class = format!("{template:?}{ending}");
            let source = template.source(&class, namespace, "UnityEngine.MonoBehaviour");
            let file = dir.join(format!("{class}.cs"));
            fs::write(&file, change(source))?;
            files.push(file);
        }
    }
    let mut command = Command::new(compiler);
    command.args(["-nologo", "-target:library", "-warnaserror"]);
    command.arg(format!("-out:{}", dir.join("made.dll").display())).args(files);
    let said = process::capture(&mut command, LIMIT)?;
    let lines = said.stdout.lines().chain(said.stderr.lines());
    let errors: Vec<String> =
        lines.filter(|line| line.contains("error CS")).map(str::to_owned).collect();
    ensure!(said.status.success() == errors.is_empty(), "{}", said.tail());
    Ok(errors)
}
