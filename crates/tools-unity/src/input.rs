//! Input actions of Unity's Input System: maps, actions, bindings and control schemes.

mod add_action;
mod add_action_map;
mod add_binding;
mod add_control_scheme;
mod read;
mod remove;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Group, Project};
use scenewright_unity::edit::scene::Refusal;
use scenewright_unity::input::{self, Ids, InputActions, NewBinding};

use crate::base::editing;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "input",
    engine: Some("unity"),
    about: "Input actions of Unity projects: maps, actions, bindings, control schemes",
    tools: &[
        read::TOOL,
        add_action_map::TOOL,
        add_action::TOOL,
        add_binding::TOOL,
        add_control_scheme::TOOL,
        remove::TOOL,
    ],
};

const ENDING: &str = ".inputactions";

/// A file for the examples.
const EXAMPLE: Earlier = Earlier {
    tool: "project.writeFile",
    input: r#"{ "project": "unity", "path": "Assets/Controls.inputactions", "content": "{\n    \"name\": \"Controls\",\n    \"maps\": [\n        {\n            \"name\": \"Player\",\n            \"id\": \"0e22eb1c-8c6e-4cec-8364-2a9f0e3ef769\",\n            \"actions\": [\n                {\n                    \"name\": \"Move\",\n                    \"type\": \"Value\",\n                    \"id\": \"d35725fa-073a-4e1c-9052-2c45b8ef0b4c\",\n                    \"expectedControlType\": \"Vector2\",\n                    \"processors\": \"\",\n                    \"interactions\": \"\",\n                    \"initialStateCheck\": true\n                }\n            ],\n            \"bindings\": [\n                {\n                    \"name\": \"\",\n                    \"id\": \"3e67c7ae-ca6c-4345-8f61-8df16fb87fec\",\n                    \"path\": \"<Gamepad>/leftStick\",\n                    \"interactions\": \"\",\n                    \"processors\": \"\",\n                    \"groups\": \"Gamepad\",\n                    \"action\": \"Move\",\n                    \"isComposite\": false,\n                    \"isPartOfComposite\": false\n                }\n            ]\n        }\n    ],\n    \"controlSchemes\": [\n        {\n            \"name\": \"Gamepad\",\n            \"bindingGroup\": \"Gamepad\",\n            \"devices\": []\n        }\n    ]\n}" }"#,
};

/// A file as it is.
fn open(cx: &Cx, project: &Project, path: &str) -> Result<(ProjectPath, InputActions), ToolError> {
    let path = ProjectPath::parse(project, path)?;
    if !path.as_str().ends_with(ENDING) {
        let text = format!("{path} is no file of input actions");
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint("nothing was changed; project_listFiles shows those that end in .inputactions"));
    }
    let actions = InputActions::read(door::read(cx, project, &path)?);
    let actions = actions.map_err(|refusal| in_file(&path, refusal))?;
    Ok((path, actions))
}

/// Changes a file and writes it; its path, what came of it, and what was written.
fn change<T>(
    cx: &Cx,
    (project, path): (Option<&str>, &str),
    dry_run: bool,
    make: impl FnOnce(&mut InputActions, Ids<'_>) -> Result<T, Refusal>,
) -> Result<(String, T, Written), ToolError> {
    let project = crate::base::changing(cx, project)?;
    let (path, mut actions) = open(cx, project, path)?;
    let before = actions.bytes().to_vec();
    let made =
        make(&mut actions, &mut || fresh_id(cx)).map_err(|refusal| in_file(&path, refusal))?;
    let mut plan = Plan::new(project);
    plan.write(&path, Some(&before), actions.bytes());
    let written = plan.commit(cx, dry_run, |_, bytes| {
        InputActions::read(bytes.to_vec()).map(drop).map_err(|refusal| refusal.message)
    })?;
    Ok((path.to_string(), made, written))
}

fn in_file(path: &ProjectPath, refusal: Refusal) -> ToolError {
    let mut error = editing::refused(refusal);
    error.message = format!("{path}: {}", error.message);
    error.detail("path", path.as_str())
}

fn fresh_id(cx: &Cx) -> Result<String, Refusal> {
    let mut bytes = [0; 16];
    cx.draw(&mut bytes).map_err(|_| Refusal::missing("a source of random numbers"))?;
    Ok(input::uuid(bytes))
}

/// The groups of a binding as files have them. A group that no control scheme has would never be
/// used, so that it is refused where there are schemes.
fn groups(actions: &InputActions, wanted: &[String]) -> Result<String, Refusal> {
    wanted.iter().try_for_each(|group| actions.check_group(group))?;
    Ok(wanted.join(";"))
}

/// Refuses a binding of a control that is none.
fn check_paths(new: &NewBinding) -> Result<(), Refusal> {
    let parts = new.composite.iter().flat_map(|composite| &composite.parts);
    let parts = parts.map(|part| &part.path);
    let own = new.composite.is_none().then_some(&new.path);
    own.into_iter().chain(parts).try_for_each(|path| input::check_path(path))
}
