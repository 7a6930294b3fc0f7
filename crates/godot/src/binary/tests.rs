//! A library of animations that Godot 4.6 saved, plain, packed, and with the highest byte first.

use std::fmt::Write;

use expect_test::expect;

use super::*;

const PLAIN: &[u8] = include_bytes!("samples/wave.res");
const PACKED: &[u8] = include_bytes!("samples/wave_packed.res");
const BIG: &[u8] = include_bytes!("samples/wave_big.res");

#[test]
fn paths_of_tracks_are_found_in_every_form() {
    for bytes in [PLAIN, PACKED, BIG] {
        let read = BinaryResource::parse(bytes).unwrap();
        let mut shown = format!("{} {:?}\n", read.class, read.files);
        for found in &read.node_paths {
            writeln!(shown, "{} {} {}", found.class, found.property, found.path).unwrap();
        }
        expect![[r#"
            AnimationLibrary []
            Animation tracks/0/path Body/Arm:rotation
            Animation tracks/1/path Timer
            Animation tracks/1/keys /root/A:b:c
        "#]]
        .assert_eq(&shown);
    }
}

#[test]
fn any_damage_is_an_error_and_nothing_else() {
    for bytes in [PLAIN, PACKED, BIG] {
        for end in 0..bytes.len() {
            let _ = BinaryResource::parse(&bytes[..end]);
        }
        assert!(BinaryResource::parse(&bytes[..bytes.len() / 2]).is_err());
        for at in 0..bytes.len() {
            for byte in [0x00, 0x7f, 0x80, 0xff] {
                let mut damaged = bytes.to_vec();
                damaged[at] = byte;
                let _ = BinaryResource::parse(&damaged);
            }
        }
    }
    assert_eq!(BinaryResource::parse(b"[gd_resource]"), Err("it is no binary resource".to_owned()));
    // A block that unpacks to far more than it says.
    let mut bomb = PACKED.to_vec();
    bomb[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(BinaryResource::parse(&bomb).is_err());
}
