//! The Unity program on this machine: found when a tool needs it, and run to its end without a window.
//!
//! Files say most of what tools are asked for. What only the editor can do goes through here, and where
//! there is no editor the answer is one error that says what is needed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use scenewright_text::temporary::Temporary;
use scenewright_toolkit::Project;
use scenewright_unity::EditorVersion;

use super::UnityProject;

/// The variable that names the program.
const VARIABLE: &str = "UNITY_PATH";
/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// So much of the end of a log is kept, where the errors are.
const MAX_LOG: usize = 1 << 20;

/// A Unity program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// Where it is.
    pub path: PathBuf,
}

/// What became of a run.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code; none when it was ended.
    pub code: Option<i32>,
    /// The end of its log.
    pub log: String,
    /// It took too long and was ended.
    pub timed_out: bool,
    /// How long it took.
    pub time: Duration,
}

impl Finished {
    /// How it ended, for an error message.
    pub fn how(&self) -> String {
        match (self.timed_out, self.code) {
            (true, _) => "took too long and was ended".to_owned(),
            (false, Some(code)) => format!("ended with code {code}"),
            (false, None) => "was ended by a signal".to_owned(),
        }
    }

    /// The lines of the log that tell of errors, or its last lines.
    pub fn errors(&self) -> String {
        let is_error = |line: &&str| {
            let line = line.trim_start();
            line.contains(": error ") || line.starts_with("Error") || line.contains("Exception:")
        };
        let lines = || self.log.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let told: Vec<&str> = lines().filter(is_error).take(10).collect();
        match told.is_empty() {
            false => told.join("\n"),
            true => {
                let all: Vec<&str> = lines().collect();
                all[all.len().saturating_sub(5)..].join("\n")
            }
        }
    }
}

/// What only a running editor can do, `what` says; `instead` is what can be done here.
pub fn not_connected(what: &str, instead: &str) -> ToolError {
    let text = format!("{what} needs Unity's editor, and no editor is connected");
    ToolError::new(ErrorKind::NotReady, text).hint(instead.to_owned()).detail("needs", "editor")
}

impl Editor {
    /// The program for a project: that of `UNITY_PATH`, or the one that Unity Hub installed in the
    /// project's version. `what` is said to need it where there is none.
    pub fn find(project: &Project, what: &str) -> Result<Editor, ToolError> {
        let Some(unity) = project.of::<UnityProject>() else {
            let text = format!("{what}: {} is no Unity project", project.id);
            return Err(ToolError::new(ErrorKind::EngineError, text));
        };
        let home = std::env::home_dir();
        let variable = |name: &str| std::env::var_os(name);
        Self::find_in(&unity.settings.version, what, &variable, &hub_folders(home, &variable))
    }

    fn find_in(
        version: &EditorVersion,
        what: &str,
        variable: &dyn Fn(&str) -> Option<OsString>,
        folders: &[PathBuf],
    ) -> Result<Editor, ToolError> {
        if let Some(named) = variable(VARIABLE).filter(|named| !named.is_empty()) {
            let named = PathBuf::from(named);
            let inner = inside(&named).into_iter().find(|path| path.is_file());
            return match named.is_file().then(|| named.clone()).or(inner) {
                Some(path) => Ok(Editor { path }),
                None => Err(missing(
                    what,
                    &format!("{VARIABLE} names {}, where no program is", named.display()),
                )),
            };
        }
        let installed = |folder: &Path, version: &str| {
            inside(&folder.join(version)).into_iter().find(|path| path.is_file())
        };
        let found = folders.iter().find_map(|folder| installed(folder, &version.text));
        if let Some(path) = found {
            return Ok(Editor { path });
        }
        let mut others: Vec<String> = folders.iter().flat_map(|folder| versions(folder)).collect();
        others.sort();
        others.dedup();
        let why = match others.is_empty() {
            true => format!("no Unity {version} was found on this machine"),
            // Another version would convert the project, which nobody asked for.
            false => format!("Unity {version} is not installed, but {}", others.join(", ")),
        };
        Err(missing(what, &why))
    }

