//! Files of translators: CSV, JSON and XLIFF, as far as they say which key has which text in which
//! locale.

use std::collections::BTreeMap;

use serde_json::Value;

/// One text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its row or place in the file, from 1.
    pub row: usize,
    /// The key.
    pub key: String,
    /// The locale, such as `de`.
    pub locale: String,
    /// The text.
    pub text: String,
}

/// What a file says, and what of it could not be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// The texts, in order.
    pub rows: Vec<Row>,
    /// Rows without a key, and their trouble.
    pub skipped: Vec<(usize, String)>,
}

/// Reads CSV or text with tabs. `columns` says which column has which locale; without one, a column
/// named `de` or `German(de)` has the locale `de` if `locales` knows it.
pub fn csv(
    text: &str,
    key_column: &str,
    columns: &BTreeMap<String, String>,
    locales: &[String],
) -> Result<Imported, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let first = text.lines().next().unwrap_or_default();
    let separator = [',', ';', '\t'].into_iter().max_by_key(|mark| first.matches(*mark).count());
    let mut rows = records(&text, separator.unwrap_or(',')).into_iter();
    let head = rows.next().unwrap_or_default();
    let find = |name: &str| head.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name));
    let listed = || head.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join(", ");
    let key_at = find(key_column)
        .ok_or_else(|| format!("there is no column {key_column}; the columns are {}", listed()))?;
    let mut places: Vec<(String, usize)> = Vec::new();
    for (locale, column) in columns {
        let at = find(column)
            .ok_or_else(|| format!("there is no column {column}; the columns are {}", listed()))?;
        places.push((locale.clone(), at));
    }
    if columns.is_empty() {
        let of = |cell: &str| {
            let inner = cell.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
            let code = inner.unwrap_or(cell).trim().to_owned();
            locales.iter().find(|known| known.eq_ignore_ascii_case(&code)).cloned()
        };
        let found = head.iter().enumerate().filter_map(|(at, cell)| Some((of(cell.trim())?, at)));
        places.extend(found);
    }
    if places.is_empty() {
        let known = locales.join(", ");
        return Err(format!(
            "no column is named as a locale; the locales are {known}, the columns {}",
            listed()
        ));
    }
    let mut imported = Imported::default();
    for (at, cells) in
        rows.enumerate().filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()))
    {
        let row = at + 2;
        let key = cells.get(key_at).map(|cell| cell.trim()).unwrap_or_default();
        if key.is_empty() {
            imported.skipped.push((row, "the row has no key".to_owned()));
            continue;
        }
        for (locale, place) in &places {
            let text = cells.get(*place).cloned().unwrap_or_default();
            let (key, locale) = (key.to_owned(), locale.clone());
            imported.rows.push(Row { row, key, locale, text });
        }
    }
    Ok(imported)
}

/// The cells of each record; quotes may hold separators, line breaks and quotes.
fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut all, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if is_quoted || cell.is_empty() => is_quoted = !is_quoted,
            '\n' if !is_quoted => {
                record.push(std::mem::take(&mut cell));
                all.push(std::mem::take(&mut record));
            }
            letter if letter == separator && !is_quoted => record.push(std::mem::take(&mut cell)),
            letter => cell.push(letter),
        }
    }
    if !cell.is_empty() || !record.is_empty() {
        record.push(cell);
        all.push(record);
    }
    all
}

/// Reads JSON: texts by locale by key, or by key by locale.
pub fn json(text: &str, locales: &[String]) -> Result<Imported, String> {
    let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| format!("it is no JSON: {error}"))?;
    let Value::Object(top) = value else {
        return Err("it has to be an object of keys with texts by locale".to_owned());
    };
    let locale =
        |name: &str| locales.iter().find(|known| known.eq_ignore_ascii_case(name)).cloned();
    let by_locale = !top.is_empty() && top.keys().all(|name| locale(name).is_some());
    let mut imported = Imported::default();
    for (row, (outer, inner)) in (1..).zip(&top) {
        let Value::Object(inner) = inner else {
            imported.skipped.push((row, format!("{outer} has no texts by locale")));
            continue;
        };
        for (name, text) in inner {
            let Value::String(text) = text else {
                imported.skipped.push((row, format!("{outer}.{name} is no text")));
                continue;
            };
            let (key, code) = if by_locale { (name, outer) } else { (outer, name) };
            let locale = locale(code).unwrap_or_else(|| code.clone());
            imported.rows.push(Row { row, key: key.clone(), locale, text: text.clone() });
        }
    }
    Ok(imported)
}

/// Reads XLIFF 1.2 and 2.0: the target of each unit, in the language of its file.
pub fn xliff(text: &str, locales: &[String]) -> Result<Imported, String> {
    if !text.contains("<xliff") {
        return Err("it is no XLIFF".to_owned());
    }
    let known = |code: String| {
        let same = locales.iter().find(|known| known.eq_ignore_ascii_case(&code));
        same.cloned().unwrap_or(code)
    };
    let mut imported = Imported::default();
    let (mut locale, mut row) = (None, 0);
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').unwrap_or(rest.len());
        let tag = &rest[..end];
        let name = tag.split([' ', '\n', '\r', '\t', '/']).next().unwrap_or_default();
        match name {
            "xliff" => locale = attribute(tag, "trgLang").map(known).or(locale),
            "file" => locale = attribute(tag, "target-language").map(known).or(locale),
            "trans-unit" | "unit" if !tag.ends_with('/') => {
                row += 1;
                let close = format!("</{name}>");
                let body = rest[end..].split(&close).next().unwrap_or_default();
                let key = ["resname", "name", "id"].iter().find_map(|name| attribute(tag, name));
                match (key, &locale, target(body)) {
                    (Some(key), Some(locale), Some(text)) => {
                        imported.rows.push(Row { row, key, locale: locale.clone(), text });
                    }
                    (None, ..) => imported.skipped.push((row, "the unit has no id".to_owned())),
                    (_, None, _) => return Err("it names no target language".to_owned()),
                    (Some(_), _, None) => {}
                }
            }
            _ => {}
        }
        rest = &rest[end.min(rest.len())..];
    }
    Ok(imported)
}

