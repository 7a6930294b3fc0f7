//! Addressables: the entries of groups, and groups that are made like others. The settings list the
//! groups and the labels.

use scenewright_text::Edits;

use crate::edit::{Item, Manner, New, Refused, append, set, set_list};
use crate::{Document, Guid, Object, Reference, Value};

/// The list of a group's entries, and what an entry has.
const ENTRIES: &str = "m_SerializeEntries";
const GUID: &str = "m_GUID";
const ADDRESS: &str = "m_Address";
const LABELS: &str = "m_SerializedLabels";

/// A group of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// What settings and schemas call it; mostly the guid of its file.
    pub id: String,
    /// Nobody may change it.
    pub is_read_only: bool,
    /// The entries: guids of assets with their addresses.
    pub entries: Vec<(Guid, String)>,
    /// The files of its settings for building.
    pub schemas: Vec<Guid>,
}

impl Group {
    /// Reads a group; nothing when the document holds none.
    pub fn read(document: &Document) -> Option<Group> {
        let object = group(document)?;
        let text = |key: &str| object.get(key).map(|value| value.text().into_owned());
        let entries = object.get("m_SerializeEntries").into_iter().flat_map(Value::items);
        let schemas = object.get("m_SchemaSet.m_Schemas").into_iter().flat_map(Value::items);
        Some(Group {
            name: text("m_GroupName").or_else(|| text("m_Name")).unwrap_or_default(),
            id: text("m_GUID").unwrap_or_default(),
            is_read_only: object.get("m_ReadOnly").and_then(Value::as_bool) == Some(true),
            entries: entries
                .filter_map(|entry| {
                    let address = entry.get("m_Address")?.text().into_owned();
                    Some((entry.get("m_GUID")?.as_guid()?, address))
                })
                .collect(),
            schemas: schemas.filter_map(|to| to.as_reference()?.guid).collect(),
        })
    }
}

/// The fields of an entry.
pub type Entry = Vec<(String, New)>;

/// What a call gives an entry; what it leaves out stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'g> {
    /// Its address.
    pub address: Option<&'g str>,
    /// All of its labels.
    pub labels: Option<&'g [String]>,
}

/// The entry of an asset in a group, if it is in it.
pub fn entry_of(document: &Document, guid: Guid) -> Option<Entry> {
    let entry = entries(document).into_iter().find(|entry| guid_of(entry) == Some(guid))?;
    Some(entry.fields().map(|(key, value)| (key.into_owned(), New::copy_of(value))).collect())
}

/// An entry that a group gets, with the fields that its others have: older packages write fewer.
pub fn new_entry(document: &Document, guid: Guid, address: &str) -> Entry {
    let fields = [
        (GUID, New::Text(guid.to_string())),
        (ADDRESS, New::Text(address.to_owned())),
        ("m_ReadOnly", New::int(0)),
        (LABELS, New::List(Vec::new())),
        ("FlaggedDuringContentUpdateRestriction", New::int(0)),
    ];
    let known = entries(document);
    let is_written = |key: &str| known.first().is_none_or(|entry| entry.get(key).is_some());
    let fields = fields.into_iter().filter(|(key, _)| is_written(key));
    fields.map(|(key, value)| (key.to_owned(), value)).collect()
}

impl Given<'_> {
    /// An entry with what is given.
    pub fn over(self, mut entry: Entry) -> Entry {
        let address = self.address.map(|address| New::Text(address.to_owned()));
        let labels = self.labels.map(|labels| labels.iter().cloned().map(New::Text).collect());
        for (key, new) in [(ADDRESS, address), (LABELS, labels.map(New::List))] {
            let place = entry.iter_mut().find(|(known, _)| known == key);
            if let (Some((_, value)), Some(new)) = (place, new) {
                *value = new;
            }
        }
        entry
    }
}

