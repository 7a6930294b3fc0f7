//! The one table of `bench unity`.

use std::thread;

use super::super::samples::Series;
use super::super::table::{Row, align, goal, number, ratio};
use super::{SCENE_OBJECTS, SHARED_OBJECTS, Samples, TOUCHES};

pub(super) fn render(samples: &Samples, assets: usize) -> String {
    let header = ["measure", "scenewright", "peer", "goal", "verdict"];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(measurements(samples));
    rows.extend(goals(samples));
    format!("{}\n{}", align(&rows), footnote(samples, assets))
}

fn measurements(s: &Samples) -> Vec<Row> {
    let row = |label: &str, digits, scale: f64, ours: &Series, peer: Option<&Series>| {
        let cell = |series: &Series| number(series.median().map(|value| value * scale), digits);
        let peer = peer.map_or(String::new(), cell);
        [label.to_owned(), cell(ours), peer, String::new(), String::new()]
    };
    vec![
        row("index and check, CPU s (peer: rg, two passes)", 2, 1.0, &s.cold.cpu, Some(&s.rg.cpu)),
        row(
            "index and check, wall s (peer: rg, two passes)",
            2,
            1.0,
            &s.cold.wall,
            Some(&s.rg.wall),
        ),
        row("… and where rg only counts, CPU s", 2, 1.0, &s.cold.cpu, Some(&s.counting.cpu)),
        row("the same from the disk cache, CPU s", 2, 1.0, &s.cached.cpu, None),
        row("the same from the disk cache, wall s", 2, 1.0, &s.cached.wall, None),
        row("check after one changed file, the call, ms", 1, 1e3, &s.recheck, None),
        row("… from the write to the answer that knows it, ms", 1, 1e3, &s.noticed, None),
        row("largest size at 150,000 files, MB", 0, 1.0, &s.peak_mb, None),
        row("dump of a 50,000-object scene, wall s", 3, 1.0, &s.dump.wall, None),
        row("dump of a 50,000-object scene, CPU s", 3, 1.0, &s.dump.cpu, None),
        row(
            "a 5,000-object scene, CPU s (peer: unityparser)",
            3,
            1.0,
            &s.shared.cpu,
            Some(&s.unityparser),
        ),
    ]
}

fn goals(s: &Samples) -> Vec<Row> {
    let at_most = |label: &str, value: Option<f64>, digits, limit: f64, text: &str| {
        goal(label, number(value, digits), text, value.map(|value| value <= limit))
    };
    let times = ratio(&s.unityparser, &s.shared.cpu);
    let recheck = s.recheck.median().map(|seconds| seconds * 1e3);
    vec![
        at_most("CPU against rg", ratio(&s.cold.cpu, &s.rg.cpu), 2, 1.0, "≤ 1.0"),
        at_most("wall against rg", ratio(&s.cold.wall, &s.rg.wall), 2, 1.0, "≤ 1.0"),
        at_most(
            "cached against cold, wall",
            ratio(&s.cached.wall, &s.cold.wall),
            2,
            1.0 / 3.0,
            "≤ 1/3",
        ),
        at_most("check after one changed file, ms", recheck, 1, 20.0, "≤ 20"),
        at_most("largest size, MB", s.peak_mb.largest(), 0, 150.0, "≤ 150"),
        at_most("dump of the scene, wall s", s.dump.wall.median(), 3, 0.3, "≤ 0.3"),
        goal(
            "scene against unityparser",
            times.map_or("n/a".into(), |times| format!("{}x", number(Some(times), 0))),
            "≥ 1,000x",
            times.map(|times| times >= 1000.0),
        ),
    ]
}

fn footnote(samples: &Samples, assets: usize) -> String {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Median of {} interleaved rounds on {cores} cores, page cache warm; {assets} assets with their \
         metas. rg lists `guid: [0-9a-f]{{32}}` in all text assets and then takes the first guid of each \
         meta, with its default number of threads. The check is a whole process each time: start, walk, \
         read, judge, report, and without a cache also writing that. Changed files: {TOUCHES} times a prefab \
         loses a script or gets it back, asked over stdio. The scenes have \
         {SCENE_OBJECTS} and {SHARED_OBJECTS} objects; ours expands them and answers with the tree, \
         unityparser 4.0.0 only reads the smaller one.",
        samples.cold.wall.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_missed() {
        let mut samples = Samples::default();
        samples.cold.push(2.0, Some(1.0));
        samples.rg.push(1.0, Some(2.0));
        samples.recheck.push(0.019);
        let table = render(&samples, 7);
        let verdict = |label: &str| {
            let line = table.lines().find(|line| line.contains(label)).expect("the row is there");
            line.trim_end_matches([' ', '|']).rsplit("| ").next().map(str::to_owned)
        };
        assert_eq!(verdict("CPU against rg").as_deref(), Some("ok"), "{table}");
        assert_eq!(verdict("wall against rg").as_deref(), Some("MISSED"), "{table}");
        assert_eq!(verdict("one changed file, ms").as_deref(), Some("ok"), "{table}");
        assert_eq!(verdict("scene against").as_deref(), Some("not measured"), "{table}");
    }
}
