//! Makes the curves of the animation clips below folders again, from their keys: the lists must have the
//! same bytes.
//!
//! `--kind clip` prints how many clips and
//! curves do. Times, values, slopes and how those are kept are given, everything else is made; clips with
//! curves of pictures or quaternions are passed over. Before anything else the judge has to notice a key
//! that was broken on purpose.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use scenewright_unity::animation::{Clip, Ease, Key, Target, new_clip};
use scenewright_unity::edit::Habits;
use scenewright_unity::types::Version;
use scenewright_unity::{ClassId, Document, FileId, Object, Value};

use super::files;

const VERSIONS: [(&str, (u32, u32)); 6] = [
    ("2017.4.17f1", (2017, 4)),
    ("2018.4.36f1", (2018, 4)),
    ("2019.4.18f1", (2019, 4)),
    ("2020.3.23f1", (2020, 3)),
    ("2022.3.22f1", (2022, 3)),
    ("6000.0.52f1", (6000, 0)),
];

pub(super) fn run(dir: &Path) {
    let (mut same, mut other, mut passed) = (0, 0, 0);
    for path in files(dir, &["anim"]) {
        let real = Document::parse(fs::read(&path).unwrap_or_default());
        let clip = real.objects().find(|object| object.class_id() == ClassId(74));
        let Some(clip) = clip.filter(|clip| !list(clip.value(), "m_FloatCurves").is_empty()) else {
            passed += 1;
            continue;
        };
        let wanted = text(clip, "m_FloatCurves");
        let fits = |change: f32| {
            VERSIONS.iter().any(|(version, release)| {
                remade(clip, version, *release, change).is_some_and(|made| made == wanted)
            })
        };
        assert!(!fits(1.0), "a key is another and nobody notices");
        match fits(0.0) {
            true => same += 1,
            false => {
                other += 1;
                println!("{} is another", path.display());
                let made = remade(clip, VERSIONS[3].0, VERSIONS[3].1, 0.0).unwrap_or_default();
                let line = wanted.lines().zip(made.lines()).find(|(real, made)| real != made);
                println!("  {line:?}");
            }
        }
    }
    println!("{same} clips have the same curves, {other} not, {passed} have no such");
}

fn list<'d>(value: Value<'d>, key: &str) -> Vec<Value<'d>> {
    value.get(key).into_iter().flat_map(|list| list.items()).collect()
}

/// The lines of a list.
fn text(object: Object<'_>, key: &str) -> String {
    let all =
        String::from_utf8_lossy(&object.document().as_bytes()[object.span()]).replace("\r\n", "\n");
    let start = all.find(&format!("  {key}:")).unwrap_or(0);
    let lines = all[start..].lines();
    let own = lines
        .enumerate()
        .take_while(|(at, line)| *at == 0 || line.starts_with("  - ") || line.starts_with("   "));
    own.map(|(_, line)| format!("{line}\n")).collect()
}

fn remade(clip: Object<'_>, version: &str, release: (u32, u32), change: f32) -> Option<String> {
    let version = Version::parse(version)?;
    let new =
        new_clip("Clip", 60.0, false, version, Habits { release: Some(release), folds: None })?;
    let mut made = Clip::open(
        Arc::new(Document::parse(new)),
        version,
        Habits { release: Some(release), folds: None },
    )
    .ok()?;
    for curve in list(clip.value(), "m_FloatCurves") {
        let number = |value: Value<'_>, key: &str| {
            value.get(key).and_then(|value| value.as_f64()).unwrap_or(0.0)
        };
        let keys = list(curve, "curve.m_Curve").into_iter().map(|key| {
            let slope = |name: &str| match &*key
                .get(name)
                .map(|value| value.text().into_owned())
                .unwrap_or_default()
            {
                "Infinity" | "inf" => f32::INFINITY,
                text => text.parse().unwrap_or(0.0),
            };
            Key {
                time: number(key, "time") as f32,
                value: number(key, "value") as f32 + change,
                slopes: Some([slope("inSlope"), slope("outSlope")]),
                tangents: Some(number(key, "tangentMode") as u32),
            }
        });
        let keys: Vec<Key> = keys.collect();
        let is_constant = keys.iter().all(|key| key.tangents == Some(103));
        let ease = if is_constant { Ease::Constant } else { Ease::Smooth };
        let name =
            |key: &str| curve.get(key).map(|value| value.text().into_owned()).unwrap_or_default();
        let target = Target {
            path: name("path"),
            class: ClassId(number(curve, "classID") as u32),
            script: curve
                .get("script")
                .and_then(|script| script.as_reference())
                .filter(|to| !to.is_null()),
        };
        made.set_number(&target, &name("attribute"), &keys, ease).ok()?;
    }
    let document = Document::parse(made.to_bytes());
    Some(text(document.object(FileId(7_400_000))?, "m_FloatCurves"))
}
