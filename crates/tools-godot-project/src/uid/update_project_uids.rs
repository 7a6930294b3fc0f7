//! The tool `godotUid.updateProjectUids`, which MCP clients call `update_project_uids`.

use std::collections::{BTreeMap, HashSet};

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::{
    Document, FileEntry, FileKind, Form, Uid, UseKind, Variant, absolute_path,
};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, refused, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More remarks are left out.
const MAX_PROBLEMS: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "godotUid.updateProjectUids",
    keywords: "missing uid resave repair fix files regenerate",
    mcp: Some("update_project_uids"),
    title: "Update Project UIDs",
    category: "godot.uid",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "See that the sample lacks none",
        input: r#"{ "projectPath": "godot", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "uidFilesCreated": 0,
            "headersCompleted": 0,
            "referencesCompleted": 0,
            "pathsCorrected": 0,
            "problems": [],
            "dryRun": true,
            "filesChanged": 0,
            "changes": []
        }"#,
        varies: &[
            "changes",
            "undo",
            "headersCompleted",
            "referencesCompleted",
            "uidFilesCreated",
            "filesChanged",
        ],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Complete the uids of a project: make missing .uid files of scripts and shaders (Godot 4.4), give
/// scenes and resources without a uid one, write uids beside paths that lack them, and correct paths
/// whose uid is somewhere else. Nothing else in the files changes.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    #[serde(flatten)]
    write: Write,
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Counts {
    /// `.uid` files that were made.
    uid_files_created: usize,
    /// Scenes and resources that got a uid.
    headers_completed: usize,
    /// References that got the uid of their file.
    references_completed: usize,
    /// References whose path was that of a file which moved.
    paths_corrected: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    #[serde(flatten)]
    counts: Counts,
    /// What was left as it is, and why; at most 100.
    problems: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut update = Update::new(&godot);
    for file in godot.index.files() {
        cx.check_cancelled()?;
        update.give_uid(file)?;
    }
    for file in godot.index.files() {
        cx.check_cancelled()?;
        update.complete(file)?;
    }
    let mut plan = Plan::new(godot.project);
    for (path, text) in &update.made {
        plan.write(path, None, text.clone().into_bytes());
    }
    for (path, before, after) in &update.changed {
        plan.write(path, Some(before), &**after);
    }
    let written = saved(&godot, plan, input.write)?;
    update.problems.truncate(MAX_PROBLEMS);
    Ok(Output { success: true, counts: update.counts, problems: update.problems, written })
}

struct Update<'a> {
    godot: &'a Godot<'a>,
    /// Uids that are given now, by path.
    given: BTreeMap<String, String>,
    taken: HashSet<String>,
    made: Vec<(ProjectPath, String)>,
    changed: Vec<(ProjectPath, Vec<u8>, Vec<u8>)>,
    counts: Counts,
    problems: Vec<String>,
}

impl<'a> Update<'a> {
    fn new(godot: &'a Godot<'a>) -> Self {
        let same = godot.index.problems().iter().filter(|problem| problem.message.contains("uid"));
        let problems = same.map(|problem| format!("{}: {}", problem.path, problem.message));
        Self {
            godot,
            given: BTreeMap::new(),
            taken: HashSet::new(),
            made: Vec::new(),
            changed: Vec::new(),
            counts: Counts::default(),
            problems: problems.collect(),
        }
    }

    /// Give a file without a uid one, where Godot would.
    fn give_uid(&mut self, file: &FileEntry) -> Result<(), ToolError> {
        let godot = self.godot;
        let is_code = matches!(file.kind, FileKind::Script | FileKind::CSharp | FileKind::Shader);
        let is_text = matches!(file.kind, FileKind::Scene | FileKind::Resource);
        let is_wanted = is_text || (is_code && godot.has_uid_files());
        if !is_wanted || godot.index.uid_of(&file.path).is_some() {
            return Ok(());
        }
        let path = godot.path(&file.path)?;
        let is_taken = |uid: &str| godot.index.by_uid(uid).is_some() || self.taken.contains(uid);
        let uid = Uid::for_path(path.as_str(), is_taken).to_string();
        if is_code {
            let beside = godot.path(&format!("{path}.uid"))?;
            // One that says nothing stays for a person to look at.
            if godot.exists(&beside) {
                self.problems.push(format!("{beside} is there and has no uid"));
                return Ok(());
            }
            self.made.push((beside, format!("{uid}\n")));
            self.counts.uid_files_created += 1;
        }
        self.taken.insert(uid.clone());
        self.given.insert(file.path.clone(), uid);
        Ok(())
    }