    /// Run the editor on a project without a window, with more arguments, and read its log.
    pub fn run(
        &self,
        project: &Path,
        arguments: &[OsString],
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Finished, ToolError> {
        if project.join("Temp/UnityLockfile").exists() {
            let text = "the project is open in a Unity editor, and a second one cannot open it";
            return Err(ToolError::new(ErrorKind::NotReady, text)
                .hint("close the editor first; if it is closed, remove Temp/UnityLockfile"));
        }
        let folder = Scratch::new()?;
        let log = folder.path().join("editor.log");
        let mut command = Command::new(&self.path);
        command.arg("-batchmode").arg("-projectPath").arg(project).arg("-logFile").arg(&log);
        // Where there is no screen, Unity would not start without it.
        let has_screen =
            ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
        if cfg!(target_os = "linux") && !has_screen {
            command.arg("-nographics");
        }
        command.args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        let child = command.spawn().map_err(|error| {
            let text = format!("{} cannot be started: {error}", self.path.display());
            ToolError::new(ErrorKind::NotReady, text)
                .hint(format!("set {VARIABLE} to Unity's program itself"))
        })?;
        let (code, timed_out) = wait(child, started + timeout, cancel)?;
        Ok(Finished { code, log: tail(&log), timed_out, time: started.elapsed() })
    }
}

fn wait(
    mut child: Child,
    until: Instant,
    cancel: &Cancel,
) -> Result<(Option<i32>, bool), ToolError> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok((status.code(), false)),
            Ok(None) => {}
            Err(error) => {
                end(&mut child);
                return Err(ToolError::failed(format!("the editor cannot be watched: {error}")));
            }
        }
        if cancel.wait(LOOK) {
            end(&mut child);
            return Err(ToolError::cancelled());
        }
        if Instant::now() >= until {
            end(&mut child);
            return Ok((None, true));
        }
    }
}

fn end(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

fn missing(what: &str, why: &str) -> ToolError {
    ToolError::new(
        ErrorKind::NotReady,
        format!("{what} needs Unity's editor: no editor is connected, and {why}"),
    )
    .hint(format!("install that version with Unity Hub, or set {VARIABLE} to the program"))
    .detail("needs", "editor")
}

/// Where the program is inside of an installed version, on each system.
fn inside(version: &Path) -> [PathBuf; 4] {
    [
        version.join("Editor/Unity"),
        version.join("Editor/Unity.exe"),
        version.join("Unity.app/Contents/MacOS/Unity"),
        version.join("Contents/MacOS/Unity"),
    ]
}

/// The folders in which Unity Hub puts a folder for each version.
fn hub_folders(home: Option<PathBuf>, variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut folders = vec![
        PathBuf::from("/Applications/Unity/Hub/Editor"),
        PathBuf::from("/opt/unity/editors"),
        PathBuf::from("/opt/Unity/Hub/Editor"),
    ];
    folders.extend(home.iter().map(|home| home.join("Unity/Hub/Editor")));
    let programs = ["ProgramFiles", "ProgramW6432"].into_iter().filter_map(variable);
    folders.extend(programs.map(|folder| PathBuf::from(folder).join("Unity/Hub/Editor")));
    let roaming = variable("APPDATA").map(|folder| PathBuf::from(folder).join("UnityHub"));
    let own = home.iter().flat_map(|home| {
        [".config/UnityHub", "Library/Application Support/UnityHub"].map(|name| home.join(name))
    });
    // Who told the Hub to install elsewhere has that place here, as a JSON text.
    for settings in roaming.into_iter().chain(own) {
        let text = std::fs::read_to_string(settings.join("secondaryInstallPath.json"));
        let place = text.ok().and_then(|text| serde_json::from_str::<String>(&text).ok());
        folders.extend(place.filter(|place| !place.is_empty()).map(PathBuf::from));
    }
    folders
}

fn versions(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let installed = entries.filter(|entry| inside(&entry.path()).iter().any(|path| path.is_file()));
    installed.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

fn tail(log: &Path) -> String {
    let bytes = std::fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(MAX_LOG)..]).into_owned()
}

