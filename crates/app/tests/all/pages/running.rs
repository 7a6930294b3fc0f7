//! Every line of the pages that a reader may type is typed here, by a shell that is as strict about
//! patterns as zsh is.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;

use scenewright_fixture::{Folder, copy, sample};
use serde_json::Value;

use super::blocks::{Block, blocks, prose};
use super::{Page, pages};

/// Commands that build this program: the test is a part of that.
const BUILDS: &str = "cargo ";

/// Pages that are tried at the same time.
const AT_ONCE: usize = 4;

/// A line to type, and what the page says that it prints.
pub(crate) struct Typed {
    pub(crate) command: String,
    pub(crate) prints: Vec<String>,
}

pub(crate) fn typed(block: &str) -> Vec<Typed> {
    let mut all: Vec<Typed> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Typed { command: command.to_owned(), prints: Vec::new() });
            continue;
        }
        let last = all.last_mut().expect("a block begins with a command");
        let is_open = last.command.ends_with('\\') || last.command.matches('\'').count() % 2 == 1;
        match is_open {
            true => last.command = format!("{}\n{line}", last.command),
            false => last.prints.push(line.to_owned()),
        }
    }
    all
}

/// Where a reader is: in `games`, a folder of a Unity project `keep` and a Godot project `run` under
/// version control, with this program on the PATH.
pub(crate) struct Desk {
    folder: Folder,
    /// The port that stands for the one in the pages, which may be taken.
    port: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = Folder::empty();
        copy(&sample("unity"), &folder.path("games/keep"));
        copy(&sample("godot"), &folder.path("games/run"));
        std::fs::create_dir(folder.path("bin")).unwrap();
        let program = env!("CARGO_BIN_EXE_scenewright");
        std::os::unix::fs::symlink(program, folder.path("bin/scenewright")).unwrap();
        let depth = r#"{"type": "integer", "default": 99, "maximum": 10, "minimum": 0, "required": false, "description": "How deep to go."}"#;
        folder.write("games/my-tools.json", definition(depth));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let desk = Self { folder, port: port.to_string() };
        let git = "git init -q -b main && git config user.name a && git config user.email a@b && git add . && git commit -q -m first";
        assert!(desk.shell("", git).output().unwrap().status.success());
        desk
    }

    /// A shell that takes a pattern without a match for a mistake. What goes to stderr is read, too.
    pub(crate) fn shell(&self, place: &str, command: &str) -> Command {
        let command = command
            .replace("127.0.0.1:51477", &format!("127.0.0.1:{}", self.port))
            .replace("--http ", &format!("--http 127.0.0.1:{} ", self.port));
        let mut shell = Command::new("bash");
        shell
            .args(["-O", "failglob", "-c", &command])
            .current_dir(self.folder.path("games").join(place));
        for name in [
            "HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "TMPDIR",
        ] {
            shell.env(name, self.folder.root());
        }
        let path = std::env::var("PATH").unwrap();
        shell.env("PATH", format!("{}:{path}", self.folder.path("bin").display()));
        for name in [
            "SCENEWRIGHT_TOKEN",
            "READ_ONLY_MODE",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "CODEX_HOME",
        ] {
            shell.env_remove(name);
        }
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }

    /// What a reader sees in a terminal, in the order of writing; secrets of this machine are gone.
    pub(crate) fn see(&self, place: &str, command: &str) -> (String, Option<i32>) {
        let output = self.shell(place, &format!("{{ {command}\n}} 2>&1")).output().unwrap();
        let root = self.folder.root().to_str().unwrap();
        let seen = text(&output.stdout)
            .replace(env!("CARGO_BIN_EXE_scenewright"), "/usr/local/bin/scenewright");
        (seen.replace(root, "/home/me").replace(&self.port, "51477"), output.status.code())
    }

    /// Type a line; one that goes on in the background is given back when it is ready.
    fn run(&self, block: &Block, line: &Typed) -> Result<Option<Server>, String> {
        let (Typed { command, prints }, place) = (line, &block.place);
        if let Some(command) = command.strip_suffix('&') {
            let mut server = Server(self.shell(place, &format!("exec {command}")).spawn().unwrap());
            let lines = BufReader::new(server.0.stderr.take().unwrap()).lines();
            let mut said = String::new();
            for line in lines.map_while(Result::ok) {
                if line.contains("Ctrl-C ends") {
                    return Ok(Some(server));
                }
                said.push_str(&line);
                said.push('\n');
            }
            return Err(format!("$ {command}&\n{said}"));
        }
        if prints.is_empty() && block.exit.is_none() {
            let output = self.shell(place, command).output().unwrap();
            return success(command, &output).map(|()| None);
        }
        let (seen, code) = self.see(place, command);
        let lines: Vec<&str> = seen.lines().map(str::trim_end).collect();
        let shown: Vec<&str> = prints.iter().map(|line| line.trim_end()).collect();
        let is_expected = code == Some(0) || code == block.exit;
        match is_expected && (shown.is_empty() || are_like(&lines, &shown)) {
            true => Ok(None),
            false => Err(format!("$ {command}\n{seen}exit code {code:?}")),
        }
    }

    /// Run what a block says; how many commands that were.
    fn block(&self, block: &Block) -> Result<usize, String> {
        for setup in &block.setup {
            success(setup, &self.shell(&block.place, setup).output().unwrap())?;
        }
        let (mut running, mut count) = (Vec::new(), 0);
        for line in typed(&block.text).iter().filter(|line| !line.command.starts_with(BUILDS)) {
            running.extend(self.run(block, line)?);
            count += 1;
        }
        Ok(count)
    }

    /// Give the arguments of a block to the tool that takes them, and let it show what it would do.
    fn call(&self, block: &Block, tool: &str) -> Result<(), String> {
        self.folder.write("arguments.json", &block.text);
        let file = self.folder.path("arguments.json");
        let command = format!("scenewright call {tool} --json @{} --dry-run", file.display());
        success(&command, &self.shell(&block.place, &command).output().unwrap())
    }

    /// Have a file of settings read.
    fn settings(&self, block: &Block) -> Result<(), String> {
        self.folder.write("games/settings.toml", &block.text);
        let command = "scenewright config --config settings.toml";
        success(command, &self.shell("", command).output().unwrap())
    }

    /// Start what a client is told to start, and say hello to it.
    fn start(&self, place: &str, command: &str) -> Result<(), String> {
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let output = self.shell(place, &format!("echo '{hello}' | {command}")).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        match answer["result"]["serverInfo"]["name"] == "scenewright" {
            true => Ok(()),
            false => Err(format!("{command}\n{}{}", text(&output.stdout), text(&output.stderr))),
        }
    }
}

