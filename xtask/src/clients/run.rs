//! One client, from an empty home folder to the end of all its processes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::model::{Model, Seen};
use super::plan::Step;
use super::recipe::{Recipe, Told, Words};
use super::tap::{self, Orders, Spoil};
use super::traffic::{self, Traffic};
use crate::bench::agent::projects;
use crate::{os, paths, process};

/// Longer than any client takes for all calls on a busy machine.
const LIMIT: Duration = Duration::from_secs(150);
/// So long a client may take to end after the model's last word.
const GRACE: Duration = Duration::from_secs(6);
const SHORT: Duration = Duration::from_secs(60);
/// Every process that a client starts has it in its environment.
const MARK: &str = "SCENEWRIGHT_CLIENTS_RUN";
/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9";
/// What a client may know of this machine.
const KEPT: [&str; 6] = ["LANG", "TZ", "USER", "SystemRoot", "ComSpec", "PATHEXT"];

/// What came of a run.
pub(super) struct Ran {
    pub(super) traffic: Traffic,
    /// What the model was asked, request by request.
    pub(super) requests: Vec<Seen>,
    pub(super) seconds: f64,
    /// The client's last words.
    pub(super) said: String,
}

/// How a client is run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) steps: &'static [Step],
    pub(super) spoil: Spoil,
    /// Whether the entry is in the project, as a team has it.
    pub(super) is_committed: bool,
}

/// The folders of a run.
struct Ground {
    home: PathBuf,
    project: PathBuf,
    bin: PathBuf,
    scratch: PathBuf,
    log: PathBuf,
    mark: String,
}

/// Run an installed client against `server`.
pub(super) fn run(
    recipe: &Recipe,
    folder: &Path,
    node: &Path,
    server: &Path,
    Way { steps, spoil, is_committed }: Way,
) -> Result<Ran> {
    let ground = Ground::make(&format!("{}{}", recipe.name, suffix(spoil)))?;
    let model = Model::start(steps, &ground.log.join("model"))?;
    let words = Words {
        model: model.url(),
        home: ground.home.clone(),
        project: ground.project.clone(),
        server: ground.program(),
        args: ["serve", "--stdio", "--allow-writes"].map(str::to_owned).into(),
    };
    for (place, text) in recipe.files {
        let path = ground.place(place);
        fs::create_dir_all(path.parent().context("a file has a folder")?)?;
        fs::write(path, words.fill(text, true))?;
    }
    let dress = |command: &mut Command| {
        ground.dress(command, node);
        command.envs(recipe.env.iter().map(|(key, text)| (key, words.fill(text, false))));
        if recipe.told == Told::Environment {
            let args = words.fill("{args}", false);
            command.env("SERVER", &words.server).env("SERVER_ARGS", args);
            command.env("MODEL_URL", format!("{}/v1", words.model));
            command.env("PROMPT", words.fill("{prompt}", false));
        }
    };
    if let Told::Install(client) = recipe.told {
        ground.install(client, server, node, is_committed)?;
    }
    let orders = Orders {
        server: server.to_owned(),
        folder: ground.log.join("mcp"),
        more: vec!["--test-fixtures".to_owned()],
        spoil,
    };
    tap::install(&ground.program(), &orders)?;
    if let Some(mut command) = recipe.preparation(folder, &words) {
        dress(&mut command);
        process::capture(&mut command, SHORT)?;
    }
    let mut command = recipe.command(folder, node, &words)?;
    dress(&mut command);
    let started = Instant::now();
    let ended = attend(&mut command, &ground, &model);
    os::end_marked(MARK, &ground.mark);
    ended?;
    Ok(Ran {
        traffic: traffic::read(&ground.log.join("mcp"))?,
        requests: model.heard().iter().map(|(api, body)| api.read(body)).collect(),
        seconds: started.elapsed().as_secs_f64(),
        said: ground.last_words(),
    })
}

fn suffix(spoil: Spoil) -> &'static str {
    match spoil {
        Spoil::Nothing => "",
        Spoil::Cut => "-cut",
        Spoil::Double => "-double",
    }
}

