//! Times as texts that sort and that every client reads.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// `2026-03-01T12:30:45.123Z`; times before 1970 are shown as its beginning.
pub fn iso(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The same for nanoseconds since 1970.
pub fn iso_nanoseconds(nanoseconds: i64) -> String {
    iso(UNIX_EPOCH + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(0)))
}

/// The date of a day since 1970. Years are counted from March, so that the odd day comes last.
fn date(days: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097; // Days in 400 years.
    let days = days + 719_468; // From the first of March of the year 0.
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1460 + day / 36_524 - day / (ERA - 1)) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_calendars_have_them() {
        let check = |seconds: u64, expected: &str| {
            assert_eq!(iso(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        };
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_399, "2000-02-28T23:59:59.000Z");
        check(951_782_400, "2000-02-29T00:00:00.000Z");
        check(951_868_800, "2000-03-01T00:00:00.000Z");
        check(4_107_542_400, "2100-03-01T00:00:00.000Z");
        assert_eq!(iso_nanoseconds(1_500_000_000), "1970-01-01T00:00:01.500Z");
        assert_eq!(iso_nanoseconds(-5), "1970-01-01T00:00:00.000Z");
    }
}
