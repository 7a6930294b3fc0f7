//! Every setting in one table: what it is without a word of the user's, and how it stands in a file.
//! `scenewright config` and the page about configuration are made from it.

/// An option of `serve`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name, on the command line and in a file.
    pub key: &'static str,
    /// What holds when nobody says anything.
    pub default: &'static str,
    /// A value as TOML has it; none for what only the command line takes.
    pub example: Option<&'static str>,
}

const fn setting(key: &'static str, default: &'static str, example: &'static str) -> Setting {
    Setting { key, default, example: Some(example) }
}

const fn typed(key: &'static str, default: &'static str) -> Setting {
    Setting { key, default, example: None }
}

/// The options of `serve`, in the order that they are declared in. The page leaves out what the help hides.
pub const SETTINGS: &[Setting] = &[
    setting("project", "the client's project, or the one here", r#"["game"]"#),
    typed("sample", "false"),
    setting("allow-projects", "the client's folders and the working folder", r#"["games"]"#),
    setting("stdio", "when a program starts it and nothing else is served", "true"),
    setting("http", "in a terminal 127.0.0.1:51477, otherwise off", r#""127.0.0.1:51477""#),
    setting("tcp", "off", r#""127.0.0.1:27183""#),
    setting("ws", "off", r#""127.0.0.1:27182""#),
    setting("allow-writes", "false", "true"),
    setting("allow-runs", "false", "true"),
    setting("read-only", "false", "true"),
    setting("require-confirm", "false", "true"),
    setting("refuse-while-open", "false", "true"),
    setting("toolsets", "a lean list", r#"["project", "scene"]"#),
    setting("tier", "the highest", r#""pro""#),
    typed("token", "none"),
    setting("token-file", "none", r#""token.txt""#),
    typed("config", "none"),
    setting("audit", "none", r#""audit.jsonl""#),
    setting("max-in-flight", "32", "8"),
    setting("rate", "100 calls in 5 s on WebSocket, elsewhere none", "50"),
    setting("answer-tokens", "2800", "8000"),
    setting("structured", "false", "true"),
    setting("require-live", "false", "true"),
    typed("scene", "the first of the build"),
    typed("explorer-home", "a folder of this program's own"),
    setting("attach", "none", r#""auto""#),
    typed("attach-token", "none"),
];

/// A variable of the environment that is read.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Whether its value is nobody else's business.
    pub secret: bool,
}

const fn variable(name: &'static str, about: &'static str) -> Variable {
    Variable { name, about, secret: false }
}

/// The variables that this program reads, those of the system left out.
pub const ENVIRONMENT: &[Variable] = &[
    variable(
        "READ_ONLY_MODE",
        "`true` refuses every change, whatever else is said; for every command",
    ),
    Variable { name: "SCENEWRIGHT_TOKEN", about: "the same as `--token` of `serve`", secret: true },
    Variable {
        name: "SCENEWRIGHT_ATTACH_TOKEN",
        about: "the same as `--attach-token` of `serve`",
        secret: true,
    },
    variable(
        "SCENEWRIGHT_LOG",
        "what is logged to stderr, such as `info,scenewright_wire=debug`; wins over `-v`",
    ),
    variable(
        "GODOT_PATH",
        "the Godot program that `--allow-runs` may start; otherwise the one that is found",
    ),
    variable(
        "UNITY_PATH",
        "the Unity editor that `--allow-runs` may start; otherwise the one of the project's version from the Unity Hub",
    ),
    variable(
        "UE_MCP_DISCOVERY",
        "the discovery file of a running Unity Explorer host, for `--attach auto`",
    ),
    variable("CODEX_HOME", "where Codex keeps its settings, for `install`"),
    variable("COPILOT_HOME", "where the Copilot CLI keeps its settings, for `install`"),
    variable("KIMI_CODE_HOME", "where Kimi Code keeps its settings, for `install`"),
    variable("VIBE_HOME", "where Mistral Vibe keeps its settings, for `install`"),
    variable("PAGER", "shows long answers on a terminal; `cat` or nothing shows them at once"),
    variable("LESS", "options of `less`; `FRX` when it is not set"),
    variable("NO_COLOR", "no colours"),
    variable("CLICOLOR", "`0`: no colours"),
    variable("CLICOLOR_FORCE", "`1`: colours also where no terminal is"),
];

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_option_of_serve_is_in_the_table() {
        let all = Cli::command();
        let serve = all.find_subcommand("serve").unwrap();
        let of_tests = |option: &&clap::Arg| option.get_long() != Some("test-fixtures");
        let options = serve.get_arguments().filter(of_tests);
        let names: Vec<&str> = options.filter_map(|option| option.get_long()).collect();
        let keys: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
        assert_eq!(keys, names);
    }

    #[test]
    fn what_the_table_says_of_the_file_is_so() {
        for setting in SETTINGS {
            let text = format!("{} = {}", setting.key, setting.example.unwrap_or("1"));
            let read = super::super::parse(&text);
            match setting.example {
                Some(_) => assert!(read.is_ok(), "{text}: {:#}", read.err().unwrap()),
                None => {
                    let error = format!("{:#}", read.expect_err("only the command line has it"));
                    assert!(error.contains("unknown field"), "{text}: {error}");
                }
            }
        }
    }

    /// What the system or other programs mean for everybody.
    const OF_THE_SYSTEM: [&str; 11] = [
        "PATH",
        "TERM",
        "HOME",
        "XDG_CONFIG_HOME",
        "APPDATA",
        "LOCALAPPDATA",
        "USERPROFILE",
        "ProgramFiles",
        "ProgramFiles(x86)",
        "DISPLAY",
        "WAYLAND_DISPLAY",
    ];

    #[test]
    fn every_variable_that_the_code_reads_is_in_the_table() {
        let mut read = Vec::new();
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir()
                    && !["tests", "fixture", "examples"].iter().any(|name| path.ends_with(name))
                {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs")
                    && !path.ends_with("tests.rs")
                {
                    let text = std::fs::read_to_string(path).unwrap();
                    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                    read.extend(variables_in(code).map(str::to_owned));
                }
            }
        }
        assert!(read.len() > 10, "{read:?}");
        let known = |name: &str| {
            // Marks between parts of this program, which people do not set.
            let is_mark = ["SCENEWRIGHT_CHILD_OF", "SCENEWRIGHT_COMPLETE"].contains(&name);
            let is_build = name.starts_with("CARGO_");
            is_mark
                || is_build
                || OF_THE_SYSTEM.contains(&name)
                || ENVIRONMENT.iter().any(|one| one.name == name)
        };
        read.retain(|name| !known(name));
        assert_eq!(read, Vec::<String>::new(), "they are missing in ENVIRONMENT");
    }

    /// The names in calls that read the environment, and in constants that look like such a name.
    fn variables_in(code: &str) -> impl Iterator<Item = &str> {
        let marks = [
            "env::var(\"",
            "env::var_os(\"",
            "variable(\"",
            "env = \"",
            "is_set(\"",
            ": &str = \"",
        ];
        let after = marks.into_iter().flat_map(|mark| {
            code.split(mark)
                .skip(1)
                .map(move |rest| (mark, rest.split('"').next().unwrap_or_default()))
        });
        let looks_so = |(mark, name): &(&str, &str)| {
            let is_constant = name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
            is_constant && name.len() > 3 && (name.contains('_') || !mark.starts_with(':'))
        };
        after.filter(looks_so).map(|(_, name)| name)
    }
}