/// A definition of a tool with this input.
fn definition(depth: &str) -> String {
    format!(
        r#"{{"id": "scene.look", "name": "Look", "description": "Look at a scene.", "category": "scene",
        "safetyLevel": "read-only", "tier": "core", "inputs": {{"depth": {depth}}},
        "outputs": {{"names": {{"type": "string", "description": "What is there."}}}}}}"#
    )
}

fn success(command: &str, output: &Output) -> Result<(), String> {
    let (said, failed) = (text(&output.stdout), text(&output.stderr));
    let answer: Option<Value> =
        command.starts_with("curl").then(|| serde_json::from_str(&said).unwrap_or_default());
    let is_good = answer.is_none_or(|answer| answer.is_object() && answer.get("error").is_none());
    match output.status.success() && is_good {
        true => Ok(()),
        false => Err(format!("$ {command}\n{said}{failed}")),
    }
}

/// Whether lines are as shown; a line `…` stands for any number of lines.
fn are_like(lines: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|at| are_like(&lines[at..], rest)),
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| is_like(line, first) && are_like(others, rest)),
    }
}

/// Whether a line is as shown; `…` stands for anything.
fn is_like(line: &str, shown: &str) -> bool {
    match shown.split_once('…') {
        None => line == shown,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            line.char_indices()
                .map(|(at, _)| at)
                .chain([line.len()])
                .any(|at| is_like(&line[at..], rest))
        }),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A server in the background; it ends with the block that started it.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What came of a page.
#[derive(Default)]
struct Tally {
    run: usize,
    not_run: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, mut other: Tally) {
        self.run += other.run;
        self.not_run.append(&mut other.not_run);
        self.wrong.append(&mut other.wrong);
    }
}