/// A folder of our own for what the editor writes beside the project; it goes with this value.
pub struct Scratch(Temporary);

impl Scratch {
    /// A new one.
    pub fn new() -> Result<Scratch, ToolError> {
        Temporary::new().map(Scratch).map_err(|error| {
            ToolError::failed(format!("there is no place for the editor's log: {error}"))
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;

    use super::*;

    fn version() -> EditorVersion {
        EditorVersion { text: "2022.3.20f1".into(), revision: None }
    }

    fn found(folder: &Folder, named: Option<&str>) -> String {
        let named = named.map(|name| folder.path(name).into_os_string());
        let variable = |name: &str| named.clone().filter(|_| name == VARIABLE);
        let folders = [folder.path("hub"), folder.path("other")];
        let told = match Editor::find_in(&version(), "A test", &variable, &folders) {
            Ok(editor) => editor.path.display().to_string(),
            Err(error) => error.to_string(),
        };
        folder.hide(&told).replace('\\', "/")
    }

    #[test]
    fn the_version_of_the_project_is_found_and_no_other() {
        let folder = Folder::empty();
        expect![[r#"
            A test needs Unity's editor: no editor is connected, and no Unity 2022.3.20f1 was found on this machine
            Try: install that version with Unity Hub, or set UNITY_PATH to the program"#]].assert_eq(&found(&folder, None));
        folder.write("hub/2021.3.1f1/Editor/Unity", "");
        expect![[r#"
            A test needs Unity's editor: no editor is connected, and Unity 2022.3.20f1 is not installed, but 2021.3.1f1
            Try: install that version with Unity Hub, or set UNITY_PATH to the program"#]].assert_eq(&found(&folder, None));
        folder.write("other/2022.3.20f1/Unity.app/Contents/MacOS/Unity", "");
        expect!["DIR/other/2022.3.20f1/Unity.app/Contents/MacOS/Unity"]
            .assert_eq(&found(&folder, None));
        // Who names a program means it, whatever its version is.
        expect!["DIR/hub/2021.3.1f1/Editor/Unity"]
            .assert_eq(&found(&folder, Some("hub/2021.3.1f1")));
        expect!["DIR/hub/2021.3.1f1/Editor/Unity"]
            .assert_eq(&found(&folder, Some("hub/2021.3.1f1/Editor/Unity")));
        expect![[r#"
            A test needs Unity's editor: no editor is connected, and UNITY_PATH names DIR/nowhere, where no program is
            Try: install that version with Unity Hub, or set UNITY_PATH to the program"#]].assert_eq(&found(&folder, Some("nowhere")));
    }

    #[cfg(unix)]
    fn fake(folder: &Folder, script: &str) -> Editor {
        use std::os::unix::fs::PermissionsExt;
        folder.write("Unity", format!("#!/bin/sh\n{script}\n"));
        let path = folder.path("Unity");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Editor { path }
    }

    #[cfg(unix)]
    #[test]
    fn a_run_is_told_with_its_log_or_ended() {
        let folder = Folder::empty();
        let run = |script: &str, timeout: u64| {
            let timeout = Duration::from_millis(timeout);
            fake(&folder, script).run(folder.root(), &["-quit".into()], timeout, &Cancel::default())
        };
        // The fifth argument is the log's file.
        let done =
            run("echo \"$@\" > \"$5\"; echo 'A.cs(1,2): error CS1: no' >> \"$5\"; exit 3", 10_000)
                .unwrap();
        assert_eq!((done.code, done.timed_out), (Some(3), false));
        assert_eq!(done.errors(), "A.cs(1,2): error CS1: no");
        let told = folder.hide(done.log.lines().next().unwrap());
        assert!(told.starts_with("-batchmode -projectPath"), "{told}");
        assert!(told.ends_with("-quit"), "{told}");
        let slow = run("sleep 20", 200).unwrap();
        assert!(slow.timed_out && slow.time < Duration::from_secs(10));
        folder.write("Temp/UnityLockfile", "");
        let open = run("exit 0", 1000).unwrap_err();
        assert_eq!(open.kind, ErrorKind::NotReady);
    }
}
