//! Two random sets of edits of one scene, whose right merge is known: edits that can be made in either
//! order with one result merge clean and give it, and all others are a conflict. A clean merge that is
//! wrong is the worst there can be, so that every single one fails.

mod generate;

use generate::{Random, Verdict, godot, unity};

/// How many pairs; `SCENEWRIGHT_MERGES=5000` tries more.
fn count() -> u64 {
    std::env::var("SCENEWRIGHT_MERGES").ok().and_then(|count| count.parse().ok()).unwrap_or(300)
}

fn judge(name: &str, one: impl Fn(&mut Random) -> Verdict) {
    let (mut clean, mut conflicts, mut needless) = (0, 0, Vec::new());
    for seed in 0..count() {
        match one(&mut Random::new(seed)) {
            Verdict::Clean => clean += 1,
            Verdict::Conflict => conflicts += 1,
            Verdict::Needless(what) => needless.push(format!("seed {seed}: {what}")),
            Verdict::Wrong(what) => panic!("{name}, seed {seed}: a wrong clean merge:\n{what}"),
        }
    }
    assert!(clean > 0 && conflicts > 0, "both happen: {clean} clean, {conflicts} conflicts");
    let share = needless.len() as f64 / count() as f64;
    assert!(share < 0.05, "{name}: {share} conflicts that nobody needs:\n{}", needless.join("\n"));
}

#[test]
fn random_edits_of_unity_scenes() {
    judge("unity", unity::one);
}

#[test]
fn random_edits_of_godot_scenes() {
    judge("godot", godot::one);
}

#[test]
fn the_judge_knows_a_wrong_merge() {
    let say = |merged: Option<&str>, orders: [Option<&str>; 2]| {
        generate::verdict(
            orders.map(|text| text.map(str::to_owned)),
            merged.map(str::to_owned),
            String::new,
        )
    };
    assert!(matches!(say(Some("a"), [Some("a"), Some("a")]), Verdict::Clean));
    assert!(matches!(say(Some("b"), [Some("a"), Some("a")]), Verdict::Wrong(_)));
    assert!(matches!(say(Some("a"), [Some("a"), Some("b")]), Verdict::Wrong(_)), "one was dropped");
    assert!(matches!(say(Some("a"), [Some("a"), None]), Verdict::Wrong(_)));
    assert!(matches!(say(None, [Some("a"), Some("b")]), Verdict::Conflict));
    assert!(matches!(say(None, [Some("a"), Some("a")]), Verdict::Needless(_)));
}
