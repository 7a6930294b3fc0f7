//! The actions that every project has without naming them.

use scenewright_godot::classes::Classes;

use super::{Action, Event, joypad_axis, joypad_button, key_event, keys, read};

/// The engine's own actions as Godot 4.6 has them; older versions lack a few. A name that ends in
/// `.macos` counts there in place of the one without.
#[rustfmt::skip]
const DEFAULTS: &[(&str, &[&str])] = &[
    ("ui_accept", &["Enter", "Kp Enter", "Space"]),
    ("ui_select", &["joy 3", "Space"]),
    ("ui_cancel", &["Escape"]),
    ("ui_close_dialog", &["Escape"]),
    ("ui_close_dialog.macos", &["Meta+W", "Escape"]),
    ("ui_focus_next", &["Tab"]),
    ("ui_focus_prev", &["Shift+Tab"]),
    ("ui_left", &["Left", "joy 13", "axis 0 -1"]),
    ("ui_right", &["Right", "joy 14", "axis 0 1"]),
    ("ui_up", &["Up", "joy 11", "axis 1 -1"]),
    ("ui_down", &["Down", "joy 12", "axis 1 1"]),
    ("ui_page_up", &["PageUp"]),
    ("ui_page_down", &["PageDown"]),
    ("ui_home", &["Home"]),
    ("ui_end", &["End"]),
    ("ui_accessibility_drag_and_drop", &[]),
    ("ui_cut", &["Ctrl+X", "Shift+Delete"]),
    ("ui_copy", &["Ctrl+C", "Ctrl+Insert"]),
    ("ui_focus_mode", &["Ctrl+M"]),
    ("ui_paste", &["Ctrl+V", "Shift+Insert"]),
    ("ui_undo", &["Ctrl+Z"]),
    ("ui_redo", &["Ctrl+Shift+Z", "Ctrl+Y"]),
    ("ui_text_completion_query", &["Ctrl+Space"]),
    ("ui_text_completion_accept", &["Tab", "Enter", "Kp Enter"]),
    ("ui_text_completion_replace", &["Shift+Tab", "Shift+Enter", "Shift+Kp Enter"]),
    ("ui_text_newline", &["Enter", "Kp Enter"]),
    ("ui_text_newline_blank", &["Ctrl+Enter", "Ctrl+Kp Enter"]),
    ("ui_text_newline_above", &["Ctrl+Shift+Enter", "Ctrl+Shift+Kp Enter"]),
    ("ui_text_indent", &["Tab"]),
    ("ui_text_dedent", &["Shift+Tab"]),
    ("ui_text_backspace", &["Backspace", "Shift+Backspace"]),
    ("ui_text_backspace_word", &["Ctrl+Backspace"]),
    ("ui_text_backspace_word.macos", &["Alt+Backspace"]),
    ("ui_text_backspace_all_to_left", &[]),
    ("ui_text_backspace_all_to_left.macos", &["Ctrl+Backspace"]),
    ("ui_text_delete", &["Delete"]),
    ("ui_text_delete_word", &["Ctrl+Delete"]),
    ("ui_text_delete_word.macos", &["Alt+Delete"]),
    ("ui_text_delete_all_to_right", &[]),
    ("ui_text_delete_all_to_right.macos", &["Ctrl+Delete"]),
    ("ui_text_caret_left", &["Left"]),
    ("ui_text_caret_word_left", &["Ctrl+Left"]),
    ("ui_text_caret_word_left.macos", &["Alt+Left"]),
    ("ui_text_caret_right", &["Right"]),
    ("ui_text_caret_word_right", &["Ctrl+Right"]),
    ("ui_text_caret_word_right.macos", &["Alt+Right"]),
    ("ui_text_caret_up", &["Up"]),
    ("ui_text_caret_down", &["Down"]),
    ("ui_text_caret_line_start", &["Home"]),
    ("ui_text_caret_line_start.macos", &["Ctrl+A", "Ctrl+Left", "Home"]),
    ("ui_text_caret_line_end", &["End"]),
    ("ui_text_caret_line_end.macos", &["Ctrl+E", "Ctrl+Right", "End"]),
    ("ui_text_caret_page_up", &["PageUp"]),
    ("ui_text_caret_page_down", &["PageDown"]),
    ("ui_text_caret_document_start", &["Ctrl+Home"]),
    ("ui_text_caret_document_start.macos", &["Ctrl+Up", "Ctrl+Home"]),
    ("ui_text_caret_document_end", &["Ctrl+End"]),
    ("ui_text_caret_document_end.macos", &["Ctrl+Down", "Ctrl+End"]),
    ("ui_text_caret_add_below", &["Ctrl+Shift+Down"]),
    ("ui_text_caret_add_below.macos", &["Ctrl+Shift+L"]),
    ("ui_text_caret_add_above", &["Ctrl+Shift+Up"]),
    ("ui_text_caret_add_above.macos", &["Ctrl+Shift+O"]),
    ("ui_text_scroll_up", &["Ctrl+Up"]),
    ("ui_text_scroll_up.macos", &["Ctrl+Alt+Up"]),
    ("ui_text_scroll_down", &["Ctrl+Down"]),
    ("ui_text_scroll_down.macos", &["Ctrl+Alt+Down"]),
    ("ui_text_select_all", &["Ctrl+A"]),
    ("ui_text_select_word_under_caret", &["Alt+G"]),
    ("ui_text_select_word_under_caret.macos", &["Ctrl+Meta+G"]),
    ("ui_text_add_selection_for_next_occurrence", &["Ctrl+D"]),
    ("ui_text_skip_selection_for_next_occurrence", &["Ctrl+Alt+D"]),
    ("ui_text_clear_carets_and_selection", &["Escape"]),
    ("ui_text_toggle_insert_mode", &["Insert"]),
    ("ui_menu", &["Menu"]),
    ("ui_text_submit", &["Enter", "Kp Enter"]),
    ("ui_unicode_start", &["Ctrl+Shift+U"]),
    ("ui_graph_duplicate", &["Ctrl+D"]),
    ("ui_graph_delete", &["Delete"]),
    ("ui_graph_follow_left", &["Ctrl+Left"]),
    ("ui_graph_follow_left.macos", &["Alt+Left"]),
    ("ui_graph_follow_right", &["Ctrl+Right"]),
    ("ui_graph_follow_right.macos", &["Alt+Right"]),
    ("ui_filedialog_delete", &["Delete"]),
    ("ui_filedialog_up_one_level", &["Backspace"]),
    ("ui_filedialog_refresh", &["F5"]),
    ("ui_filedialog_show_hidden", &["H"]),
    ("ui_filedialog_find", &["Ctrl+F"]),
    ("ui_filedialog_focus_path", &["Ctrl+L"]),
    ("ui_filedialog_focus_path.macos", &["Ctrl+G", "Ctrl+L"]),
    ("ui_swap_input_direction", &["Ctrl+QuoteLeft"]),
    ("ui_colorpicker_delete_preset", &["joy 2", "Delete"]),
];

