//! The tables of a snapshot as the bytes of a cache. Whatever comes back is checked for positions
//! that lead nowhere, because a checksum can be forged.

use std::sync::OnceLock;

use super::MODES;
use super::codec::{Input, Output};
use crate::DocumentKind;
use crate::index::roots::Layout;
use crate::index::segment::{LinkRow, ObjectRow, Record, STRIPPED, Segment, Stat, Traits};
use crate::index::{
    AssetKind, Flags, IndexProblem, Package, PackageSource, ProblemKind, Root, RootKind,
};

const ROOTS: [RootKind; 6] = [
    RootKind::Assets,
    RootKind::Manifest,
    RootKind::Embedded,
    RootKind::Local,
    RootKind::Cached,
    RootKind::Settings,
];
const SOURCES: [PackageSource; 7] = [
    PackageSource::Embedded,
    PackageSource::Local,
    PackageSource::LocalTarball,
    PackageSource::Git,
    PackageSource::BuiltIn,
    PackageSource::Registry,
    PackageSource::Unknown,
];
const CONTENTS: [Option<DocumentKind>; 10] = [
    None,
    Some(DocumentKind::UnityYaml),
    Some(DocumentKind::Meta),
    Some(DocumentKind::MergeConflict),
    Some(DocumentKind::LfsPointer),
    Some(DocumentKind::SerializedFile),
    Some(DocumentKind::Binary),
    Some(DocumentKind::Json),
    Some(DocumentKind::Empty),
    Some(DocumentKind::OtherText),
];
/// The problems that a walk finds; those of assets are not kept.
const PROBLEMS: [ProblemKind; 4] = [
    ProblemKind::Unreadable,
    ProblemKind::TooDeep,
    ProblemKind::LinkLoop,
    ProblemKind::LinkOutside,
];

fn number<T: PartialEq>(all: &[T], value: &T) -> u8 {
    all.iter().position(|other| other == value).map_or(u8::MAX, |at| at as u8)
}

pub(super) fn write_layout(layout: &Layout, out: &mut Output) {
    out.u8(number(&MODES, &layout.serialization));
    out.u8(layout.lists_packages.into());
    out.count(layout.left_out.len());
    layout.left_out.iter().for_each(|path| out.text(path));
    out.count(layout.roots.len());
    for root in &layout.roots {
        out.text(&root.path);
        out.u8(number(&ROOTS, &root.kind));
        out.text(root.package.as_deref().unwrap_or(""));
    }
    out.count(layout.packages.len());
    for package in &layout.packages {
        out.text(&package.name);
        out.text(package.version.as_deref().unwrap_or(""));
        out.u8(number(&SOURCES, &package.source));
        out.u8(package.direct.into());
        out.u8(package.present.into());
    }
}

pub(super) fn read_layout(input: &mut Input<'_>) -> Option<Layout> {
    let some = |text: &str| Some(text).filter(|text| !text.is_empty()).map(Into::into);
    let serialization = input.choice(&MODES)?;
    let lists_packages = input.u8()? == 1;
    let left_out = input.list(|input| input.text().map(Into::into))?;
    let roots = input.list(|input| {
        let (path, kind) = (input.text()?.into(), input.choice(&ROOTS)?);
        Some(Root { path, kind, package: some(input.text()?) })
    })?;
    let packages = input.list(|input| {
        Some(Package {
            name: input.text()?.into(),
            version: some(input.text()?),
            source: input.choice(&SOURCES)?,
            direct: input.choice(&[false, true])?,
            present: input.choice(&[false, true])?,
        })
    })?;
    Some(Layout { roots, packages, serialization, lists_packages, left_out })
}

pub(super) fn write_problems(problems: &[IndexProblem], out: &mut Output) {
    out.count(problems.len());
    for problem in problems {
        out.text(&problem.path);
        out.u8(number(&PROBLEMS, &problem.kind));
        out.text(&problem.detail);
    }
}

pub(super) fn read_problems(input: &mut Input<'_>) -> Option<Vec<IndexProblem>> {
    input.list(|input| {
        let (path, kind) = (input.text()?.into(), input.choice(&PROBLEMS)?);
        let detail = input.text()?.into();
        Some(IndexProblem { path, kind, line: None, asset: None, detail })
    })
}

