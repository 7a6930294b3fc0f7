//! Numbers as C# writes them, in the runtime that Unity has.

/// A number that is given in Rust's exponent form, such as 1.5e-7, as .NET writes it.
pub fn real_text(value: f64, scientific: &str, digits: i32) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific.to_owned();
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..digits).contains(&exponent) {
        return plain_digits(mantissa, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}E{sign}{:02}", exponent.abs())
}

/// `1.5` and 3 as `1500`.
fn plain_digits(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        return format!("{sign}{digits}{}", "0".repeat(whole - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
}

/// Unity's runtime writes seven digits of a float, also where more are needed to read it back.
pub fn float_text(value: f32) -> String {
    significant(f64::from(value), 7)
}

/// The same of a double, of which it writes fifteen.
pub fn double_text(value: f64) -> String {
    significant(value, 15)
}

/// At most so many digits, without zeros at the end.
pub fn significant(number: f64, digits: usize) -> String {
    let text = format!("{number:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    real_text(number, &format!("{mantissa}e{exponent}"), digits as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_numbers_have_an_exponent() {
        let texts = [1e-5, 1.5e-7, 0.0001, 0.1, 1.0, 1e6, 1e7, -2.5e10, 123_456_790.0, 1.0 / 3.0];
        let texts = texts.map(float_text);
        let expected = [
            "1E-05",
            "1.5E-07",
            "0.0001",
            "0.1",
            "1",
            "1000000",
            "1E+07",
            "-2.5E+10",
            "1.234568E+08",
            "0.3333333",
        ];
        assert_eq!(texts, expected);
        assert_eq!([1e-5, 1e15, 1e14].map(double_text), ["1E-05", "1E+15", "100000000000000"]);
        assert_eq!([f32::NAN, f32::NEG_INFINITY].map(float_text), ["NaN", "-Infinity"]);
    }
}
