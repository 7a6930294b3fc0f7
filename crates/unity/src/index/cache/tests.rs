//! Caches that come back, and damaged or forged ones that do not.

use scenewright_fixture::Folder;

use super::*;

fn saved() -> (Folder, Vec<u8>) {
    let dir = Folder::files(
        "//- Assets/a.mat\n--- !u!21 &2100000\nMaterial:\n  t: {fileID: 1, guid: a0000000000000000000000000000001, type: 3}\n\
         //- Assets/a.mat.meta\nguid: a0000000000000000000000000000002\n//- Packages/manifest.json\n{\"dependencies\": {\"com.a\": \"1.0.0\"}}\n",
    );
    let path = dir.path("cache.bin");
    Index::build(dir.root(), None, &()).unwrap().save(&path).unwrap();
    let bytes = fs::read(path).unwrap();
    (dir, bytes)
}

fn load(dir: &Folder, bytes: &[u8]) -> Option<Index> {
    Index::decode(bytes, dir.root())
}

#[test]
fn comes_back_as_it_was() {
    let (dir, bytes) = saved();
    let index = load(&dir, &bytes).unwrap();
    let built = Index::build(dir.root(), None, &()).unwrap();
    assert_eq!(index.layout, built.layout);
    assert_eq!(index.counts(), built.counts());
    assert!(index.by_path("Assets/a.mat").is_some());
    // Saving what was loaded gives the same bytes.
    index.save(&dir.path("again.bin")).unwrap();
    assert_eq!(fs::read(dir.path("again.bin")).unwrap(), bytes);
}

#[test]
fn any_damage_is_noticed() {
    let (dir, bytes) = saved();
    for at in 0..bytes.len() {
        assert!(load(&dir, &bytes[..at]).is_none(), "cut at {at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(load(&dir, &damaged).is_none(), "changed at {at}");
    }
    assert!(load(&dir, &[&bytes[..], b"x"].concat()).is_none());
    assert!(Index::load(&dir.path("none"), dir.root()).is_none());
}

/// Even with a checksum that fits, wrong numbers are refused or at least harmless.
#[test]
fn forged_bytes_do_no_harm() {
    let (dir, bytes) = saved();
    for at in 16..bytes.len() {
        for value in [1, 0xff] {
            let mut forged = bytes.clone();
            forged[at] = value;
            let Some((_, pieces)) = split(&forged) else { continue };
            let sum = checksum(&pieces).to_le_bytes();
            forged[8..16].copy_from_slice(&sum);
            let Some(index) = load(&dir, &forged) else { continue };
            for asset in index.assets() {
                let _ = (asset.main_script(), asset.objects().count(), asset.flags().to_string());
                let _: usize =
                    asset.outgoing().map(|to| index.incoming(to.target.guid).len()).sum();
                let _ = (asset.package(), asset.unity_path(), asset.modified(), asset.note());
            }
            index.problems();
        }
    }
}

#[test]
fn numbers_of_any_size_come_back() {
    let mut out = Output::default();
    let (large, signed) = ([0, 0x7f, 0x80, u64::MAX], [0, -1, 63, -64, 64, i64::MIN, i64::MAX]);
    large.iter().for_each(|value| out.number(*value));
    signed.iter().for_each(|value| out.signed(*value));
    let mut input = Input { bytes: &out.bytes };
    assert_eq!(large.map(|_| input.number()), large.map(Some));
    assert_eq!(signed.map(|_| input.signed()), signed.map(Some));
    assert_eq!((input.bytes, input.number()), (&[][..], None));
    assert_eq!(Input { bytes: &[0xff; 12] }.number(), None);
    assert_eq!(Input { bytes: &[0x80, 0x80, 0x04] }.small::<u16>(), None);
}

#[test]
fn another_project_is_refused() {
    let (dir, bytes) = saved();
    let other = Folder::files("//- Assets/a.mat\n");
    let path = dir.path("other.bin");
    fs::write(&path, bytes).unwrap();
    assert!(Index::load(&path, other.root()).is_none());
}
