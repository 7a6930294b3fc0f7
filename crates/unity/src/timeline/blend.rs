//! Where clips of a track lie over each other, and how long they blend there, as the editor has it.

use super::{Clip, TrackKind};

/// Shorter than this is nothing.
const LEAST: f64 = 1e-14;

/// How a clip lies on the others of its track.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overlap {
    /// The clip that it comes out of, by its place in the track, and for how long, in seconds.
    pub before: Option<(usize, f64)>,
    /// The clip that it goes over into.
    pub behind: Option<(usize, f64)>,
    /// A clip that is wholly inside of it, or that it is inside of: those do not blend.
    pub whole: Option<usize>,
}

impl TrackKind {
    /// Whether clips of such tracks blend where they overlap.
    pub fn blends(self) -> bool {
        matches!(self, TrackKind::Animation | TrackKind::Audio | TrackKind::Cinemachine)
    }
}

/// How a clip that is not on the track yet would lie on those that are.
pub fn overlap(clips: &[Clip], start: f64, duration: f64) -> Overlap {
    let end = start + duration;
    let end_of = |clip: &Clip| clip.start + clip.duration;
    // Of clips that begin together the shorter one comes first.
    let is_first = |clip: &Clip| match (clip.start - start).abs() < LEAST {
        true => clip.duration <= duration,
        false => clip.start < start,
    };
    let all = || clips.iter().enumerate();
    let order = |one: &(usize, &Clip), other: &(usize, &Clip)| {
        one.1.start.total_cmp(&other.1.start).then(one.1.duration.total_cmp(&other.1.duration))
    };
    let before = all().filter(|(_, clip)| is_first(clip) && end_of(clip) - start > LEAST);
    let behind = all().filter(|(_, clip)| !is_first(clip) && end - clip.start > LEAST);
    let mut found = Overlap::default();
    if let Some((at, clip)) = before.max_by(order) {
        match end < end_of(clip) {
            true => found.whole = Some(at),
            false => found.before = Some((at, end_of(clip) - start)),
        }
    }
    if let Some((at, clip)) = behind.min_by(order) {
        match end_of(clip) < end {
            true => found.whole = Some(at),
            false => found.behind = Some((at, end - clip.start)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(start: f64, end: f64) -> Clip {
        Clip { name: String::new(), start, duration: end - start, asset: None }
    }

    #[test]
    fn clips_blend_with_their_neighbours_alone() {
        let clips = [clip(0.0, 4.0), clip(6.0, 9.0), clip(3.0, 5.0)];
        let of = |start: f64, end: f64| overlap(&clips, start, end - start);
        let lies = |before, behind, whole| Overlap { before, behind, whole };
        assert_eq!(of(4.5, 7.0), lies(Some((2, 0.5)), Some((1, 1.0)), None));
        assert_eq!(of(5.0, 6.0), Overlap::default());
        assert_eq!(of(9.0, 10.0), Overlap::default());
        assert_eq!(of(7.0, 8.0), lies(None, None, Some(1)));
        assert_eq!(of(5.5, 10.0), lies(None, None, Some(1)));
        assert_eq!(of(6.0, 10.0), lies(Some((1, 3.0)), None, None));
    }
}
