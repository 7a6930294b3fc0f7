//! What is measured, round by round.

#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) start_ms: Series,
    pub(crate) stdio_1: Series,
    pub(crate) stdio_32: Series,
    pub(crate) http_1: Series,
    pub(crate) http_32: Series,
    pub(crate) framed_1: Series,
    pub(crate) framed_32: Series,
    pub(crate) stdio_files_1: Series,
    pub(crate) stdio_files_32: Series,
    pub(crate) framed_files_1: Series,
    pub(crate) framed_files_32: Series,
    pub(crate) stdio_large: Series,
    pub(crate) http_large: Series,
    pub(crate) http_session_large: Series,
    pub(crate) rss_mb: Series,
    pub(crate) list_bytes: Series,
}

#[derive(Debug, Default)]
pub(crate) struct Series(Vec<f64>);

impl Series {
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The largest one; `None` when nothing was measured.
    pub(crate) fn largest(&self) -> Option<f64> {
        self.0.iter().copied().reduce(f64::max)
    }

    /// Each value over the other's of the same round.
    pub(crate) fn over(&self, other: &Series) -> Series {
        Series(self.0.iter().zip(&other.0).map(|(one, other)| one / other).collect())
    }

    /// `None` when nothing was measured.
    pub(crate) fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The value that so large a share of all is below; `None` when nothing was measured.
    pub(crate) fn quantile(&self, share: f64) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let place = (sorted.len() as f64 * share) as usize;
        sorted.get(place.min(sorted.len().saturating_sub(1))).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Series;

    #[test]
    fn takes_the_middle() {
        assert_eq!(Series(vec![9.0, 1.0, 2.0]).median(), Some(2.0));
        assert_eq!(Series::default().median(), None);
    }

    #[test]
    fn takes_the_end() {
        let series = Series((1..=200).map(f64::from).collect());
        assert_eq!((series.quantile(0.99), series.quantile(1.0)), (Some(199.0), Some(200.0)));
    }

    #[test]
    fn compares_round_by_round() {
        let (one, other) = (Series(vec![4.0, 40.0, 3.0]), Series(vec![2.0, 10.0, 1.0]));
        assert_eq!(one.over(&other).median(), Some(3.0));
    }
}