/// Wait until the client has ended or has had its time, and end what is left of its group.
fn attend(command: &mut Command, ground: &Ground, model: &Model) -> Result<()> {
    os::lead_group(command);
    command.stdin(Stdio::null());
    command.stdout(File::create(ground.log.join("stdout"))?);
    command.stderr(File::create(ground.log.join("stderr"))?);
    let shown = process::show(command);
    let mut child = command.spawn().with_context(|| format!("could not start {shown}"))?;
    let started = Instant::now();
    let mut is_over = None;
    loop {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        if model.is_over() {
            is_over.get_or_insert_with(Instant::now);
        }
        let is_late = is_over.is_some_and(|over| over.elapsed() > GRACE);
        if is_late || started.elapsed() > LIMIT {
            os::end_group(child.id());
            child.kill()?;
            child.wait()?;
            return Ok(());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

impl Ground {
    fn make(name: &str) -> Result<Ground> {
        let folder = paths::target().join("clients").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        let at = |name: &str| folder.join(name);
        let ground = Ground {
            home: at("home"),
            project: at("work/keep"),
            bin: at("bin"),
            scratch: at("tmp"),
            log: at("log"),
            mark: format!("{}-{name}", std::process::id()),
        };
        for folder in [&ground.home, &ground.bin, &ground.scratch, &ground.log.join("mcp")] {
            fs::create_dir_all(folder)?;
        }
        projects::copy(&paths::root().join("samples/unity"), &ground.project)?;
        ground.plant_defects()?;
        // Otherwise clients take the repository that this lies in for the project.
        let mut git = Command::new("git");
        git.args(["init", "--quiet"]).arg(&ground.project).env("HOME", &ground.home);
        ensure!(process::capture(&mut git, SHORT)?.status.success(), "git init failed");
        Ok(ground)
    }

    /// A material without its meta, and an instance of a prefab that is not there.
    fn plant_defects(&self) -> Result<()> {
        fs::remove_file(self.project.join("Assets/Materials/Stone.mat.meta"))?;
        let scene = self.project.join("Assets/Scenes/Cellar.unity");
        let text = fs::read_to_string(&scene)?;
        let mark = "m_SourcePrefab: {fileID: 100100000, guid: ";
        let at = text.find(mark).context("the scene has no prefab instance")? + mark.len();
        let spoiled = [&text[..at], "0123456789abcdef0123456789abcdef", &text[at + 32..]].concat();
        Ok(fs::write(scene, spoiled)?)
    }

    fn place(&self, place: &str) -> PathBuf {
        match place.strip_prefix("~/") {
            Some(below) => self.home.join(below),
            None => self.project.join(place),
        }
    }

    /// Where clients find the server.
    fn program(&self) -> PathBuf {
        self.bin.join(format!("scenewright{}", std::env::consts::EXE_SUFFIX))
    }

    /// Have the real program tell the client of itself, from the place that the tap then takes.
    fn install(&self, client: &str, server: &Path, node: &Path, is_committed: bool) -> Result<()> {
        let program = self.program();
        if fs::hard_link(server, &program).is_err() {
            fs::copy(server, &program)?;
        }
        let mut command = Command::new(&program);
        command.args(["install", client, "--allow-writes"]);
        // Then the tap is found in PATH.
        command.args(is_committed.then_some("--scope=project"));
        self.dress(&mut command, node);
        let done = process::capture(&mut command, SHORT)?;
        fs::write(self.log.join("install"), format!("{}{}", done.stdout, done.stderr))?;
        ensure!(done.status.success(), "`install {client}` failed: {}", done.tail());
        Ok(fs::remove_file(program)?)
    }

    /// An environment in which nothing is this machine's and nothing leads out of it.
    fn dress(&self, command: &mut Command, node: &Path) {
        let kept = KEPT.iter().filter_map(|key| Some((key, std::env::var_os(key)?)));
        let kept: Vec<_> = kept.collect();
        command.env_clear().envs(kept).current_dir(&self.project);
        let own = std::env::var_os("PATH").unwrap_or_default();
        let first = [Some(self.bin.as_path()), node.parent()];
        let path = first.into_iter().flatten().map(Path::to_owned);
        // A folder with a colon in its name was never on a PATH.
        let path = std::env::join_paths(path.chain(std::env::split_paths(&own))).unwrap_or(own);
        command.env("PATH", path).env(MARK, &self.mark);
        for (key, folder) in [
            ("HOME", ""),
            ("USERPROFILE", ""),
            ("XDG_CONFIG_HOME", ".config"),
            ("XDG_DATA_HOME", ".local/share"),
            ("XDG_STATE_HOME", ".local/state"),
            ("XDG_CACHE_HOME", ".cache"),
            ("APPDATA", "AppData/Roaming"),
            ("LOCALAPPDATA", "AppData/Local"),
        ] {
            command.env(key, self.home.join(folder));
        }
        for key in ["TMPDIR", "TMP", "TEMP"] {
            command.env(key, &self.scratch);
        }
        for key in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            command.env(key, NOWHERE);
        }
        for key in ["NO_PROXY", "no_proxy"] {
            command.env(key, "127.0.0.1,localhost");
        }
        for (key, value) in [
            ("TERM", "dumb"),
            ("NO_COLOR", "1"),
            ("CI", "1"),
            ("DO_NOT_TRACK", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("OTEL_SDK_DISABLED", "true"),
        ] {
            command.env(key, value);
        }
    }

    fn last_words(&self) -> String {
        let said = ["stdout", "stderr"].map(|name| {
            let bytes = fs::read(self.log.join(name)).unwrap_or_default();
            process::last_lines(&String::from_utf8_lossy(&bytes), 8)
        });
        said.join("\n")
    }
}
