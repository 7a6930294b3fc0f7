//! The tool `project.readFile`: Read Project File.

use std::io::{ErrorKind as ErrorKindOfDisk, Read};
use std::path::Path;

use scenewright_contract::{ErrorKind, Tier, ToolError};
use scenewright_text::beneath;
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, paths, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.readFile",
    keywords: "show open cat source code view content print text file csharp json contents yaml shader see",
    title: "Read Project File",
    category: "project",
    tier: Tier::Tier2,
    examples: &[Example {
        description: "Read a uid file of the Godot sample",
        input: r#"{ "project": "godot", "path": "res://scripts/coin.gd.uid" }"#,
        output: r#"{
            "success": true,
            "path": "scripts/coin.gd.uid",
            "encoding": "utf-8",
            "content": "uid://lgq4s0tugd20\n",
            "bytes": 19
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the text of one file of the project. Files over `maxBytes` and binary files are refused.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// File, such as `Assets/Scripts/Player.cs` or `res://player.gd`.
    path: String,
    /// Refuse larger files.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 4_194_304))]
    max_bytes: u64,
}

fn most() -> u64 {
    65_536
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// `utf-8`, or `utf-8-bom` when the file begins with a byte order mark, which is left out.
    encoding: String,
    /// The text.
    content: String,
    /// The size of the file.
    bytes: u64,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let file =
        paths::find(cx, project, &input.path, "Path must be under Assets/", "File not found")?;
    let failed = |problem: String| {
        ToolError::new(ErrorKind::EngineError, format!("{problem}: {}", file.name))
            .detail("path", file.name.as_str())
    };
    let staged = ProjectPath::parse(project, &file.name).ok();
    let staged = staged.and_then(|path| door::staged(cx, project, &path));
    let read =
        staged.map_or_else(|| read_start(project, &file.path, input.max_bytes), |b| Ok(Some(b)));
    let Some(bytes) = read.map_err(|error| failed(format!("File cannot be read ({error})")))?
    else {
        return Err(failed("Not a file".to_owned()).hint("project_listFiles lists folders"));
    };
    if bytes.len() as u64 > input.max_bytes {
        return Err(failed("File exceeds maxBytes limit".to_owned())
            .hint("raise maxBytes, or find the part you need with project_searchText"));
    }
    let size = bytes.len() as u64;
    let text = String::from_utf8(bytes).map_err(|_| failed("File is binary".to_owned()))?;
    let (encoding, content) = match text.strip_prefix('\u{feff}') {
        Some(rest) => ("utf-8-bom", rest.to_owned()),
        None => ("utf-8", text),
    };
    Ok(Output {
        success: true,
        path: file.name.clone(),
        encoding: encoding.to_owned(),
        content,
        bytes: size,
    })
}
/// The bytes of a file and one more than are wanted, if it has more; nothing of what is no file.
fn read_start(project: &Project, path: &Path, most: u64) -> std::io::Result<Option<Vec<u8>>> {
    let open = match beneath::open(&project.root, path) {
        Err(error) if error.kind() == ErrorKindOfDisk::InvalidInput => return Ok(None),
        open => open?,
    };
    let mut bytes = Vec::new();
    open.take(most + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
