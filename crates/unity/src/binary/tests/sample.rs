//! Writes binary files as editors do.

use crate::Guid;

/// Bytes in either order.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) out: Vec<u8>,
    pub(super) big_endian: bool,
}

impl Writer {
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Writer {
        self.out.extend(bytes);
        self
    }

    fn number<const N: usize>(&mut self, mut bytes: [u8; N]) -> &mut Writer {
        if self.big_endian {
            bytes.reverse();
        }
        self.bytes(&bytes)
    }

    pub(super) fn u8(&mut self, number: u8) -> &mut Writer {
        self.bytes(&[number])
    }

    pub(super) fn u16(&mut self, number: u16) -> &mut Writer {
        self.number(number.to_le_bytes())
    }

    pub(super) fn i32(&mut self, number: i32) -> &mut Writer {
        self.number(number.to_le_bytes())
    }

    pub(super) fn i64(&mut self, number: i64) -> &mut Writer {
        self.number(number.to_le_bytes())
    }

    pub(super) fn align(&mut self) -> &mut Writer {
        self.out.resize(self.out.len().next_multiple_of(4), 0);
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Writer {
        self.i32(text.len() as i32).bytes(text.as_bytes()).align()
    }

    pub(super) fn reference(&mut self, file: i32, id: i64) -> &mut Writer {
        self.i32(file).i64(id)
    }

    fn name(&mut self, text: &str) -> &mut Writer {
        self.bytes(text.as_bytes()).u8(0)
    }
}

/// A file that is being written.
pub(super) struct Sample {
    format: u32,
    big_endian: bool,
    version: &'static str,
    classes: Vec<(i32, Option<String>)>,
    objects: Vec<(i64, usize, Vec<u8>)>,
    externals: Vec<(Guid, i32, &'static str)>,
    inner: Vec<([&'static str; 3], String)>,
}

impl Sample {
    pub(super) fn new(format: u32, big_endian: bool, version: &'static str) -> Sample {
        let (classes, objects, externals, inner) = Default::default();
        Sample { format, big_endian, version, classes, objects, externals, inner }
    }

    /// A class by its number. The layout has a line for each node, `type name`, indented by its
    /// depth, with `*` for lists and `!` for what is filled up to four bytes.
    pub(super) fn class(&mut self, number: i32, layout: Option<&str>) {
        self.classes.push((number, layout.map(str::to_owned)));
    }

    pub(super) fn inner(&mut self, names: [&'static str; 3], layout: &str) {
        self.inner.push((names, layout.to_owned()));
    }

    pub(super) fn external(&mut self, guid: &str, kind: i32, path: &'static str) {
        self.externals.push((Guid::parse(guid).unwrap(), kind, path));
    }

    /// An object of the class at a place in the order in which they were added.
    pub(super) fn object(&mut self, id: i64, class: usize, write: impl FnOnce(&mut Writer)) {
        let mut data = self.writer();
        write(&mut data);
        self.objects.push((id, class, data.out));
    }

    pub(super) fn finish(&self) -> Vec<u8> {
        let mut data = Vec::new();
        let mut starts = Vec::new();
        for (_, _, object) in &self.objects {
            data.resize(usize::next_multiple_of(data.len(), 8), 0);
            starts.push(data.len());
            data.extend(object);
        }
        // Alignment in the lists is counted from the start of the file.
        let header = [16, 20, 48][usize::from(self.format >= 9) + usize::from(self.format >= 22)];
        let mut lists = self.writer();
        lists.out.resize(header, 0);
        self.lists(&mut lists, &starts);
        if self.format >= 9 {
            lists.out.resize(lists.out.len().next_multiple_of(16), 0);
        }
        lists.out.drain(..header);
        let size = header + lists.out.len() + data.len();
        let start = if self.format >= 9 { size - data.len() } else { header };
        let mut file = Writer { out: Vec::new(), big_endian: true };
        match self.format >= 22 {
            true => file.i64(0).i32(self.format as i32).i32(0),
            false => file
                .i32(lists.out.len() as i32)
                .i32(size as i32)
                .i32(self.format as i32)
                .i32(start as i32),
        };
        if self.format >= 9 {
            file.bytes(&[self.big_endian.into(), 0, 0, 0]);
        }
        if self.format >= 22 {
            file.i32(lists.out.len() as i32).i64(size as i64).i64(start as i64).i64(0);
        }
        match self.format >= 9 {
            true => file.bytes(&lists.out).bytes(&data),
            false => file.bytes(&data).bytes(&lists.out),
        };
        file.out
    }

    fn writer(&self) -> Writer {
        Writer { out: Vec::new(), big_endian: self.big_endian }
    }

    fn has_layouts(&self) -> bool {
        self.classes.iter().any(|(_, layout)| layout.is_some())
    }

    fn lists(&self, w: &mut Writer, starts: &[usize]) {
        let format = self.format;
        if format < 9 {
            w.u8(self.big_endian.into());
        }
        w.name(self.version);
        if format >= 8 {
            w.i32(-2);
        }
        if format >= 13 {
            w.u8(self.has_layouts().into());
        }
        w.i32(self.classes.len() as i32);
        self.classes.iter().for_each(|(number, layout)| self.write_class(w, *number, layout));
        if format < 14 {
            w.i32(0);
        }
        w.i32(self.objects.len() as i32);
        for ((id, class, data), start) in self.objects.iter().zip(starts) {
            self.place(w, *id, *class, *start, data.len());
        }
        if format >= 11 {
            w.i32(0);
        }
        w.i32(self.externals.len() as i32);
        for (guid, kind, path) in &self.externals {
            w.name("").bytes(&guid.0.map(|byte| byte.rotate_left(4))).i32(*kind).name(path);
        }
        if format >= 20 {
            w.i32(self.inner.len() as i32);
            for (names, layout) in &self.inner {
                w.i32(-1).u8(0).u16(0xffff).bytes(&[0; 16]);
                self.layout(w, layout);
                names.iter().for_each(|name| _ = w.name(name));
            }
        }
        w.name("");
    }

    fn write_class(&self, w: &mut Writer, number: i32, layout: &Option<String>) {
        let is_script = number == 114;
        w.i32(if is_script && self.format < 16 { -1 } else { number });
        if self.format >= 16 {
            w.u8(0);
        }
        if self.format >= 17 {
            w.u16(0xffff);
        }
        if self.format >= 13 {
            w.bytes(&[7; 32][..if is_script { 32 } else { 16 }]);
        }
        if let Some(layout) = layout {
            self.layout(w, layout);
            if self.format >= 21 {
                w.i32(0);
            }
        }
    }

    fn place(&self, w: &mut Writer, id: i64, class: usize, start: usize, size: usize) {
        let (format, number) = (self.format, self.classes[class].0);
        match format < 14 {
            true => w.i32(id as i32),
            false => w.align().i64(id),
        };
        match format < 22 {
            true => w.i32(start as i32),
            false => w.i64(start as i64),
        };
        w.i32(size as i32);
        match format < 16 {
            true => w.i32(if number == 114 { -1 } else { number }).u16(number as u16),
            false => w.i32(class as i32),
        };
        if format < 17 {
            w.u16(if format < 11 { 0 } else { 0xffff });
        }
        if matches!(format, 15 | 16) {
            w.u8(0);
        }
    }

    fn layout(&self, w: &mut Writer, text: &str) {
        let nodes: Vec<NodeLine<'_>> = text.lines().map(NodeLine::parse).collect();
        if self.format >= 23 {
            w.bytes(&[1; 16]).i32(1).bytes(b"mhtt").i32(23);
        }
        if self.format != 10 && self.format < 12 {
            return nodes.iter().enumerate().for_each(|(at, node)| {
                let inside = nodes[at + 1..].iter().take_while(|other| other.level > node.level);
                let children = inside.filter(|other| other.level == node.level + 1).count();
                w.name(node.type_name).name(node.name).i32(node.size()).i32(at as i32);
                w.i32(node.is_array.into()).i32(1).i32(node.meta()).i32(children as i32);
            });
        }
        let mut names = Vec::new();
        let mut place = |name: &str| {
            let at = names.len();
            names.extend(name.bytes().chain([0]));
            // `AABB` is the first in the list that all files share.
            if name == "AABB" { i32::MIN } else { at as i32 }
        };
        let mut rows = self.writer();
        for (at, node) in nodes.iter().enumerate() {
            rows.u16(1).u8(node.level as u8).u8(node.is_array.into());
            rows.i32(place(node.type_name)).i32(place(node.name)).i32(node.size()).i32(at as i32);
            rows.i32(node.meta()).bytes(&[0; 8][..if self.format >= 19 { 8 } else { 0 }]);
        }
        w.i32(nodes.len() as i32).i32(names.len() as i32).bytes(&rows.out).bytes(&names);
    }
}

struct NodeLine<'a> {
    level: usize,
    type_name: &'a str,
    name: &'a str,
    is_array: bool,
    is_align: bool,
}

impl<'a> NodeLine<'a> {
    fn parse(line: &'a str) -> NodeLine<'a> {
        let mut words = line.split_whitespace();
        let (type_name, name) = (words.next().unwrap(), words.next().unwrap());
        let flags = words.next().unwrap_or_default();
        let (is_array, is_align) = (flags.contains('*'), flags.contains('!'));
        let level = line.len() - line.trim_start().len();
        NodeLine { level, type_name, name, is_array, is_align }
    }

    fn size(&self) -> i32 {
        match self.type_name {
            "bool" | "UInt8" | "char" => 1,
            "SInt16" => 2,
            "int" | "float" => 4,
            "SInt64" => 8,
            "Empty" => 0,
            _ => -1,
        }
    }

    fn meta(&self) -> i32 {
        if self.is_align { 0x4000 } else { 0 }
    }
}
