//! What one tool can be called for, where that is much: words for it, and a call that does it. The tools'
//! own examples show one way of each.

use std::collections::HashSet;

use scenewright_contract::JsonMap;

use super::words;

/// One thing that a tool does.
pub(super) struct Way {
    /// The tool, by its id.
    pub(super) tool: &'static str,
    /// What it does there.
    #[cfg_attr(not(test), expect(dead_code, reason = "the name that its test goes by"))]
    how: &'static str,
    /// Words for it.
    words: &'static str,
    /// A call that does it in the sample.
    arguments: &'static str,
}

impl Way {
    /// The words that it is found by.
    pub(super) fn words(&self) -> &'static str {
        self.words
    }

    /// The arguments of the call.
    pub(super) fn arguments(&self) -> JsonMap {
        serde_json::from_str(self.arguments).expect("the table is JSON, which a test reads")
    }
}

const EDIT: &str = "unity.edit";

/// The ways, of those that answer a question equally well the first one.
pub(super) const WAYS: &[Way] = &[
    Way {
        tool: EDIT,
        how: "op instantiate",
        words: "instantiate prefab spawn place instance put",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Lanterns", "position": [0, 1, 0] }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op create with components Canvas, Image and Button",
        words: "create ui button label text canvas click onclick panel menu image",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "create", "name": "Canvas", "components": ["Canvas", "CanvasScaler", "GraphicRaycaster"] },
            { "op": "create", "parent": "Canvas", "name": "Play", "components": ["Image", "Button"] },
            { "op": "create", "parent": "Canvas/Play", "name": "Label", "components": ["Text"] },
            { "op": "set", "object": "Canvas/Play/Label", "component": "Text", "field": "text", "value": "Play" },
            { "op": "insertItem", "object": "Canvas/Play", "component": "Button", "field": "onClick",
              "value": { "target": { "object": "Player", "component": "PlayerController" }, "method": "Heal", "argument": 3 } }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op create",
        words: "create new empty gameobject object add child",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "create", "parent": "Lanterns", "name": "Lamp", "components": ["Light"], "position": [0, 2, 0] }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op rename",
        words: "rename name object gameobject",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "rename", "object": "Ground", "name": "Floor" }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op addComponent",
        words: "add attach component script rigidbody collider to object",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "addComponent", "object": "Ground", "component": "Rigidbody", "values": { "mass": 2 } }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op removeComponent",
        words: "remove detach component from object",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "removeComponent", "object": "Ground", "component": "BoxCollider" }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op delete",
        words: "delete remove destroy object gameobject",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "delete", "object": "Debug Marker" }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op duplicate",
        words: "duplicate copy clone object gameobject",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "duplicate", "object": "Ground", "name": "Second Ground" }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op reparent",
        words: "reparent move parent under hierarchy child",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "reparent", "object": "Debug Marker", "parent": "Lanterns" }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op revert",
        words: "revert override overrides prefab instance value back undo reset",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "revert", "object": "Lanterns/Lantern", "component": "Transform", "field": "m_LocalPosition.x" }
        ] }"#,
    },
    Way {
        tool: EDIT,
        how: "op set active",
        words: "disable enable hide show activate deactivate turn off on gameobject object active",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "set", "object": "Ground", "field": "active", "value": false }
        ] }"#,
    },
    Way {
        tool: "asset.usages",
        how: "instances",
        words: "where placed instances prefab used",
        arguments: r#"{ "assetPath": "Assets/Prefabs/Lantern.prefab" }"#,
    },
    Way {
        tool: "godotScene.findNodes",
        how: "group",
        words: "nodes in group enemies all every list members",
        arguments: r#"{ "group": "enemies" }"#,
    },
    Way {
        tool: "godotDebug.debugStart",
        how: "breakpoint",
        words: "breakpoint set stop line debugger",
        arguments: r#"{ "breakpoints": [{ "scriptPath": "res://scripts/player.gd", "line": 20 }] }"#,
    },
    Way {
        tool: EDIT,
        how: "op set",
        words: "set change field property value component reference assign position intensity color",
        arguments: r#"{ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "set", "object": "Directional Light", "component": "Light", "field": "intensity", "value": 2.5 }
        ] }"#,
    },
];

/// The way of a tool that a question is nearest to; nothing where none has a word of it.
pub(super) fn nearest(tool: &str, query: &str) -> Option<&'static Way> {
    with_share(tool, query, 1)
}

/// The same where a question has so much of its words that it asks for nothing else.
pub(super) fn clearest(tool: &str, query: &str) -> Option<&'static Way> {
    with_share(tool, query, 7)
}

fn with_share(tool: &str, query: &str, least: usize) -> Option<&'static Way> {
    let asked: HashSet<String> = words::stems(query).into_iter().collect();
    let share = |way: &Way| {
        let own = words::stems(way.words);
        let found = own.iter().filter(|stem| asked.contains(*stem)).count();
        // The first words are what it is for.
        let first = own.first().is_some_and(|first| asked.contains(first));
        2 * found + usize::from(first)
    };
    let ways = WAYS.iter().filter(|way| way.tool == tool).rev();
    ways.max_by_key(|way| share(way)).filter(|way| share(way) >= least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, expected: &str) {
        assert_eq!(nearest(EDIT, query).map_or("", |way| way.how), expected, "{query}");
    }

    #[test]
    fn the_way_is_the_one_that_was_asked() {
        check("instantiate prefab", "op instantiate");
        check("rename an object", "op rename");
        check(
            "create UI button with label and onClick",
            "op create with components Canvas, Image and Button",
        );
        check("create an object", "op create");
        check("delete a gameobject", "op delete");
        check("zzz", "");
        assert!(nearest("project.info", "rename").is_none());
    }

    #[test]
    fn every_way_is_json() {
        assert!(WAYS.iter().all(|way| !way.arguments().is_empty()));
    }
}
