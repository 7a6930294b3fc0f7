//! The tool `asset.duplicate`: Duplicate Asset.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::{Guid, meta};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::{NewFiles, ending, stem};
use crate::base::moves::renamed;
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "asset.duplicate",
    keywords: "copy clone a file asset folder material prefab scene scriptableobject new guid another one like it second version backup",
    argument_aliases: &[("destination", "newPath"), ("to", "newPath")],
    title: "Duplicate Asset",
    notes: Some(
        "References inside of a copied folder lead to the originals, as in Unity. The name of a prefab's root stays in the file; Unity shows the file's.",
    ),
    category: "asset",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Copy a material of the Unity sample",
        input: r#"{ "path": "Assets/Materials/Stone.mat" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Materials/Stone.mat",
            "newPath": "Assets/Materials/Stone 1.mat",
            "guid": "",
            "copied": 1,
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Copy a file or folder of assets: with the same import settings, a guid of its own, and the new name
/// inside. Without `newPath` the copy stands beside it and is called as Unity would: `Stone 1.mat`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The file or folder, such as `Assets/Materials/Stone.mat`.
    path: String,
    /// Where the copy goes: a whole path, or a folder with `/` at its end.
    new_path: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The original.
    path: String,
    /// The copy.
    new_path: String,
    /// The guid of the copy; absent where Unity makes it when it sees the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    /// How many files were copied, without metas.
    copied: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let from = unity.present(&input.path)?;
    let to = target(&unity, &from, input.new_path.as_deref())?;
    unity.must_be_new(&to)?;
    let mut copies = Copies { unity: &unity, new: NewFiles::default(), count: 0 };
    copies.new.parents(&unity, &to)?;
    let guid = match unity.is_folder(&from) {
        true => copies.folder(&from, &to)?,
        false => copies.file(&from, &to)?,
    };
    let mut plan = Plan::new(unity.project);
    copies.new.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        // A file that nobody can read may be copied, too.
        let is_broken = |bytes: &[u8]| unity.project.engine.unread_part(path.as_str(), bytes);
        let was_broken =
            || door::read(cx, unity.project, &from).is_ok_and(|b| is_broken(&b).is_some());
        is_broken(bytes).filter(|_| path == &to && !was_broken()).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: from.to_string(),
        new_path: to.to_string(),
        guid: guid.map(|guid| guid.to_string()),
        copied: copies.count,
        written,
    })
}

fn target(
    unity: &Unity<'_>,
    from: &ProjectPath,
    text: Option<&str>,
) -> Result<ProjectPath, ToolError> {
    let Some(text) = text else { return free_name(unity, from) };
    let plain = text.trim();
    let folder = plain.trim_end_matches(['/', '\\']);
    let name = from.as_str().rsplit('/').next().unwrap_or_default();
    let to = match folder.len() < plain.len() {
        true => unity.asset_place(&format!("{folder}/{name}"))?,
        false => unity.asset_place(plain)?,
    };
    let (old, new) = (ending(from.as_str()), ending(to.as_str()));
    if !unity.is_folder(from) && !old.eq_ignore_ascii_case(new) {
        return Err(ToolError::failed(format!(
            "{to} would be of another kind: {from} ends in '.{old}'"
        ))
        .hint(
            "nothing was changed; keep the ending, or end newPath with / to copy into a folder",
        ));
    }
    if to.as_str().starts_with(&format!("{from}/")) {
        return Err(ToolError::failed(format!("{to} is inside of {from}"))
            .hint("nothing was changed; choose a place outside of it"));
    }
    Ok(to)
}

/// `Stone 1.mat` beside `Stone.mat`, and `Stone 2.mat` beside both.
fn free_name(unity: &Unity<'_>, from: &ProjectPath) -> Result<ProjectPath, ToolError> {
    let is_folder = unity.is_folder(from);
    let text = from.as_str();
    let name = text.rsplit('/').next().unwrap_or_default();
    let (stem, end) = match is_folder {
        true => (name, String::new()),
        false if ending(text).is_empty() => (name, String::new()),
        false => (stem(text), format!(".{}", ending(text))),
    };
    let folder = &text[..text.len() - name.len()];
    let numbered = stem.rsplit_once(' ').and_then(|(base, number)| {
        let is_plain = !base.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| Some((base, number.parse::<u32>().ok()?)))?
    });
    let (base, mut number) = numbered.unwrap_or((stem, 0));
    loop {
        number = number.saturating_add(1);
        let path = unity.asset_place(&format!("{folder}{base} {number}{end}"))?;
        if number == u32::MAX || unity.must_be_new(&path).is_ok() {
            return Ok(path);
        }
    }
}

/// Files that are copied.
struct Copies<'u> {
    unity: &'u Unity<'u>,
    new: NewFiles,
    count: usize,
}

