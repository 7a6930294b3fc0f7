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

/// In place of an engine: what is true of all.
const ANY: &str = "";

/// What artists make.
const ART_KINDS: &str = "art artwork model mesh song melody music soundtrack sound voice image picture \
     portrait icon logo sprite texture skin character";
const ART: &str = "no tool makes art or sound; make the file elsewhere and put it into the project";

const GAPS: &[Gap] = &[
    Gap {
        engine: ANY,
        words: &[
            "ai gpt llm midjourney diffusion",
            "generate create make draw write compose paint",
            ART_KINDS,
        ],
        instead: ART,
    },
    Gap {
        engine: ANY,
        words: &[
            "compose sing sculpt synthesize generate invent",
            "song melody tune jingle soundtrack voiceover voice artwork \
             illustration portrait logo concept model",
        ],
        instead: ART,
    },
    Gap {
        engine: ANY,
        words: &[
            "write make create record compose generate",
            "soundtrack voiceover lyrics melody jingle tune orchestral",
        ],
        instead: ART,
    },
    Gap { engine: ANY, words: &["voice dialogue", "act actor acting dub record"], instead: ART },
    Gap {
        engine: ANY,
        words: &["draw design paint sketch", "portrait logo artwork illustration concept"],
        instead: ART,
    },
    Gap {
        engine: ANY,
        words: &[
            "upload publish submit deploy ship release",
            "steam itch store playstore appstore testflight epic",
        ],
        instead: "no tool uploads; build the game with a tool and upload it with the store's own program",
    },
    Gap {
        engine: ANY,
        words: &[
            "push checkout clone stash",
            "git github gitlab repo repository remote origin branch",
        ],
        instead: "no tool works the repository; git does, and project_diff and project_mergeResolve help it",
    },
    Gap {
        engine: ANY,
        words: &["send post email mail notify", "slack discord email mail jira"],
        instead: "no tool writes to people",
    },
    Gap {
        engine: ANY,
        words: &["buy purchase download", "store assetstore marketplace internet web"],
        instead: "no tool loads assets from the web; download the file and put it into the project",
    },
    Gap {
        engine: "unity",
        words: &["breakpoint debugger", ""],
        instead: "no tool debugs C#; attach the debugger of your code editor",
    },
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
/// The same of what no engine does.
const OTHER_ANY: &str = "bus mixer play deck mipmap normal script behaviour state agent collider collision lod lightmap uv import atlas material shader prefab library";
const OTHER_THAN: [&str; 2] = [OTHER, OTHER_ANY];

/// What to do instead of what a question asks, where no tool does it for these engines.
pub(super) fn instead(query: &str, engines: &[&str]) -> Option<&'static str> {
    let asked = words::stems(query);
    let has = |group: &str| {
        group.is_empty() || words::stems(group).iter().any(|word| asked.contains(word))
    };
    let is_meant = |gap: &&Gap| {
        let is_asked = gap.words.iter().all(|group| has(group));
        let is_open = !engines.is_empty() && engines.iter().all(|engine| *engine == gap.engine);
        (is_open || gap.engine == ANY)
            && is_asked
            && !has(OTHER_THAN[usize::from(gap.engine == ANY)])
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
        for query in ["generate a knight model with AI", "compose a song", "upload it to steam"] {
            assert!(instead(query, &["godot"]).is_some(), "{query}");
        }
        for (query, engines) in [
            ("generate colliders for the model", &["unity"][..]),
            ("write an enemy AI script", &["unity"]),
            ("play a song in the menu", &["godot"]),
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
