//! What the code of a hook may have.

use super::super::{Limits, eval, town};
use super::Row;
use crate::hooks;

const SET_ACTIVE: &str = "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)";

const TAKEN: [(&str, &str); 5] = [
    (
        "`Prefix` runs before the method, `Postfix` after it",
        "static void Postfix() { Debug.Log(\"after\"); }",
    ),
    (
        "`__instance`, and parameters by name",
        "static void Prefix(GameObject __instance, bool value) { Debug.Log(__instance.name + value); }",
    ),
    ("parameters by number", "static void Prefix(bool __0) { Debug.Log(__0); }"),
    ("`ref` changes an argument", "static void Prefix(ref bool value) { value = true; }"),
    ("`false` of a `Prefix` keeps the method from running", "static bool Prefix() => false;"),
];

const REFUSED: [(&str, &str); 4] = [
    ("neither `Prefix` nor `Postfix`", "var x = 1;"),
    ("`Transpiler`", "static void Transpiler() { }"),
    ("`Finalizer`", "static void Finalizer() { }"),
    ("other parameters", "static void Prefix(int speed) { }"),
];

/// Codes, and what `SetActive(false)` on a lamp that is on then does.
pub(super) fn rows() -> Vec<Row> {
    let taken = TAKEN.iter().map(|(name, source)| {
        let mut world = town();
        hooks::add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
        hooks::set_source(&mut world, SET_ACTIVE, source).unwrap();
        let lamp = "var lamp = GameObject.Find(\"Lamp\"); lamp.SetActive(false); lamp.activeSelf";
        let is_on = eval(&mut world, lamp, &Limits::default()).unwrap().text;
        let said: Vec<&str> = world.log().tail(1).map(|line| line.message.as_str()).collect();
        let state = if is_on == "True" { "the lamp is on" } else { "the lamp is off" };
        // A hook that says nothing leaves its signature.
        let said = said.concat().replace(SET_ACTIVE, "");
        let gave = if said.is_empty() { state.to_owned() } else { format!("{state}, log: {said}") };
        row(name, source, gave)
    });
    let refused = REFUSED.iter().map(|(name, source)| {
        let mut world = town();
        hooks::add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
        let error = hooks::set_source(&mut world, SET_ACTIVE, source).unwrap_err();
        row(name, source, error.to_string())
    });
    taken.chain(refused).collect()
}

fn row(name: &str, source: &str, gave: String) -> Row {
    Row { name: name.to_owned(), example: source.to_owned(), gave, is_right: true }
}
