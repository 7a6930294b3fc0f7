//! The pictures of the README and the book: terminal sessions, made from what the program prints.

use std::fmt::Write;

use super::repository;
use super::running::Desk;

/// A session: its file, its title, where it happens, and what is typed.
struct Session {
    file: &'static str,
    title: &'static str,
    place: &'static str,
    /// What happens before, unseen.
    setup: &'static str,
    /// What is shown as typed, and what is typed where that is not the same.
    lines: &'static [&'static str],
}

const SESSIONS: [Session; 4] = [
    Session {
        file: "session.svg",
        title: "A Unity project, and no Unity",
        place: "keep",
        setup: "true",
        lines: &[
            "scenewright tree Assets/Scenes/Main.unity --depth 1",
            "scenewright call component_setProperty --dry-run \\\n    hierarchyPath=Player componentType=Rigidbody propertyPath=mass value=2",
        ],
    },
    Session {
        file: "check.svg",
        title: "What is wrong with a project",
        place: "keep",
        setup: "rm Assets/Scripts/LanternFlicker.cs Assets/Scripts/LanternFlicker.cs.meta ../run/scenes/coin.tscn",
        lines: &["scenewright check", "cd ../run", "scenewright check"],
    },
    Session {
        file: "install.svg",
        title: "Connect a client",
        place: "keep",
        setup: "mkdir -p ~/.cursor && printf '{\\n  \"mcpServers\": {\\n    \"notes\": { \"command\": \"notes\" }\\n  }\\n}\\n' > ~/.cursor/mcp.json",
        lines: &["scenewright install cursor"],
    },
    Session {
        file: "diff.svg",
        title: "What changed in a scene",
        place: "keep",
        setup: r#"scenewright call unity_edit --allow-writes --json '{ "path": "Assets/Scenes/Main.unity", "changes": [ { "op": "set", "object": "Player", "component": "Rigidbody", "field": "mass", "value": 2 }, { "op": "rename", "object": "Player/Hand", "name": "Right Hand" }, { "op": "set", "object": "Lanterns/Gate Lantern/Flame", "component": "Light", "field": "intensity", "value": 3 }, { "op": "addComponent", "object": "Ground", "component": "AudioSource" } ] }' > ../changed.json"#,
        lines: &["scenewright diff"],
    },
];

/// One row of a terminal.
struct Row(Vec<(Look, String)>);

/// How text looks, as a class of the picture.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Look(&'static str);

const PLAIN: Look = Look("t");
const PROMPT: Look = Look("p");
const TYPED: Look = Look("k");

/// Text with the colours that the program uses, as rows of pieces.
fn rows(text: &str) -> Vec<Row> {
    text.lines().map(row).collect()
}

