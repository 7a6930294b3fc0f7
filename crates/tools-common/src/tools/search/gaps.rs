//! What no tool does, and what to do instead: only what needs the engine's editor for good. For all else
//! the answer lists the nearest tools and claims nothing.

use super::words;

/// Something that no tool does.
struct Gap {
    engine: &'static str,
    /// Words that ask for it: one of each.
    words: &'static [&'static str],
    instead: &'static str,
}

const GAPS: &[Gap] = &[
    Gap {
        engine: "unity",
        words: &["bake", "navmesh lightmap lighting light occlusion reflection probe scene"],
        instead: "only the Unity editor bakes; set what it bakes with (unity_edit) and bake there",
    },
    Gap {
        engine: "unity",
        words: &["screenshot photo", ""],
        instead: "only the Unity editor draws; scene_hierarchy_dump shows what is in a scene",
    },
    Gap {
        engine: "unity",
        words: &["picture", "take see show"],
        instead: "only the Unity editor draws; scene_hierarchy_dump shows what is in a scene",
    },
    Gap {
        engine: "unity",
        words: &["run play enter start", "game playmode mode"],
        instead: "only the Unity editor plays; ci_runTests runs tests of it, ci_buildTarget builds",
    },
    Gap {
        engine: "unity",
        words: &["profile profiler framerate fps", ""],
        instead: "only the Unity editor and builds have a profiler; build_sizeReport and build_textureUsage tell sizes",
    },
    Gap {
        engine: "godot",
        words: &["profile profiler", ""],
        instead: "only the Godot editor has a profiler for functions; game_monitors measures frames and memory",
    },
];

/// Words that ask for something else, for which there are tools.
const OTHER: &str = "test build timeline cutscene animation audio sound";

/// What to do instead of what a question asks, where no tool does it for these engines.
pub(super) fn instead(query: &str, engines: &[&str]) -> Option<&'static str> {
    let asked = words::stems(query);
    let has = |group: &str| {
        group.is_empty() || words::stems(group).iter().any(|word| asked.contains(word))
    };
    let is_meant = |gap: &&Gap| {
        let is_asked = gap.words.iter().all(|group| has(group));
        let is_open = !engines.is_empty() && engines.iter().all(|engine| *engine == gap.engine);
        is_open && is_asked && !has(OTHER)
    };
    GAPS.iter().find(is_meant).map(|gap| gap.instead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_an_editor_does_is_known() {
        assert!(
            instead("bake the navmesh", &["unity"]).is_some_and(|text| text.contains("editor"))
        );
        assert!(instead("take a screenshot", &["unity"]).is_some());
        for (query, engines) in [
            ("bake the navmesh", &["godot"][..]),
            ("bake the navmesh", &["unity", "godot"]),
            ("run the play mode tests", &["unity"]),
            ("make all pictures smaller", &["unity"]),
            ("play on awake", &["unity"]),
        ] {
            assert_eq!(instead(query, engines), None, "{query}");
        }
    }
}
