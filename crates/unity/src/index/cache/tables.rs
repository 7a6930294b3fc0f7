use super::{
    MODES,
    codec::{Input, Output},
};
use crate::{
    DocumentKind,
    index::{
        AssetKind, Flags, IndexProblem, Package, PackageSource, ProblemKind, Root, RootKind,
        roots::Layout,
        segment::{LinkRow, ObjectRow, Record, Segment, Stat, Traits},
    },
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
    Some(Layout { roots, packages, serialization })
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
    for object in &segment.objects {
        out.i64(object.file_id);
        out.u32(object.class);
        out.u32(object.script);
    }
    out.count(segment.links.len());
    for link in &segment.links {
        out.i64(link.file_id);
        out.u32(link.target);
        out.u32(link.count);
    }
}

pub(super) fn read_segment(input: &mut Input<'_>) -> Option<Segment> {
    let segment = Segment {
        records: input.list(read_record)?.into(),
        names: input.text()?.into(),
        strings: input.list(|input| input.text().map(Into::into))?.into(),
        guids: input.list(Input::guid)?.into(),
        objects: input
            .list(|input| {
                let (file_id, class) = (input.i64()?, input.u32()?);
                Some(ObjectRow { file_id, class, script: input.u32()? })
            })?
            .into(),
        links: input
            .list(|input| {
                let (file_id, target) = (input.i64()?, input.u32()?);
                Some(LinkRow { file_id, target, count: input.u32()? })
            })?
            .into(),
    };
    is_sound(&segment).then_some(segment)
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
        out.u64(stat.size);
        out.i64(stat.modified);
    }
    for value in [
        record.folder,
        record.name_at,
        record.main_class,
        record.main,
        record.objects_end,
        record.links_end,
        record.line,
    ] {
        out.u32(value);
    }
    for value in [record.name_len, record.importer, record.class_name, record.note, record.flags.0]
    {
        out.u16(value);
    }
    out.u8(record.traits.0);
    out.u8(record.kind as u8);
    out.u8(number(&CONTENTS, &record.content));
}

fn read_record(input: &mut Input<'_>) -> Option<Record> {
    let guid = input.guid()?;
    let file = Stat { size: input.u64()?, modified: input.i64()? };
    let meta = Stat { size: input.u64()?, modified: input.i64()? };
    Some(Record {
        guid,
        file,
        meta,
        folder: input.u32()?,
        name_at: input.u32()?,
        main_class: input.u32()?,
        main: input.u32()?,
        objects_end: input.u32()?,
        links_end: input.u32()?,
        line: input.u32()?,
        name_len: input.u16()?,
        importer: input.u16()?,
        class_name: input.u16()?,
        note: input.u16()?,
        flags: Flags(input.u16()?),
        traits: Traits(input.u8()?),
        kind: input.choice(&AssetKind::ALL)?,
        content: input.choice(&CONTENTS)?,
    })
}
