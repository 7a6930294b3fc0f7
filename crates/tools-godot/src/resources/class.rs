//! A class of the engine as JSON.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::{Classes, Version, new_name};
use scenewright_toolkit::workspace::unreadable;
use serde_json::{Value, json};

use crate::base::GodotProject;

/// What a class of the project's version declares itself.
pub(super) fn read(godot: &GodotProject, name: &str) -> Result<Value, ToolError> {
    let facts = godot.settings.facts().map_err(unreadable)?;
    let classes = Classes::of(Version::of(facts.engine_version.as_deref().unwrap_or("4")));
    let class = classes.class(name).ok_or_else(|| {
        let hint = new_name(name).map_or_else(
            || suggest::did_you_mean(name, classes.names(), "completion offers the names"),
            |new| format!("it is called {new} since Godot 4"),
        );
        ToolError::new(ErrorKind::ResourceNotFound, format!("no class is called {name}")).hint(hint)
    })?;
    let properties = class.properties().iter().map(|property| {
        json!({
            "name": property.name,
            "type": property.value.to_string(),
            "default": classes.default(class.name, property.name),
        })
    });
    let arguments = |arguments: &[scenewright_godot::classes::Argument]| {
        let each = arguments.iter().map(|it| format!("{}: {}", it.name, it.value));
        each.collect::<Vec<_>>().join(", ")
    };
    let signals = class
        .signals()
        .iter()
        .map(|signal| format!("{}({})", signal.name, arguments(&signal.arguments)));
    let methods = class.methods().iter().map(|method| {
        let returns = method.returns.map_or(String::new(), |value| format!(" -> {value}"));
        format!("{}({}){returns}", method.name, arguments(&method.arguments))
    });
    let ancestors = classes.ancestors(class.name).skip(1).map(|class| class.name);
    Ok(json!({
        "name": class.name,
        "version": classes.version().to_string(),
        "inherits": ancestors.collect::<Vec<_>>(),
        "instantiable": class.instantiable,
        "properties": properties.collect::<Vec<_>>(),
        "signals": signals.collect::<Vec<_>>(),
        "methods": methods.collect::<Vec<_>>(),
        "note": "what the class itself declares; ask for those it inherits from too",
    }))
}