impl Copies<'_> {
    fn file(&mut self, from: &ProjectPath, to: &ProjectPath) -> Result<Option<Guid>, ToolError> {
        let read = |path: &ProjectPath| door::read(self.unity.cx, self.unity.project, path);
        let content = read(from)?;
        let old_meta = read(&self.unity.meta_path(from)?).ok();
        let known = old_meta.as_deref().and_then(meta::main_object_id);
        let name = stem(to.as_str());
        let content = match stem(from.as_str()) == name {
            true => content,
            false => renamed(content.clone(), from.as_str(), name, known)?.unwrap_or(content),
        };
        self.count += 1;
        self.tell_clash(from);
        let guid = self.unity.fresh_guid()?;
        let Some(meta) = old_meta.and_then(|meta| meta::with_guid(&meta, guid)) else {
            return self.new.add(self.unity, to, content);
        };
        self.new.add_bare(to.clone(), content);
        self.new.add_bare(self.unity.meta_path(to)?, meta);
        Ok(Some(guid))
    }

    fn folder(&mut self, from: &ProjectPath, to: &ProjectPath) -> Result<Option<Guid>, ToolError> {
        let project = self.unity.project;
        let moved = |path: &ProjectPath| {
            ProjectPath::parse(project, &format!("{to}{}", &path.as_str()[from.as_str().len()..]))
        };
        let (files, folders) = self.unity.contents(from)?;
        let mut guid = None;
        for folder in folders {
            let own = self.new.folder(self.unity, moved(&folder)?)?;
            guid = guid.or(own);
        }
        for file in files.iter().filter(|file| !file.as_str().ends_with(".meta")) {
            self.file(file, &moved(file)?)?;
        }
        Ok(guid)
    }

    /// What may be there only once.
    fn tell_clash(&self, from: &ProjectPath) {
        let what = match ending(from.as_str()) {
            "cs" => "its classes",
            "asmdef" => "its assembly",
            _ => return,
        };
        self.unity.cx.diagnose(format!(
            "{from} was copied as it is: {what} must get another name, or nothing compiles."
        ));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    fn call(folder: &Folder, arguments: Value) -> Value {
        (*call_writing(folder, super::TOOL.id, arguments).unwrap().output).clone()
    }

    #[test]
    fn a_copy_has_its_own_guid_and_name() {
        let folder = Folder::copy_of(&sample("unity"));
        let output = call(&folder, json!({ "path": "Assets/Materials/Stone.mat" }));
        let copy = folder.read("Assets/Materials/Stone 1.mat");
        let old = folder.read("Assets/Materials/Stone.mat");
        assert_eq!(copy, old.replace("m_Name: Stone\n", "m_Name: Stone 1\n"));
        let old = folder.read("Assets/Materials/Stone.mat.meta");
        let guid = output["guid"].as_str().unwrap();
        let line = old.lines().find(|line| line.starts_with("guid: ")).unwrap();
        assert_ne!(line, format!("guid: {guid}"));
        let expected = old.replace(line, &format!("guid: {guid}"));
        assert_eq!(folder.read("Assets/Materials/Stone 1.mat.meta"), expected);
        let again = call(&folder, json!({ "path": "Assets/Materials/Stone 1.mat" }));
        assert_eq!(again["newPath"], "Assets/Materials/Stone 2.mat");
        let third = call(&folder, json!({ "path": "Assets/Materials/Stone.mat" }));
        assert_eq!(third["newPath"], "Assets/Materials/Stone 3.mat");
    }

    #[test]
    fn a_folder_is_copied_with_all_in_it() {
        let folder = Folder::copy_of(&sample("unity"));
        let output =
            call(&folder, json!({ "path": "Assets/Prefabs", "newPath": "Assets/More/Lamps" }));
        assert_eq!(output["copied"], 3);
        assert!(folder.path("Assets/More.meta").exists());
        let lantern = "Lantern.prefab";
        let [old, new] = ["Assets/Prefabs", "Assets/More/Lamps"]
            .map(|at| folder.read(&format!("{at}/{lantern}")));
        assert_eq!(old, new);
        let [old, new] = ["Assets/Prefabs", "Assets/More/Lamps"]
            .map(|at| folder.read(&format!("{at}/{lantern}.meta")));
        assert_ne!(old, new);
        assert_eq!(old.len(), new.len());
    }

    #[test]
    fn nothing_is_written_over() {
        let folder = Folder::copy_of(&sample("unity"));
        let refused = |to: &str| {
            let arguments = json!({ "path": "Assets/Materials/Stone.mat", "newPath": to });
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err().message
        };
        expect!["Assets/Materials/Flame.mat exists already"]
            .assert_eq(&refused("Assets/Materials/Flame.mat"));
        expect![
            "Assets/Stone.asset would be of another kind: Assets/Materials/Stone.mat ends in '.mat'"
        ]
        .assert_eq(&refused("Assets/Stone.asset"));
    }
}