/// Put an entry into a group: in its place where the entries are in the order of their guids.
pub fn add_entry(
    document: &Document,
    guid: Guid,
    entry: Entry,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let missing = || Refused::NoPlace(ENTRIES.into());
    let object = group(document).ok_or_else(missing)?;
    let entries = entries(document);
    let guids: Vec<Option<Guid>> = entries.iter().map(guid_of).collect();
    let at = match guids.is_sorted() {
        true => guids.partition_point(|other| *other < Some(guid)),
        false => entries.len(),
    };
    let mut items: Vec<Item> = (0..entries.len()).map(Item::Old).collect();
    items.insert(at, Item::New(New::Map(entry)));
    set_list(object, ENTRIES, &items, manner, edits)
}

/// Change an entry where it is.
pub fn set_entry(
    document: &Document,
    guid: Guid,
    given: Given<'_>,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let missing = || Refused::NoPlace(ENTRIES.into());
    let object = group(document).ok_or_else(missing)?;
    let entries = entries(document);
    let at = entries.iter().position(|entry| guid_of(entry) == Some(guid)).ok_or_else(missing)?;
    let text = |value: Value<'_>| value.text().into_owned();
    let old = entries[at].get(ADDRESS).map(text);
    if let Some(address) = given.address.filter(|address| old.as_deref() != Some(*address)) {
        let path = format!("{ENTRIES}[{at}].{ADDRESS}");
        set(object, &path, &New::Text(address.to_owned()), manner, edits)?;
    }
    let Some(labels) = given.labels else { return Ok(()) };
    let old = entries[at].get(LABELS).into_iter().flat_map(Value::items);
    let old: Vec<String> = old.map(text).collect();
    if old == labels {
        return Ok(());
    }
    let item = |label: &String| match old.iter().position(|known| known == label) {
        Some(at) => Item::Old(at),
        None => Item::New(New::Text(label.clone())),
    };
    let items: Vec<Item> = labels.iter().map(item).collect();
    set_list(object, &format!("{ENTRIES}[{at}].{LABELS}"), &items, manner, edits)
}

fn entries(document: &Document) -> Vec<Value<'_>> {
    let list = group(document).and_then(|object| object.get(ENTRIES));
    list.into_iter().flat_map(Value::items).collect()
}

fn guid_of(entry: &Value<'_>) -> Option<Guid> {
    entry.get(GUID)?.as_guid()
}

