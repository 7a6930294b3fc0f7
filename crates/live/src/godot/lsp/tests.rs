//! A language server of our own that answers as Godot's does.

use super::super::frames::fake;
use super::*;

fn server(project: &'static str) -> u16 {
    fake::serve(move |message| {
        let (id, params) = (&message["id"], &message["params"]);
        let uri = &params["textDocument"]["uri"];
        let answer = |result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
        let range = |line: usize, start: usize, end: usize| {
            json!({
                "start": { "line": line, "character": start },
                "end": { "line": line, "character": end },
            })
        };
        Some(match message["method"].as_str()? {
            "initialize" if project.is_empty() => vec![answer(json!({}))],
            "initialize" => vec![
                json!({ "method": "gdscript_client/changeWorkspace", "params": { "path": project } }),
                answer(json!({})),
                json!({ "method": "gdscript/capabilities", "params": {} }),
            ],
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str()?;
                if text.contains("silent") {
                    return Some(Vec::new());
                }
                let bad = json!({ "range": range(0, 1, 4), "severity": 1, "message": "no" });
                let found = if text.contains("bad") { vec![bad] } else { Vec::new() };
                let params = json!({ "uri": uri, "diagnostics": found });
                vec![json!({ "method": "textDocument/publishDiagnostics", "params": params })]
            }
            "textDocument/rename" => {
                let edit = json!({ "newText": params["newName"], "range": range(3, 1, 2) });
                let own = uri.as_str()?;
                vec![answer(json!({ "changes": { own: [edit, edit] } }))]
            }
            "textDocument/references" => {
                vec![answer(json!([{ "uri": uri, "range": range(2, 0, 1) }]))]
            }
            "textDocument/definition" => vec![json!({ "id": id, "error": { "message": "busy" } })],
            "textDocument/hover" => return None,
            _ => Vec::new(),
        })
    })
}

fn connect(project: &'static str) -> Result<Lsp, ToolError> {
    Lsp::connect(server(project), Duration::from_secs(10), &Cancel::default())
}

const AT: Position = Position { line: 0, character: 0 };

#[test]
fn the_server_has_to_say_whose_it_is() {
    assert_eq!(connect("/games/other").unwrap().root(), Path::new("/games/other"));
    let error = connect("").unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert!(error.message.ends_with("does not say which project it has open"), "{error:?}");
}

#[test]
fn every_script_is_told_and_one_that_is_not_answered_is_none() {
    let mut lsp = connect("/p").unwrap();
    let scripts = ["fine", "a bad é😀", "silent"];
    let scripts: Vec<_> = scripts
        .iter()
        .enumerate()
        .map(|(number, text)| (PathBuf::from(format!("/p/{number} é.gd")), (*text).to_owned()))
        .collect();
    let until = Instant::now() + Duration::from_millis(300);
    let mut done = 0;
    let found = lsp.diagnose(&scripts, until, &Cancel::default(), &mut |told| done = told).unwrap();
    let counts: Vec<Option<usize>> = found.iter().map(|one| one.as_ref().map(Vec::len)).collect();
    assert_eq!((counts, done), (vec![Some(0), Some(1), None], 3));
}

#[test]
fn answers_refusals_and_an_editor_that_is_gone() {
    let (path, cancel) = (Path::new("/p/a.gd"), Cancel::default());
    let mut lsp = connect("/p").unwrap();
    let renamed = lsp.rename(path, AT, "b", &cancel).unwrap();
    assert_eq!(renamed[path].len(), 1, "an edit that comes twice is one");
    assert_eq!(lsp.references(path, AT, &cancel).unwrap()[0].range.start.line, 2);
    let refused = lsp.definition(path, AT, &cancel).unwrap_err();
    assert_eq!(refused.message, "the language server refuses: busy");
    let gone = lsp.hover(path, AT, &cancel).unwrap_err();
    assert_eq!(gone.kind, ErrorKind::NotReady);
}
