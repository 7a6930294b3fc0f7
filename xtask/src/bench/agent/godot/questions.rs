//! What people ask about a Godot project.

use std::collections::BTreeSet;

use anyhow::{Context, ensure};
use serde_json::json;

use super::everyday::step;
use crate::bench::agent::projects::{LARGE_GODOT, Project};
use crate::bench::agent::task::{Kind, Task, call, find, list, read, same, shortened, texts};
use crate::bench::agent::{task, tiles, walk};

const MAIN: &str = "scenes/main.tscn";
const LEVEL: &str = "scenes/level.tscn";

pub(super) fn tasks() -> Vec<Task> {
    let question = |name, words, project, steps, told| {
        task::question(Kind::Other, name, words, project, steps, told)
    };
    vec![
        question(
            "large-tree-to-its-end",
            "Read the whole tree of the large scene.",
            Project::SynthGodot,
            || {
                vec![
                    read("get_node_tree", json!({ "scenePath": LARGE_GODOT, "maxNodes": 20_000 }))
                        .all_pages(),
                ]
            },
            |done| {
                let paths = walk::godot_paths(&done.files.text(LARGE_GODOT)?);
                ensure!(paths.len() > 400, "{} nodes", paths.len());
                walk::each_once(done.pages(0), "tree", &paths)
            },
        ),
        question(
            "nodes-by-script",
            "Which nodes of the project have the coin's script, and where?",
            Project::Godot,
            || {
                vec![read(
                    "find_nodes",
                    json!({ "script": "res://scripts/coin.gd", "includeInstances": true }),
                )]
            },
            |done| {
                let told: BTreeSet<String> =
                    texts(list(done.data(0), "matches")?, "nodePath").into_iter().collect();
                let scene = done.files.text(MAIN)?;
                let coins =
                    scene.lines().filter(|line| line.contains("instance=ExtResource(\"3_c8r3i\")"));
                let name = |line: &str| Some(format!("Coins/{}", line.split('"').nth(1)?));
                let mut expected: BTreeSet<String> = coins.filter_map(name).collect();
                expected.insert(".".to_owned());
                same("nodes", told, expected)
            },
        ),
        question(
            "effective-property",
            "What colour has the lamp in the main scene, and where does it come from?",
            Project::Godot,
            || {
                vec![read(
                    "get_node_properties",
                    json!({ "scenePath": MAIN, "nodePath": "Level/Lighthouse/Lamp", "names": ["color"] }),
                )]
            },
            |done| {
                let section = done.files.section(MAIN, &["name=\"Lamp\""])?;
                let color = section
                    .lines()
                    .find_map(|line| line.strip_prefix("color = "))
                    .context("no colour")?;
                let told = done.data(0)["properties"].to_string();
                ensure!(
                    told.contains(color) || colour_parts(color).all(|part| told.contains(part)),
                    "{told}"
                );
                Ok(())
            },
        ),
        question(
            "usages-of-an-action",
            "Where is the input action `jump` used?",
            Project::Godot,
            || {
                vec![
                    find("where is an input action used"),
                    read("find_usages", json!({ "target": "jump", "kind": "action" })),
                ]
            },
            |done| {
                let usages = list(done.data(1), "usages")?;
                let told: BTreeSet<String> = texts(usages, "path")
                    .into_iter()
                    .map(|file| file.trim_start_matches("res://").to_owned())
                    .collect();
                let users = done.files.with_text("&\"jump\"")?;
                same("files", told, users.into_keys().collect())
            },
        ),
        question(
            "symbols-of-a-kind",
            "Which signals does the project declare?",
            Project::Godot,
            || {
                vec![
                    find("all signals of the scripts"),
                    read("project_searchSymbols", json!({ "kind": "signal" })),
                ]
            },
            |done| {
                let told: BTreeSet<String> =
                    texts(list(done.data(1), "definitions")?, "place").into_iter().collect();
                same(
                    "places",
                    told,
                    done.files.lines(".gd", "signal ", |line, text| line.starts_with(text))?,
                )
            },
        ),
        question(
            "tiles-of-a-region",
            "How many cells has the ground, and which of them are in rows 12 to 15?",
            Project::Godot,
            || {
                let rows = json!({ "scenePath": LEVEL, "tilemapNodePath": "Ground", "region": { "x": 0, "y": 12, "width": 48, "height": 4 } });
                vec![find("read the tiles of a tile map"), read("get_tiles", rows)]
            },
            |done| {
                let cells = tiles::cells(&done.files.section(LEVEL, &["name=\"Ground\""])?)?;
                same("cells", done.data(1)["totalCells"].as_u64(), Some(cells.len() as u64))?;
                let above = cells.iter().filter(|cell| (12..16).contains(&cell.at.1)).count();
                same("cells in the rows", list(done.data(1), "cells")?.len(), above)
            },
        ),
        question(
            "check-of-one-folder",
            "Is anything wrong with the scenes? (Something is, in another folder.)",
            Project::GodotAfter(|files| {
                files.replace(
                    "resources/tiles.tres",
                    "res://art/tiles.png",
                    "res://art/tile.png",
                )?;
                files.replace("resources/tiles.tres", " uid=\"uid://", " uid=\"uid://x").map(drop)
            }),
            || {
                let only = |folder: &str| json!({ "paths": [folder] });
                vec![
                    read("project_check", only("scenes")),
                    read("project_check", only("resources")),
                ]
            },
            |done| {
                same("errors of scenes", done.data(0)["errors"].as_u64(), Some(0))?;
                let found = list(done.data(1), "findings")?;
                ensure!(!found.is_empty(), "nothing was found");
                ensure!(
                    texts(found, "file").iter().all(|file| file == "resources/tiles.tres"),
                    "{}",
                    shortened(done.data(1))
                );
                Ok(())
            },
        ),
        question(
            "questions-in-a-batch",
            "How large is the window, what makes the player jump, what is a coin worth? In one call.",
            Project::Godot,
            || {
                let steps = [
                    step("get_project_settings", json!({ "section": "display" })),
                    step("list_input_actions", json!({ "name": "jump" })),
                    step(
                        "read_resource",
                        json!({ "resourcePath": "res://resources/coin_settings.tres" }),
                    ),
                ];
                vec![read("project_batch", json!({ "steps": steps }))]
            },
            |done| {
                let settings = done.of_batch(0, 0).to_string();
                let display = done.files.section("project.godot", &["[display]"])?;
                for line in display.lines().filter(|line| line.contains("=")) {
                    let (key, value) = line.split_once('=').context("no value")?;
                    ensure!(
                        settings.contains(key) && settings.contains(value.trim_matches('"')),
                        "no {key}"
                    );
                }
                let resource = done.files.text("resources/coin_settings.tres")?;
                let worth = resource
                    .lines()
                    .find_map(|line| line.strip_prefix("value = "))
                    .context("no value")?;
                same(
                    "value",
                    done.of_batch(0, 2)["properties"]["value"].to_string(),
                    worth.to_owned(),
                )
            },
        ),
        question(
            "a-batch-that-fails",
            "Add two nodes in one change; the second step is wrong, so nothing may change.",
            Project::Godot,
            || {
                let add = |parent: &str| {
                    step(
                        "add_node",
                        json!({ "scenePath": LEVEL, "nodeType": "Marker2D", "nodeName": "Mark", "parentNodePath": parent }),
                    )
                };
                vec![
                    call("project_batch", json!({ "steps": [add("."), add("Nowhere")] })).refused(),
                ]
            },
            |done| {
                ensure!(
                    done.text(0).contains("Nowhere"),
                    "it does not say what is wrong: {}",
                    done.text(0)
                );
                Ok(())
            },
        ),
    ]
}

/// The numbers of `Color(1, 0.5, 0, 1)`.
fn colour_parts(color: &str) -> impl Iterator<Item = &str> {
    color.trim_start_matches("Color(").trim_end_matches(')').split(", ")
}
