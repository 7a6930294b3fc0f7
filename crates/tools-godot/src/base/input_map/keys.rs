//! Keys by name, as people and as the engine call them.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::{Classes, Constant};

/// A key with the modifiers that are held.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// The engine's number of the key.
    pub(super) code: i64,
    pub(super) alt: bool,
    pub(super) shift: bool,
    pub(super) ctrl: bool,
    pub(super) meta: bool,
    /// Command on macOS, control elsewhere.
    pub(super) command_or_control: bool,
}

/// Other names that keys go by.
const ALIASES: [(&str, &str); 14] = [
    ("esc", "escape"),
    ("return", "enter"),
    ("del", "delete"),
    ("ins", "insert"),
    ("spacebar", "space"),
    ("pgup", "pageup"),
    ("pgdn", "pagedown"),
    ("pgdown", "pagedown"),
    ("leftarrow", "left"),
    ("rightarrow", "right"),
    ("uparrow", "up"),
    ("downarrow", "down"),
    ("control", "ctrl"),
    ("backquote", "quoteleft"),
];

/// Read `Space`, `KEY_SPACE`, `Ctrl+Shift+S`, `+`.
pub(super) fn parse(classes: &Classes, text: &str) -> Result<Keys, ToolError> {
    let mut keys = Keys::default();
    let mut rest = text.trim();
    // A plus at the end is the key itself.
    while let Some((word, more)) =
        rest.split_once('+').filter(|(word, more)| !word.is_empty() && !more.is_empty())
    {
        let held = match plain(word).as_str() {
            "ctrl" | "control" => &mut keys.ctrl,
            "shift" => &mut keys.shift,
            "alt" | "option" => &mut keys.alt,
            "meta" | "cmd" | "command" | "super" | "win" | "windows" => &mut keys.meta,
            "cmdorctrl" | "commandorcontrol" => &mut keys.command_or_control,
            _ => {
                return Err(ToolError::new(
                    ErrorKind::BadArguments,
                    format!("'{word}' of '{text}' is no modifier"),
                )
                .hint("one of Ctrl, Shift, Alt, Meta, CmdOrCtrl"));
            }
        };
        *held = true;
        rest = more.trim_start();
    }
    keys.code = code(classes, rest)?;
    Ok(keys)
}

/// The name that [`parse`] reads.
pub(super) fn text(classes: &Classes, keys: &Keys) -> String {
    let held = [
        (keys.command_or_control, "CmdOrCtrl"),
        (keys.ctrl, "Ctrl"),
        (keys.alt, "Alt"),
        (keys.shift, "Shift"),
        (keys.meta, "Meta"),
    ];
    let mut text = String::new();
    for (_, name) in held.into_iter().filter(|(is_held, _)| *is_held) {
        text.push_str(name);
        text.push('+');
    }
    let found = constants(classes).find(|constant| constant.value == keys.code);
    match found {
        Some(constant) => text + constant.name.trim_start_matches("KEY_"),
        None => text + &keys.code.to_string(),
    }
}

fn code(classes: &Classes, name: &str) -> Result<i64, ToolError> {
    let wanted = plain(name);
    let wanted = ALIASES.iter().find(|(alias, _)| *alias == wanted).map_or(&*wanted, |(_, n)| n);
    let known = |constant: &&Constant| constant.value > 0;
    if let Some(found) = constants(classes).filter(known).find(|c| plain(c.name) == wanted) {
        return Ok(found.value);
    }
    let mut characters = name.chars();
    if let (Some(one), None) = (characters.next(), characters.next()) {
        // Keys that print a character have its number; letters that of the capital.
        let upper = one.to_uppercase().next().unwrap_or(one);
        return Ok(i64::from(u32::from(if one == ' ' || !one.is_control() { upper } else { ' ' })));
    }
    // A number is a key by its code.
    if let Some(number) = super::whole(name).filter(|number| (1..1 << 24).contains(number)) {
        return Ok(number);
    }
    let names = constants(classes).map(|constant| constant.name).filter(|_| !name.is_empty());
    Err(ToolError::new(ErrorKind::BadArguments, format!("there is no key '{name}'")).hint(
        suggest::did_you_mean(
            &format!("KEY_{}", name.trim_start_matches("KEY_")),
            names,
            "name it as Godot does: KEY_SPACE, KEY_A, KEY_KP_ENTER",
        ),
    ))
}

fn constants(classes: &Classes) -> impl Iterator<Item = &Constant> {
    classes.enumeration("Key").into_iter().flat_map(|keys| &keys.constants)
}

fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    name.strip_prefix("key_").unwrap_or(&name).replace(['_', ' ', '-'], "")
}

#[cfg(test)]
mod tests {
    use scenewright_godot::classes::Version;

    use super::*;

    fn check(name: &str, expected: &str) {
        let classes = Classes::of(Version::V4_6);
        let shown = match parse(classes, name) {
            Ok(keys) => format!("{} {}", keys.code, text(classes, &keys)),
            Err(error) => format!("{}; {}", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn keys_are_known_by_all_their_names() {
        check("KEY_SPACE", "32 SPACE");
        check("space", "32 SPACE");
        check(" ", "there is no key ''; name it as Godot does: KEY_SPACE, KEY_A, KEY_KP_ENTER");
        check("a", "65 A");
        check("9", "57 9");
        check("F5", "4194336 F5");
        check("PageUp", "4194323 PAGEUP");
        check("Kp Enter", "4194310 KP_ENTER");
        check("Esc", "4194305 ESCAPE");
        check("+", "43 PLUS");
        check("Ctrl++", "43 Ctrl+PLUS");
        check("é", "201 201");
        check("Cmd+Shift+z", "90 Shift+Meta+Z");
        check("4194319", "4194319 LEFT");
    }

    #[test]
    fn unknown_keys_get_a_suggestion() {
        check(
            "KEY_SPCE",
            "there is no key 'KEY_SPCE'; did you mean KEY_SPACE or KEY_ESCAPE or KEY_C?",
        );
        check(
            "Hyperr+A",
            "'Hyperr' of 'Hyperr+A' is no modifier; one of Ctrl, Shift, Alt, Meta, CmdOrCtrl",
        );
    }
}