/// Try everything that a page has; a page without such things costs nothing.
fn try_page(page: &Page, tally: &mut Tally) {
    let all = blocks(&page.text);
    if !all.iter().any(|block| block.is_typed() || ["json", "toml"].contains(&&*block.language)) {
        return;
    }
    let desk = Desk::new();
    for block in all {
        let at = format!("{}:{}", page.name, block.line);
        if let Some(why) = &block.not_run {
            let lines = block.text.lines().count();
            tally.not_run.push(format!("{at}: {lines} lines are not run: {why}"));
            continue;
        }
        let done = match (&*block.language, &block.call) {
            ("console", _) => desk.block(&block),
            _ if block.is_typed() => Err("only `console` is run; say why this is not".to_owned()),
            (_, Some(tool)) => desk.call(&block, tool).map(|()| 1),
            ("json", None) => server_of(&block.text)
                .and_then(|server| {
                    server.map_or(Ok(()), |command| desk.start(&block.place, &command))
                })
                .map(|()| 1),
            ("toml", None) => desk.settings(&block).map(|()| 1),
            _ => Ok(0),
        };
        match done {
            Ok(count) => tally.run += count,
            Err(why) => tally.wrong.push(format!("{at}: {why}")),
        }
    }
    // What Claude Code is to start stands behind the dashes.
    let text = prose(&page.text).replace('\n', " ");
    for rest in text.split("`claude mcp add scenewright -- ").skip(1) {
        match desk.start("keep", rest.split('`').next().unwrap_or_default()) {
            Ok(()) => tally.run += 1,
            Err(why) => tally.wrong.push(format!("{}: {why}", page.name)),
        }
    }
}

/// The command that settings of a client start, if they are that.
fn server_of(json: &str) -> Result<Option<String>, String> {
    let settings: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let keys = ["mcpServers", "servers", "context_servers"];
    let Some(server) = keys.iter().find_map(|key| settings.get(key)?.get("scenewright")) else {
        return Ok(None);
    };
    let words = server["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let command = server["command"].as_str().ok_or("it has no command")?;
    Ok(Some(std::iter::once(command).chain(words).collect::<Vec<_>>().join(" ")))
}

#[test]
fn every_line_to_type_works() {
    let is_read = |page: &Page| page.name == "README.md" || page.name.starts_with("docs/");
    let todo = Mutex::new(pages().into_iter().filter(is_read).collect::<Vec<_>>());
    let done = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(page) = { todo.lock().unwrap().pop() } {
                    let mut tally = Tally::default();
                    try_page(&page, &mut tally);
                    done.lock().unwrap().add(tally);
                }
            });
        }
    });
    let mut tally = done.into_inner().unwrap();
    tally.not_run.sort();
    for one in &tally.not_run {
        eprintln!("{one}");
    }
    eprintln!("{} commands and settings were tried, {} blocks not", tally.run, tally.not_run.len());
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.run >= 60, "{}", tally.run);
    assert!(tally.not_run.len() <= 12, "{:#?}", tally.not_run);
}

#[test]
fn what_does_not_work_is_said() {
    let wrong = |text: &str| {
        let mut tally = Tally::default();
        try_page(&Page { name: "a.md".to_owned(), text: text.to_owned() }, &mut tally);
        assert!(tally.wrong.len() == 1, "{text}: {:?}", tally.wrong);
    };
    wrong("```console\n$ scenewright chek\n```\n");
    wrong("<!-- in: keep -->\n```console\n$ scenewright check\nsomething else\n```\n");
    wrong("```console\n$ scenewright call nothing_like_it --help\n…\n```\n");
    wrong("```sh\nscenewright check\n```\n");
    wrong("```toml\nalow-writes = true\n```\n");
    wrong(
        "```json\n{ \"mcpServers\": { \"scenewright\": { \"command\": \"scenewright\", \"args\": [\"serv\"] } } }\n```\n",
    );
    wrong(
        "<!-- in: keep -->\n<!-- call: unity_edit -->\n```json\n{ \"path\": \"nowhere.unity\", \"changes\": [] }\n```\n",
    );
    assert!(are_like(&["a", "b", "c 12 d"], &["…", "c … d"]));
    assert!(!are_like(&["a", "b"], &["a"]) && !is_like("c 12", "c … d"));
}
