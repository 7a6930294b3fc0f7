//! Tables of translated texts: what files of translators say ([`import`]), and how it gets into the
//! assets of a collection. The keys and their ids are in its shared data, the texts in a table for
//! each locale.

pub mod import;

use std::collections::HashMap;

use scenewright_text::Edits;

use crate::edit::{Item, Manner, New, Refused, set, set_list};
use crate::{Document, Object};

/// Ids of one millisecond of the package's own generator; the next free one is so far away.
const STEP: i64 = 4096;

/// The keys of a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    ids: HashMap<String, i64>,
    last: i64,
    /// Those that were added, in order.
    added: Vec<(String, i64)>,
}

impl Keys {
    /// Reads the shared data of a collection; nothing when the document holds none.
    pub fn read(document: &Document) -> Option<Keys> {
        let entries = shared(document)?.get("m_Entries")?;
        let mut keys = Keys::default();
        for entry in entries.items() {
            let id = entry.get("m_Id").and_then(|id| id.as_i64());
            let (Some(id), Some(key)) = (id, entry.get("m_Key")) else { continue };
            keys.last = keys.last.max(id);
            keys.ids.insert(key.text().into_owned(), id);
        }
        Some(keys)
    }

    /// The id of a key, which is added where there is none.
    pub fn id(&mut self, key: &str) -> i64 {
        if let Some(id) = self.ids.get(key) {
            return *id;
        }
        self.last += STEP;
        self.ids.insert(key.to_owned(), self.last);
        self.added.push((key.to_owned(), self.last));
        self.last
    }

    /// Every key.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }

    /// How many keys were added.
    pub fn added(&self) -> usize {
        self.added.len()
    }

    /// Write the keys that were added.
    pub fn write(
        &self,
        document: &Document,
        manner: &Manner,
        edits: &mut Edits,
    ) -> Result<(), Refused> {
        let object = shared(document).ok_or_else(|| Refused::NoPlace("m_Entries".into()))?;
        let first = object.get("m_Entries[0]");
        let has_metadata = first.is_none_or(|first| first.get("m_Metadata").is_some());
        let entry = |(key, id): &(String, i64)| entry(*id, ("m_Key", key), has_metadata);
        append_all(object, "m_Entries", self.added.iter().map(entry).collect(), manner, edits)
    }
}

/// What became of the texts of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Texts that were not there.
    pub added: usize,
    /// Texts that are others now.
    pub updated: usize,
    /// Texts that are others in the table, and stay.
    pub kept: usize,
}

/// A table of one locale that gets texts.
#[derive(Debug, Default)]
pub struct Texts {
    updates: Vec<(usize, String)>,
    added: Vec<(i64, String)>,
    /// What becomes of them.
    pub counts: Counts,
}

impl Texts {
    /// Compares texts by the ids of their keys with those of a table.
    pub fn compare(document: &Document, texts: &[(i64, String)], overwrite: bool) -> Option<Texts> {
        let rows = table(document)?.get("m_TableData")?;
        let mut known: HashMap<i64, (usize, String)> = HashMap::new();
        for (at, row) in rows.items().enumerate() {
            if let Some(id) = row.get("m_Id").and_then(|id| id.as_i64()) {
                let text = row.get("m_Localized").map(|text| text.text().into_owned());
                known.insert(id, (at, text.unwrap_or_default()));
            }
        }
        let mut compared = Texts::default();
        for (id, text) in texts {
            match known.get(id) {
                None => {
                    compared.added.push((*id, text.clone()));
                    compared.counts.added += 1;
                }
                Some((_, old)) if old == text => {}
                Some((at, old)) if overwrite || old.is_empty() => {
                    compared.updates.push((*at, text.clone()));
                    match old.is_empty() {
                        true => compared.counts.added += 1,
                        false => compared.counts.updated += 1,
                    }
                }
                Some(_) => compared.counts.kept += 1,
            }
        }
        Some(compared)
    }

    /// Write the texts that are others; first of the two, for it counts rows.
    pub fn write_updates(
        &self,
        document: &Document,
        manner: &Manner,
        edits: &mut Edits,
    ) -> Result<(), Refused> {
        let object = table(document).ok_or_else(|| Refused::NoPlace("m_TableData".into()))?;
        self.updates.iter().try_for_each(|(at, text)| {
            let path = format!("m_TableData[{at}].m_Localized");
            set(object, &path, &New::Text(text.clone()), manner, edits)
        })
    }

    /// Write the texts that were not there.
    pub fn write_added(
        &self,
        document: &Document,
        manner: &Manner,
        edits: &mut Edits,
    ) -> Result<(), Refused> {
        let object = table(document).ok_or_else(|| Refused::NoPlace("m_TableData".into()))?;
        let first = object.get("m_TableData[0]");
        let has_metadata = first.is_none_or(|first| first.get("m_Metadata").is_some());
        let rows =
            self.added.iter().map(|(id, text)| entry(*id, ("m_Localized", text), has_metadata));
        append_all(object, "m_TableData", rows.collect(), manner, edits)
    }
}

/// The locale of a table of texts, and the guid of its collection's shared data.
pub fn locale_of(document: &Document) -> Option<(String, crate::Guid)> {
    let object = table(document)?;
    let code = object.get("m_LocaleId.m_Code")?.text().into_owned();
    Some((code, object.get("m_SharedData")?.as_reference()?.guid?))
}

/// The name of the collection whose shared data a document is.
pub fn collection_of(document: &Document) -> Option<String> {
    Some(shared(document)?.get("m_TableCollectionName")?.text().into_owned())
}

fn shared(document: &Document) -> Option<Object<'_>> {
    document.objects().find(|object| {
        object.get("m_TableCollectionName").is_some() && object.get("m_Entries").is_some()
    })
}

fn table(document: &Document) -> Option<Object<'_>> {
    document
        .objects()
        .find(|object| object.get("m_LocaleId").is_some() && object.get("m_TableData").is_some())
}

fn entry(id: i64, (key, text): (&str, &str), has_metadata: bool) -> New {
    let mut fields =
        vec![("m_Id".to_owned(), New::int(id)), (key.to_owned(), New::Text(text.to_owned()))];
    if has_metadata {
        let items = vec![("m_Items".to_owned(), New::List(Vec::new()))];
        fields.push(("m_Metadata".to_owned(), New::Map(items)));
    }
    New::Map(fields)
}

fn append_all(
    object: Object<'_>,
    path: &str,
    new: Vec<New>,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    if new.is_empty() {
        return Ok(());
    }
    let list = object.get(path).ok_or_else(|| Refused::NoPlace(path.into()))?;
    let old = (0..list.items().count()).map(Item::Old);
    let items: Vec<Item> = old.chain(new.into_iter().map(Item::New)).collect();
    set_list(object, path, &items, manner, edits)
}