pub(super) fn write_segment(segment: &Segment, out: &mut Output) {
    out.count(segment.records.len());
    segment.records.iter().for_each(|record| write_record(record, out));
    out.text(&segment.names);
    out.count(segment.strings.len());
    segment.strings.iter().for_each(|text| out.text(text));
    out.count(segment.guids.len());
    segment.guids.iter().for_each(|guid| out.guid(*guid));
    out.count(segment.objects.len());
    let mut last = 0_i64;
    for object in &segment.objects {
        // They are sorted within an asset, so that the steps are small.
        out.signed(object.file_id.wrapping_sub(last));
        out.number(object.class.into());
        // The usual value is all ones but for the top bit, which is the last one here.
        out.number((object.script.wrapping_add(STRIPPED + 1)).rotate_left(1).into());
        last = object.file_id;
    }
    out.count(segment.links.len());
    for link in &segment.links {
        out.signed(link.file_id);
        out.number(link.target.into());
        out.number(link.count.into());
    }
}

pub(super) fn read_segment(input: &mut Input<'_>) -> Option<Segment> {
    let segment = Segment {
        records: input.list(read_record)?.into(),
        names: input.text()?.into(),
        strings: input.list(|input| input.text().map(Into::into))?.into(),
        guids: input.list(Input::guid)?.into(),
        objects: read_objects(input)?.into(),
        links: input
            .list(|input| {
                let (file_id, target) = (input.signed()?, input.small()?);
                Some(LinkRow { file_id, target, count: input.small()? })
            })?
            .into(),
        flagged: OnceLock::new(),
    };
    is_sound(&segment).then_some(segment)
}

fn read_objects(input: &mut Input<'_>) -> Option<Vec<ObjectRow>> {
    let mut last = 0_i64;
    input.list(|input| {
        last = last.wrapping_add(input.signed()?);
        let (class, script) = (input.small()?, input.small::<u32>()?);
        let script = script.rotate_right(1).wrapping_sub(STRIPPED + 1);
        Some(ObjectRow { file_id: last, class, script })
    })
}

/// True when all positions lead somewhere.
fn is_sound(segment: &Segment) -> bool {
    let targets = segment.guids.len();
    segment.guids.is_sorted()
        && segment.records.is_sorted_by_key(|record| record.objects_end)
        && segment.records.is_sorted_by_key(|record| record.links_end)
        && segment.records.last().is_none_or(|last| {
            last.objects_end as usize == segment.objects.len()
                && last.links_end as usize == segment.links.len()
        })
        && segment.links.iter().all(|link| (link.target as usize) < targets)
}

fn write_record(record: &Record, out: &mut Output) {
    out.guid(record.guid);
    for stat in [record.file, record.meta] {
        out.number(stat.size);
        out.i64(stat.modified);
    }
    for value in [
        record.folder,
        record.name_at,
        record.main_class,
        // Mostly nothing, which is all ones.
        record.main.wrapping_add(1),
        record.objects_end,
        record.links_end,
        record.line,
    ] {
        out.number(value.into());
    }
    for value in [record.name_len, record.importer, record.class_name, record.note, record.flags.0]
    {
        out.number(value.into());
    }
    out.u8(record.traits.0);
    out.u8(record.kind as u8);
    out.u8(number(&CONTENTS, &record.content));
}

fn read_record(input: &mut Input<'_>) -> Option<Record> {
    let guid = input.guid()?;
    let file = Stat { size: input.number()?, modified: input.i64()? };
    let meta = Stat { size: input.number()?, modified: input.i64()? };
    Some(Record {
        guid,
        file,
        meta,
        folder: input.small()?,
        name_at: input.small()?,
        main_class: input.small()?,
        main: input.small::<u32>()?.wrapping_sub(1),
        objects_end: input.small()?,
        links_end: input.small()?,
        line: input.small()?,
        name_len: input.small()?,
        importer: input.small()?,
        class_name: input.small()?,
        note: input.small()?,
        flags: Flags(input.small()?),
        traits: Traits(input.u8()?),
        kind: input.choice(&AssetKind::ALL)?,
        content: input.choice(&CONTENTS)?,
    })
}
