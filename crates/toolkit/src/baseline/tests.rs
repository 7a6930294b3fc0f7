//! Tests of baselines: what an entry goes by, and what is left out.

use expect_test::expect;
use scenewright_contract::finding::Rule;

use super::*;

static LOST: Rule = Rule::new("lost", Severity::Error, "", "", "");
static ABSENT: Rule = Rule::new("absent", Severity::Warning, "", "", "").of(Scope::Cause);
static POINTER: Rule = Rule::new("pointer", Severity::Warning, "", "", "").of(Scope::Copy);

/// Files with a guid have it in their name: `A.g1` has `g1`, wherever it is.
struct Named;

impl Files for Named {
    fn identity(&self, path: &str) -> Option<String> {
        Some(path.rsplit_once(".g")?.1.to_owned())
    }

    fn has(&self, path: &str) -> bool {
        !path.starts_with("gone")
    }
}

fn lost(file: &str, object: &str, subject: &str) -> Finding {
    Finding::new(&LOST, file, "words").on_object(object).about(subject)
}

fn of(findings: &[Finding]) -> Baseline {
    Baseline::to_accept(findings, &Named)
}

/// How many findings are new and accepted, and how many entries are left.
fn told(baseline: Baseline, findings: &[Finding]) -> (usize, usize, usize) {
    let left = baseline.subtract(findings.to_vec(), &Named);
    (left.new.len(), left.accepted, left.unneeded.count())
}

#[test]
fn words_and_lines_do_not_matter() {
    let old = lost("A.g1", "Door", "m_Mesh").at_line(1);
    let same = Finding { message: "other words".into(), line: Some(9), ..old.clone() };
    assert_eq!(told(of(&[old]), &[same]), (0, 1, 0));
}

#[test]
fn a_second_one_is_new_and_so_is_another() {
    let old = lost("A.g1", "Door", "m_Mesh");
    let other = lost("A.g1", "Door", "m_Material");
    let now = [old.clone(), old.clone(), other];
    assert_eq!(told(of(&[old]), &now), (2, 1, 0));
}

#[test]
fn a_file_may_be_moved() {
    let moved = |from: &str, to: &str| {
        told(of(&[lost(from, "Door", "m_Mesh")]), &[lost(to, "Door", "m_Mesh")])
    };
    assert_eq!(moved("gone/A.g1", "B.g1"), (0, 1, 0));
    // Without a guid only the old file's absence tells.
    assert_eq!(moved("gone/A.txt", "B.txt"), (0, 1, 0));
    assert_eq!(moved("A.txt", "B.txt"), (1, 0, 1));
    assert_eq!(moved("gone/A.g1", "B.g2"), (1, 0, 1));
}

#[test]
fn an_object_with_a_number_may_be_renamed() {
    let numbered = |name: &str| Finding { id: Some(7), ..lost("A.g1", name, "m_Mesh") };
    assert_eq!(told(of(&[numbered("Door")]), &[numbered("Gate")]), (0, 1, 0));
    let named = |name: &str| lost("A.g1", name, "m_Mesh");
    assert_eq!(told(of(&[named("Door")]), &[named("Gate")]), (1, 0, 1));
}

#[test]
fn a_file_that_got_its_guid_since_is_the_same() {
    let mut before = of(&[lost("A.g1", "Door", "m_Mesh")]);
    before.entries[0].guid = None;
    assert_eq!(told(before, &[lost("A.g1", "Door", "m_Mesh")]), (0, 1, 0));
}

#[test]
fn what_is_mended_is_left_over() {
    let two = [lost("A.g1", "Door", "m_Mesh"), lost("A.g1", "Gate", "m_Mesh")];
    assert_eq!(told(of(&two), &two[..1]), (0, 1, 1));
    assert_eq!(
        unneeded(1, FILE).unwrap(),
        "1 entry is no longer needed in scenewright-baseline.json; `scenewright check --write-baseline` leaves out what is mended"
    );
}

#[test]
fn a_cause_is_accepted_wherever_it_shows() {
    let absent = |file: &str| Finding::new(&ABSENT, file, "gone").about("guid");
    assert_eq!(told(of(&[absent("A.g1")]), &[absent("B.g2")]), (0, 1, 0));
}

#[test]
fn remarks_and_files_that_were_not_fetched_are_not_in_it() {
    let remark = Finding { severity: Severity::Info, ..lost("A", "Door", "x") };
    let pointer = Finding::new(&POINTER, "B.png", "not fetched");
    assert!(of(&[remark, pointer]).is_empty());
}

#[test]
fn the_file_is_small_sorted_and_read_back() {
    let findings = [
        lost("B.g2", "Door \"x\"", "m_Mesh"),
        lost("B.g2", "Door \"x\"", "m_Mesh"),
        Finding { id: Some(-7), ..lost("A.txt", "Gate", "guid:2") },
        Finding::new(&ABSENT, "C", "gone").about("guid"),
    ];
    let text = of(&findings).to_text();
    expect![[r#"
        {
          "version": 2,
          "accepted": [
            {"rule":"absent","about":"guid"},
            {"file":"A.txt","rule":"lost","object":"Gate","about":"guid:2","id":"-7"},
            {"file":"B.g2","rule":"lost","object":"Door \"x\"","about":"m_Mesh","guid":"2","count":2}
          ]
        }
    "#]]
    .assert_eq(&text);
    assert_eq!(Baseline::parse(text.as_bytes(), FILE).unwrap(), of(&findings));
    assert_eq!(Baseline::parse(of(&[]).to_text().as_bytes(), FILE).unwrap(), Baseline::default());
}

#[test]
fn another_version_is_refused_with_what_to_do() {
    let refused = |text: &str| Baseline::parse(text.as_bytes(), FILE).unwrap_err().text();
    let first = refused(r#"{ "version": 1, "accepted": { "lost|A|Door|gone": 2 } }"#);
    assert!(first.contains("version 1") && first.contains("--write-baseline"), "{first}");
    assert!(refused(r#"{ "version": 3 }"#).contains("update scenewright"));
    assert!(refused("<<<<<<< HEAD\n").contains("has a mistake"));
}

#[test]
fn several_projects_share_a_file_under_their_names() {
    let one = of(&[lost("A.g1", "Door", "x")]).below("game/");
    let both = one.and(of(&[lost("A.g2", "Door", "y")]).below("tool/"));
    assert_eq!(told(both.within("game/"), &[lost("A.g1", "Door", "x")]), (0, 1, 0));
    assert_eq!(told(both.within("tool/"), &[lost("A.g1", "Door", "x")]), (1, 0, 1));
}