fn target(unit: &str) -> Option<String> {
    let start = unit.find("<target")?;
    let body = &unit[start..];
    let open = body.find('>')?;
    if body[..open].ends_with('/') {
        return None;
    }
    let inner = &body[open + 1..body.find("</target>")?];
    let plain =
        match inner.trim().strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")) {
            Some(raw) => raw.to_owned(),
            None => unescaped(inner),
        };
    Some(plain)
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.match_indices(name).find_map(|(at, _)| {
        let is_whole = tag[..at].chars().next_back().is_some_and(char::is_whitespace);
        let rest = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        is_whole.then_some(rest)
    })?;
    let quote = start.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let inner = &start[1..];
    Some(unescaped(&inner[..inner.find(quote)?]))
}

fn unescaped(text: &str) -> String {
    let mut out = text.to_owned();
    for (escape, plain) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#10;", "\n"),
        ("&amp;", "&"),
    ] {
        out = out.replace(escape, plain);
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn locales() -> Vec<String> {
        ["de", "en", "pt-BR"].map(str::to_owned).to_vec()
    }

    fn check(imported: Result<Imported, String>, expected: Expect) {
        let shown = match imported {
            Err(why) => format!("! {why}\n"),
            Ok(imported) => {
                let rows = imported.rows.iter();
                let rows = rows
                    .map(|row| format!("{} {} {}: {:?}\n", row.row, row.key, row.locale, row.text));
                let skipped = imported.skipped.iter().map(|(row, why)| format!("{row} ! {why}\n"));
                rows.chain(skipped).collect()
            }
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn csv_has_quotes_breaks_and_other_separators() {
        let of = |text: &str| csv(text, "Key", &BTreeMap::new(), &locales());
        check(
            of(
                "\u{feff}Key,Id,English(en),German(de)\r\na,1,\"One, \"\"two\"\"\r\nthree\",\r\n,,x,\r\n\r\nb,2,B,Bee",
            ),
            expect![[r#"
                2 a en: "One, \"two\"\nthree"
                2 a de: ""
                5 b en: "B"
                5 b de: "Bee"
                3 ! the row has no key
            "#]],
        );
        check(
            of("key;DE\na;Eins; zwei"),
            expect![[r#"
            2 a de: "Eins"
        "#]],
        );
        check(
            of("Name,en\na,b"),
            expect![[r#"
            ! there is no column Key; the columns are Name, en
        "#]],
        );
        check(
            of("Key,fr\na,b"),
            expect![[r#"
            ! no column is named as a locale; the locales are de, en, pt-BR, the columns Key, fr
        "#]],
        );
        check(
            of(""),
            expect![[r#"
            ! there is no column Key; the columns are 
        "#]],
        );
        let columns = BTreeMap::from([("pt-BR".to_owned(), "Portuguese".to_owned())]);
        check(
            csv("Key,Portuguese\na,Oi", "Key", &columns, &locales()),
            expect![[r#"
            2 a pt-BR: "Oi"
        "#]],
        );
        check(
            csv("Key,Other\na,Oi", "Key", &columns, &locales()),
            expect![[r#"
            ! there is no column Portuguese; the columns are Key, Other
        "#]],
        );
    }

    #[test]
    fn json_is_by_key_or_by_locale() {
        let of = |text: &str| json(text, &locales());
        check(
            of(r#"{"a": {"en": "A", "de": "Ä"}, "b": "B", "c": {"en": 1}}"#),
            expect![[r#"
            1 a en: "A"
            1 a de: "Ä"
            2 ! b has no texts by locale
            3 ! c.en is no text
        "#]],
        );
        check(
            of(r#"{"en": {"a": "A"}, "DE": {"a": "Ä"}}"#),
            expect![[r#"
            1 a en: "A"
            2 a de: "Ä"
        "#]],
        );
        check(
            of("[]"),
            expect![[r#"
            ! it has to be an object of keys with texts by locale
        "#]],
        );
        check(
            of("{"),
            expect![[r#"
            ! it is no JSON: EOF while parsing an object at line 1 column 1
        "#]],
        );
    }

    #[test]
    fn xliff_has_targets_in_both_versions() {
        let of = |text: &str| xliff(text, &locales());
        check(
            of(r#"<xliff version="1.2"><file source-language="en" target-language="de"><body>
            <trans-unit id="7" resname="menu.start"><source>Start</source><target state="final">Start &amp; los</target></trans-unit>
            <trans-unit id="menu.quit"><source>Quit</source><target/></trans-unit>
            <trans-unit id='raw'><target><![CDATA[<b>fett</b>]]></target></trans-unit></body></file></xliff>"#),
            expect![[r#"
                1 menu.start de: "Start & los"
                3 raw de: "<b>fett</b>"
            "#]],
        );
        check(
            of(
                r#"<xliff version="2.0" trgLang="PT-br"><file id="f"><unit id="1" name="a"><segment><source>A</source><target>B</target></segment></unit></file></xliff>"#,
            ),
            expect![[r#"
                1 a pt-BR: "B"
            "#]],
        );
        check(
            of(
                r#"<xliff version="1.2"><file><trans-unit id="a"><target>x</target></trans-unit></file></xliff>"#,
            ),
            expect![[r#"
                ! it names no target language
            "#]],
        );
        check(
            of("<xml/>"),
            expect![[r#"
            ! it is no XLIFF
        "#]],
        );
    }
}