/// The engine's actions, by name.
pub fn defaults(classes: &Classes) -> Vec<Action> {
    let mut actions: Vec<Action> = DEFAULTS
        .iter()
        .map(|(name, events)| Action {
            name: (*name).to_owned(),
            deadzone: 0.5,
            events: events.iter().filter_map(|event| default_event(classes, event)).collect(),
            builtin: true,
        })
        .collect();
    actions.sort_by(|a, b| a.name.cmp(&b.name));
    actions
}

fn default_event(classes: &Classes, text: &str) -> Option<Event> {
    let mut words = text.split(' ');
    let value = match (words.next()?, words.next(), words.next()) {
        ("joy", Some(button), None) => joypad_button(button.parse().ok()?, -1),
        ("axis", Some(axis), Some(value)) => {
            joypad_axis(axis.parse().ok()?, value.parse().ok()?, -1)
        }
        _ => key_event(classes, &keys::parse(classes, text).ok()?, false, -1),
    };
    Some(read(&value, classes))
}

#[cfg(test)]
mod tests {
    use scenewright_godot::classes::Version;

    use super::*;

    #[test]
    fn every_default_is_understood() {
        let actions = defaults(Classes::of(Version::V4_6));
        assert_eq!(actions.len(), DEFAULTS.len());
        for (name, events) in DEFAULTS {
            let action = actions.iter().find(|action| action.name == *name).unwrap();
            assert_eq!(action.events.len(), events.len(), "{name}");
        }
    }
}