fn row(line: &str) -> Row {
    let mut pieces = Vec::new();
    let mut look = PLAIN;
    for (at, part) in line.split("\x1b[").enumerate() {
        let part = match at {
            0 => part,
            _ => {
                let (code, rest) = part.split_once('m').expect("only colours are printed");
                look = Look(match code {
                    "0" => "t",
                    "1" => "b",
                    "2" => "d",
                    "31" => "r",
                    "32" => "g",
                    "33" => "y",
                    "36" => "c",
                    other => panic!("no picture has the colour {other}"),
                });
                rest
            }
        };
        if !part.is_empty() {
            pieces.push((look, part.to_owned()));
        }
    }
    Row(pieces)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const STYLE: &str = "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}\
.t{fill:#d6deeb}.k{fill:#fff}.p{fill:#7fdbca}.b{fill:#fff;font-weight:bold}.d{fill:#7a8ba6}.r{fill:#ff6b74}\
.g{fill:#7ee787}.y{fill:#ffd580}.c{fill:#79c0ff}.h{fill:#7a8ba6}";
const LINE: usize = 18;
const CHAR: f32 = 7.83;
/// Longer lines go on in the next row, as in a terminal of this width.
const COLUMNS: usize = 112;

/// A row as so many rows as a terminal of this width needs for it.
fn wrap(Row(pieces): &Row) -> Vec<Row> {
    let mut rows = vec![Row(Vec::new())];
    let mut left = COLUMNS;
    for (look, text) in pieces {
        let mut text: &str = text;
        while !text.is_empty() {
            if left == 0 {
                rows.push(Row(Vec::new()));
                left = COLUMNS;
            }
            let end = text.char_indices().nth(left).map_or(text.len(), |(at, _)| at);
            let (head, tail) = text.split_at(end);
            left -= head.chars().count();
            rows.last_mut().expect("there is one").0.push((*look, head.to_owned()));
            text = tail;
        }
    }
    rows
}

fn svg(title: &str, rows: &[Row]) -> String {
    let rows: Vec<Row> = rows.iter().flat_map(wrap).collect();
    let height = rows.len() * LINE + 58;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "pixels"
    )]
    let width = (COLUMNS as f32 * CHAR) as usize + 32;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#011627\"/>\n",
        escape(title)
    );
    for (at, colour) in ["#ff5f56", "#ffbd2e", "#27c93f"].iter().enumerate() {
        let _ =
            writeln!(out, "<circle cx=\"{}\" cy=\"18\" r=\"5\" fill=\"{colour}\"/>", 20 + at * 18);
    }
    let _ = writeln!(out, "<text x=\"84\" y=\"22\" class=\"h\">{}</text>", escape(title));
    for (at, Row(pieces)) in rows.iter().enumerate() {
        let _ = write!(out, "<text x=\"16\" y=\"{}\" xml:space=\"preserve\">", 54 + at * LINE);
        for (look, text) in pieces {
            let _ = write!(out, "<tspan class=\"{}\">{}</tspan>", look.0, escape(text));
        }
        out.push_str("</text>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// The picture of a session, by doing what it shows.
fn draw(session: &Session) -> String {
    let desk = Desk::new();
    let (seen, done) = desk.see(session.place, session.setup);
    assert!(done == Some(0), "{seen}");
    let mut all = Vec::new();
    let mut place = session.place.to_owned();
    for line in session.lines {
        for (at, part) in line.lines().enumerate() {
            let prompt = if at == 0 { "$ " } else { "" };
            all.push(Row(vec![(PROMPT, prompt.to_owned()), (TYPED, part.to_owned())]));
        }
        if let Some(folder) = line.strip_prefix("cd ") {
            place = format!("{place}/{folder}");
            continue;
        }
        // What a terminal would have of itself.
        let format = if line.contains(" call ") { " --format text" } else { "" };
        let (seen, _) = desk.see(&place, &format!("export CLICOLOR_FORCE=1; {line}{format}"));
        assert!(!seen.is_empty(), "{line}");
        all.extend(rows(seen.trim_end()));
        all.push(Row(Vec::new()));
    }
    all.pop();
    svg(session.title, &all)
}

#[test]
fn pictures_are_fresh() {
    for session in &SESSIONS {
        let path = repository().join("docs/pictures").join(session.file);
        let drawn = draw(session);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(kept == drawn, "{} is stale; run `cargo xtask pictures`", session.file);
    }
}

#[test]
fn colours_become_classes_and_text_stays_text() {
    let drawn = svg("a & b", &rows("x \x1b[31m<r>\x1b[0m y\n"));
    assert!(
        drawn.contains("<tspan class=\"t\">x </tspan><tspan class=\"r\">&lt;r&gt;</tspan>"),
        "{drawn}"
    );
    assert!(drawn.contains("<title>a &amp; b</title>"));
    let long = svg("", &rows(&"x".repeat(500)));
    let (whole, rest) =
        (format!(">{}<", "x".repeat(COLUMNS)), format!(">{}<", "x".repeat(500 % COLUMNS)));
    assert!(long.matches(&whole).count() == 500 / COLUMNS && long.contains(&rest), "{long}");
}