/// Take an asset out of a group; false when it is not in it.
pub fn remove_entry(
    document: &Document,
    guid: Guid,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<bool, Refused> {
    let object = group(document).ok_or_else(|| Refused::NoPlace(ENTRIES.into()))?;
    let entries = entries(document);
    let is_it = |entry: &Value<'_>| guid_of(entry) == Some(guid);
    let kept: Vec<Item> =
        (0..entries.len()).filter(|at| !is_it(&entries[*at])).map(Item::Old).collect();
    let is_there = kept.len() < entries.len();
    if is_there {
        set_list(object, ENTRIES, &kept, manner, edits)?;
    }
    Ok(is_there)
}

/// Give the settings the labels that they lack.
pub fn add_labels(
    document: &Document,
    labels: &[String],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    const LIST: &str = "m_LabelTable.m_LabelNames";
    let missing = || Refused::NoPlace(LIST.into());
    let settings = settings(document).ok_or_else(missing)?;
    let list = settings.get(LIST).ok_or_else(missing)?;
    let known: Vec<String> = list.items().map(|label| label.text().into_owned()).collect();
    let mut items: Vec<Item> = (0..known.len()).map(Item::Old).collect();
    let mut new: Vec<&String> = labels.iter().filter(|label| !known.contains(label)).collect();
    new.dedup();
    if new.is_empty() {
        return Ok(());
    }
    items.extend(new.into_iter().map(|label| Item::New(New::Text(label.clone()))));
    set_list(settings, LIST, &items, manner, edits)
}

/// Add a group to the settings.
pub fn list_group(
    document: &Document,
    group: Guid,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let settings = settings(document).ok_or_else(|| Refused::NoPlace("m_GroupAssets".into()))?;
    append(settings, "m_GroupAssets", New::Reference(asset(group)), manner, edits)
}

/// The text of a new group that is like another one, without its entries.
pub fn group_like(
    document: &Document,
    name: &str,
    guid: Guid,
    schemas: &[Guid],
) -> Result<String, Refused> {
    let object = group(document).ok_or_else(|| Refused::NoPlace("a group".into()))?;
    let schemas = schemas.iter().map(|schema| New::Reference(asset(*schema))).collect();
    let changes = [
        ("m_Name", New::Text(name.to_owned())),
        ("m_GroupName", New::Text(name.to_owned())),
        ("m_GUID", New::Text(guid.to_string())),
        ("m_SerializeEntries", New::List(Vec::new())),
        ("m_ReadOnly", New::int(0)),
        ("m_SchemaSet.m_Schemas", New::List(schemas)),
    ];
    changed(document, object, &changes)
}

/// The text of a schema that is like another one, for another group.
pub fn schema_like(document: &Document, name: &str, group: Guid) -> Result<String, Refused> {
    let object = document.objects().find(|object| object.get("m_Group").is_some());
    let object = object.ok_or_else(|| Refused::NoPlace("a schema".into()))?;
    let changes =
        [("m_Name", New::Text(name.to_owned())), ("m_Group", New::Reference(asset(group)))];
    changed(document, object, &changes)
}

/// The id of the group that the settings give new entries to.
pub fn default_group(document: &Document) -> Option<String> {
    let id = settings(document)?.get("m_DefaultGroup")?;
    Some(id.text().into_owned()).filter(|id| !id.is_empty())
}

/// The name of a schema of a new group that is made after `model`: schemas have their group's id or its name
/// before their class, by the version of the package. One that was renamed since gets the name.
pub fn schema_name(old: &str, model: &Group, name: &str, id: Guid, class: &str) -> String {
    let behind = |own: &str| old.strip_prefix(own).filter(|rest| rest.starts_with('_'));
    match (behind(&model.id), behind(&model.name)) {
        (Some(rest), _) => format!("{id}{rest}"),
        (None, Some(rest)) => format!("{name}{rest}"),
        (None, None) => format!("{name}_{class}"),
    }
}

/// The names of the profiles of the settings, with whether each is the active one.
pub fn profiles(document: &Document) -> Vec<(String, bool)> {
    let Some(settings) = settings(document) else { return Vec::new() };
    let active = settings.get("m_ActiveProfileId").map(|id| id.text().into_owned());
    let list = settings.get("m_ProfileSettings.m_Profiles").into_iter().flat_map(Value::items);
    let profile = |item: Value<'_>| {
        let is_active = item.get("m_Id").map(|id| id.text().into_owned()) == active;
        Some((item.get("m_ProfileName")?.text().into_owned(), is_active))
    };
    list.filter_map(profile).collect()
}

/// Whether a document holds the settings.
pub fn is_settings(document: &Document) -> bool {
    settings(document).is_some()
}

fn changed(
    document: &Document,
    object: Object<'_>,
    changes: &[(&str, New)],
) -> Result<String, Refused> {
    let (manner, mut edits) = (Manner::of(document), Edits::default());
    changes.iter().try_for_each(|(path, new)| set(object, path, new, &manner, &mut edits))?;
    let after = edits.apply(document.as_bytes()).map_err(|_| Refused::Shape("the file".into()))?;
    String::from_utf8(after).map_err(|_| Refused::Shape("the file".into()))
}

fn asset(guid: Guid) -> Reference {
    Reference { file_id: crate::FileId(11_400_000), guid: Some(guid), kind: 2 }
}

fn group(document: &Document) -> Option<Object<'_>> {
    document.objects().find(|object| object.get("m_SerializeEntries").is_some())
}

fn settings(document: &Document) -> Option<Object<'_>> {
    document.objects().find(|object| object.get("m_GroupAssets").is_some())
}
