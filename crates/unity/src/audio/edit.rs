//! Groups and snapshots that are added to a mixer, as the editor adds them.

use std::collections::HashSet;

use scenewright_text::Edits;

use super::{CONTROLLER, EFFECT, reference};
use crate::edit::{
    Manner, New, NewObject, Refused, append, fresh_asset_id, inner_guid, insert_copy, insert_object,
};
use crate::{Document, FileId, Guid, Object, Reference};

/// Add a group below another one: with its own parameters, an attenuation, and shown in the view that
/// is open. No snapshot holds a value for it yet, so that it plays at 0 dB.
pub fn create_group(
    document: &Document,
    parent: FileId,
    name: &str,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let above = document.object(parent).ok_or_else(|| Refused::NoPlace("the group".into()))?;
    let seed = |what: &str| format!("{}/{parent}/{name}/{what}", seed_of(document));
    let mut taken = HashSet::new();
    let group = fresh_asset_id(document, &taken, &seed("group"));
    taken.insert(group.0);
    let effect = fresh_asset_id(document, &taken, &seed("effect"));
    let guid = |what: &str| New::Text(inner_guid(&seed(what)).to_string());
    let mut changes = vec![
        ("m_Name", New::Text(name.to_owned())),
        ("m_GroupID", guid("id")),
        ("m_Children", New::List(Vec::new())),
        ("m_Volume", guid("volume")),
        ("m_Pitch", guid("pitch")),
        ("m_Effects", New::List(vec![New::local(effect)])),
        ("m_UserColorIndex", New::int(0)),
        ("m_Mute", New::int(0)),
        ("m_Solo", New::int(0)),
        ("m_BypassEffects", New::int(0)),
    ];
    // Newer versions have it; nobody sends from a new group.
    if above.get("m_Send").is_some() {
        changes.push(("m_Send", New::Text(Guid::default().to_string())));
    }
    let add_group = |edits: &mut Edits| insert_copy(above, group, &changes, manner, edits);
    let ids = (guid("effect"), guid("mix"));
    let add_effect = |edits: &mut Edits| attenuation(document, effect, ids, manner, edits);
    // What is put in at one place has to come in order.
    if group < effect {
        add_group(edits)?;
        add_effect(edits)?;
    } else {
        add_effect(edits)?;
        add_group(edits)?;
    }
    append(above, "m_Children", New::local(group), manner, edits)?;
    show(document, &inner_guid(&seed("id")), manner, edits)?;
    Ok(group)
}

/// Add a snapshot with the values of another one.
pub fn create_snapshot(
    document: &Document,
    from: FileId,
    name: &str,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let missing = || Refused::NoPlace("the snapshot".into());
    let source = document.object(from).ok_or_else(missing)?;
    let mixer = controller(document).ok_or_else(missing)?;
    let seed = format!("{}/{name}/snapshot", seed_of(document));
    let id = fresh_asset_id(document, &HashSet::new(), &seed);
    let guid = inner_guid(&seed).to_string();
    let changes = [("m_Name", New::Text(name.to_owned())), ("m_SnapshotID", New::Text(guid))];
    insert_copy(source, id, &changes, manner, edits)?;
    append(mixer, "m_Snapshots", New::local(id), manner, edits)?;
    Ok(id)
}

fn controller(document: &Document) -> Option<Object<'_>> {
    document.objects().find(|object| object.class_id() == CONTROLLER)
}

/// Something that no other mixer has: its master group's identity.
fn seed_of(document: &Document) -> String {
    let master = controller(document).and_then(|mixer| reference(mixer, "m_MasterGroup"));
    let master = master.and_then(|master| document.object(master.file_id));
    master
        .and_then(|master| master.get("m_GroupID"))
        .map(|id| id.text().into_owned())
        .unwrap_or_default()
}

/// The effect that every group has: like one that is there, or as newer versions write it.
fn attenuation(
    document: &Document,
    id: FileId,
    (effect, mix): (New, New),
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let nothing = || New::Reference(Reference { file_id: FileId::NULL, guid: None, kind: 0 });
    let changes = [
        ("m_Name", New::Text(String::new())),
        ("m_EffectID", effect),
        ("m_EffectName", New::Text("Attenuation".into())),
        ("m_MixLevel", mix),
        ("m_Parameters", New::List(Vec::new())),
        ("m_SendTarget", nothing()),
        ("m_EnableWetMix", New::int(0)),
        ("m_Bypass", New::int(0)),
    ];
    if let Some(other) = document.objects().find(|object| object.class_id() == EFFECT) {
        return insert_copy(other, id, &changes, manner, edits);
    }
    let links = ["m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset"];
    let mut fields = vec![("m_ObjectHideFlags".to_owned(), New::int(3))];
    fields.extend(links.map(|key| (key.to_owned(), nothing())));
    fields.extend(changes.map(|(key, value)| (key.to_owned(), value)));
    let key = "AudioMixerEffectController".to_owned();
    let object = NewObject { class: EFFECT, id, key, stripped: false, fields };
    insert_object(document, &object, manner, edits);
    Ok(())
}

/// Adds the group to the view that the mixer's window shows; a mixer without views shows all.
fn show(
    document: &Document,
    group: &Guid,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let Some(mixer) = controller(document) else { return Ok(()) };
    let current = mixer.get("m_CurrentViewIndex").and_then(|index| index.as_u64()).unwrap_or(0);
    let path = format!("m_AudioMixerGroupViews[{current}].guids");
    if mixer.get(&path).is_none() {
        return Ok(());
    }
    append(mixer, &path, New::Text(group.to_string()), manner, edits)
}