    /// Write uids into a scene or resource: its own, and those of what it uses.
    fn complete(&mut self, file: &FileEntry) -> Result<(), ToolError> {
        let is_text = matches!(file.kind, FileKind::Scene | FileKind::Resource);
        let uses = file.uses.iter().any(|used| used.kind == UseKind::ExtResource);
        if !is_text || !(uses || self.given.contains_key(&file.path)) {
            return Ok(());
        }
        let path = self.godot.path(&file.path)?;
        let before = self.godot.read(&path)?;
        let mut document = Document::parse(before.clone(), Form::Resource);
        if let Err(error) = document.check_writable() {
            self.problems.push(format!("{path}: {error}"));
            return Ok(());
        }
        // Godot 3 has no uids.
        if document.format().is_some_and(|format| format < 3) {
            return Ok(());
        }
        if let Some(uid) = self.given.get(&file.path).filter(|_| document.uid().is_none()) {
            let uid = Variant::String(uid.clone());
            document.set_attribute(0, "uid", &uid).map_err(refused)?;
            self.counts.headers_completed += 1;
        }
        self.complete_references(&path, &mut document)?;
        if document.as_bytes() != before {
            self.changed.push((path, before, document.to_bytes()));
        }
        Ok(())
    }

    fn complete_references(
        &mut self,
        path: &ProjectPath,
        document: &mut Document,
    ) -> Result<(), ToolError> {
        let base = format!("res://{path}");
        let found: Vec<(usize, String, Option<String>)> = document
            .ext_resources()
            .map(|found| {
                let uid = found.uid().map(|uid| uid.into_owned());
                (found.0.index(), absolute_path(&base, &found.path()), uid)
            })
            .collect();
        for (section, written, uid) in found {
            let known = uid.as_deref().and_then(|uid| self.godot.index.by_uid(uid));
            if let Some(target) = known {
                if target.res_path() != written {
                    let right = Variant::String(target.res_path());
                    document.set_attribute(section, "path", &right).map_err(refused)?;
                    self.counts.paths_corrected += 1;
                }
                continue;
            }
            let Some(target) = self.godot.index.by_path(&written) else {
                self.problems.push(format!("{path}: {written} is not there"));
                continue;
            };
            let right = self.given.get(&target.path).map(String::as_str);
            let Some(right) = right.or_else(|| self.godot.index.uid_of(&target.path)) else {
                continue;
            };
            let right = Variant::String(right.to_owned());
            document.set_attribute(section, "uid", &right).map_err(refused)?;
            self.counts.references_completed += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn what_is_missing_is_written_and_nothing_else() {
        let sample = GodotSample::new();
        sample.write("new.gd", "extends Node\n");
        sample.write("fx.gdshader", "shader_type fog;\n");
        sample.write(
            "new.tscn",
            "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"new.gd\" id=\"1\"]\n[ext_resource type=\"Texture2D\" uid=\"uid://b\" path=\"res://icon.svg\" id=\"2\"]\n[ext_resource type=\"Theme\" uid=\"uid://6m4sb6iad44t\" path=\"res://old/theme.tres\" id=\"3\"]\n[ext_resource type=\"Theme\" path=\"res://gone.tres\" id=\"4\"]\n\n[node name=\"N\" type=\"Node\"]\n",
        );
        let output = sample.call(super::TOOL.id, json!({})).unwrap();
        let diffs: Vec<&str> = output["changes"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|c| c["diff"].as_str())
            .collect();
        expect![[r#"
            --- /dev/null
            +++ b/fx.gdshader.uid
            @@ -0,0 +1 @@
            +uid://mp3esln53h5j
            --- /dev/null
            +++ b/new.gd.uid
            @@ -0,0 +1 @@
            +uid://b61hwqx4s1646
            --- a/new.tscn
            +++ b/new.tscn
            @@ -1,8 +1,8 @@
            -[gd_scene format=3]
            +[gd_scene format=3 uid="uid://c4kdgd8m1atwf"]
 
            -[ext_resource type="Script" path="new.gd" id="1"]
            -[ext_resource type="Texture2D" uid="uid://b" path="res://icon.svg" id="2"]
            -[ext_resource type="Theme" uid="uid://6m4sb6iad44t" path="res://old/theme.tres" id="3"]
            +[ext_resource type="Script" uid="uid://b61hwqx4s1646" path="new.gd" id="1"]
            +[ext_resource type="Texture2D" uid="uid://dr6nbosst7erv" path="res://icon.svg" id="2"]
            +[ext_resource type="Theme" uid="uid://6m4sb6iad44t" path="res://resources/theme.tres" id="3"]
             [ext_resource type="Theme" path="res://gone.tres" id="4"]
 
             [node name="N" type="Node"]
        "#]].assert_eq(&diffs.concat().replace("\n \n", "\n\n"));
        expect![[r#"["new.tscn: res://gone.tres is not there"]"#]]
            .assert_eq(&output["problems"].to_string());
        let again = sample.call(super::TOOL.id, json!({})).unwrap();
        assert_eq!(again["filesChanged"], 0);
    }

    #[test]
    fn before_godot_4_4_scripts_have_none() {
        let sample = GodotSample::new();
        let settings = sample.read("project.godot").replace("\"4.4\"", "\"4.3\"");
        sample.write("project.godot", &settings);
        sample.write("new.gd", "extends Node\n");
        let output = sample.call(super::TOOL.id, json!({})).unwrap();
        assert_eq!(output["uidFilesCreated"], 0);
    }
}
