//! Cells of Parquet files as JSON.

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::record::{Field, Row};
use parquet::schema::types::{Type, TypePtr};
use serde_json::{Value, json};

/// A cell as JSON, by the type of its column. Moments, decimals, UUIDs and maps become texts.
///
/// The library's own texts are used for decimals only: those of moments panic far from our time.
pub fn value(field: &Field, kind: Option<&Type>) -> Value {
    let logical = kind.and_then(|kind| kind.get_basic_info().logical_type_ref());
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Byte(value) => json!(value),
        Field::Short(value) => json!(value),
        Field::Int(value) => json!(value),
        Field::Long(value) => match logical {
            Some(LogicalType::Timestamp(_)) => json!(moment(*value, 9, kind)),
            Some(LogicalType::Time(_)) => json!(time(*value, 9)),
            _ => json!(value),
        },
        Field::UByte(value) => json!(value),
        Field::UShort(value) => json!(value),
        Field::UInt(value) => json!(value),
        Field::ULong(value) => json!(value),
        Field::Float16(value) => json!(value.to_f64()),
        Field::Float(value) => json!(value),
        Field::Double(value) => json!(value),
        // Whole ones end with a point there.
        Field::Decimal(_) => json!(field.to_string().trim_end_matches('.')),
        Field::Str(text) => json!(text),
        Field::Bytes(bytes) => match (logical, <&[u8; 16]>::try_from(bytes.data())) {
            (Some(LogicalType::Uuid), Ok(bytes)) => json!(uuid(*bytes)),
            _ => json!(String::from_utf8_lossy(bytes.data())),
        },
        Field::Date(days) => json!(date(i64::from(*days))),
        Field::TimeMillis(value) => json!(time(i64::from(*value), 3)),
        Field::TimeMicros(value) => json!(time(*value, 6)),
        Field::TimestampMillis(value) => json!(moment(*value, 3, kind)),
        Field::TimestampMicros(value) => json!(moment(*value, 6, kind)),
        Field::Group(row) => object(row, kind),
        Field::ListInternal(list) => {
            let kind = kind.and_then(element);
            list.elements()
                .iter()
                .map(|each| value(each, kind))
                .collect()
        }
        Field::MapInternal(map) => {
            let kinds = kind.and_then(|kind| children(kind).first());
            let kinds = kinds.map_or(&[][..], |entry| children(entry));
            let [key, of_key] = [0, 1].map(|place| kinds.get(place).map(TypePtr::as_ref));
            let entries = map.entries().iter();
            let entries =
                entries.map(|(k, v)| format!("{} -> {}", value(k, key), value(v, of_key)));
            json!(format!("{{{}}}", entries.collect::<Vec<_>>().join(", ")))
        }
    }
}

fn object(row: &Row, kind: Option<&Type>) -> Value {
    let kinds = kind.map_or(&[][..], children);
    let fields = row.get_column_iter().enumerate();
    let fields = fields.map(|(place, (name, field))| {
        let kind = kinds.get(place).map(TypePtr::as_ref);
        (name.clone(), value(field, kind))
    });
    Value::Object(fields.collect())
}

fn children(kind: &Type) -> &[TypePtr] {
    match kind {
        Type::GroupType { fields, .. } => fields,
        Type::PrimitiveType { .. } => &[],
    }
}

/// The type of a list's elements. Lists of old programs have no layer of their own for them.
fn element(list: &Type) -> Option<&Type> {
    let info = list.get_basic_info();
    if info.repetition() == Repetition::REPEATED && info.converted_type() != ConvertedType::LIST {
        return Some(list);
    }
    let repeated = children(list).first()?;
    match children(repeated) {
        [only] => Some(only),
        _ => Some(repeated),
    }
}

/// Ticks since 1970, of which a second has a 1 with so many zeros; with the time zone if the column has one.
fn moment(ticks: i64, zeros: u32, kind: Option<&Type>) -> String {
    let day = 86_400 * 10_i64.pow(zeros);
    let (date, time) = (
        date(ticks.div_euclid(day)),
        time(ticks.rem_euclid(day), zeros),
    );
    match kind.is_none_or(is_utc) {
        true => format!("{date} {time} +00:00"),
        false => format!("{date} {time}"),
    }
}

fn is_utc(column: &Type) -> bool {
    match (column.get_basic_info().logical_type_ref(), column) {
        (Some(LogicalType::Timestamp(time)), _) => time.is_adjusted_to_u_t_c,
        // These say nothing of zones.
        (_, Type::PrimitiveType { physical_type, .. }) => *physical_type != Physical::INT96,
        _ => true,
    }
}

/// A time of day; what is none has a sign, or more than 24 hours.
fn time(ticks: i64, zeros: u32) -> String {
    let sign = if ticks < 0 { "-" } else { "" };
    let second = 10_u64.pow(zeros);
    let (seconds, rest) = (ticks.unsigned_abs() / second, ticks.unsigned_abs() % second);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let width = zeros as usize;
    format!(
        "{sign}{hours:02}:{minutes:02}:{:02}.{rest:0width$}",
        seconds % 60
    )
}

/// A day of the Gregorian calendar by its number from 1970, however far; years beyond four digits have a sign.
fn date(days: i64) -> String {
    // Counted from 1 March 0, so that leap days are at the ends of years, and in 400 years from there.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        10.. => (400 * era + year + 1, month - 9),
        _ => (400 * era + year, month + 3),
    };
    match year {
        0..=9999 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:+05}-{month:02}-{day:02}"),
    }
}

fn uuid(bytes: [u8; 16]) -> String {
    let digits = format!("{:032x}", u128::from_be_bytes(bytes));
    [0..8, 8..12, 12..16, 16..20, 20..32]
        .map(|part| &digits[part])
        .join("-")
}

#[cfg(test)]
mod tests {
    use parquet::data_type::{ByteArray, Decimal};
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// The type of a column by its words.
    fn column(words: &str) -> TypePtr {
        let schema = parse_message_type(&format!("message m {{ {words}; }}")).unwrap();
        children(&schema)[0].clone()
    }

    #[test]
    fn dates_and_times_are_texts_however_far_they_are() {
        for (field, expected) in [
            (Field::Date(0), "1970-01-01"),
            (Field::Date(-1), "1969-12-31"),
            (Field::Date(11_016), "2000-02-29"),
            (Field::Date(-719_529), "-0001-12-31"),
            (Field::Date(2_932_896), "9999-12-31"),
            (Field::Date(2_932_897), "+10000-01-01"),
            (Field::Date(i32::MAX), "+5881580-07-11"),
            (Field::Date(i32::MIN), "-5877641-06-23"),
            (Field::TimeMillis(3_723_004), "01:02:03.004"),
            (Field::TimeMillis(-1), "-00:00:00.001"),
            (Field::TimeMicros(86_400_000_000), "24:00:00.000000"),
            (Field::TimestampMillis(-1), "1969-12-31 23:59:59.999 +00:00"),
            (
                Field::TimestampMicros(i64::MAX),
                "+294247-01-10 04:00:54.775807 +00:00",
            ),
            (
                Field::TimestampMillis(i64::MIN),
                "-292275055-05-16 16:47:04.192 +00:00",
            ),
        ] {
            assert_eq!(value(&field, None), expected, "{field:?}");
        }
    }

    #[test]
    fn moments_in_nanoseconds_are_no_numbers() {
        for (words, expected) in [
            (
                "required int64 t (TIMESTAMP(NANOS,false))",
                json!("1970-01-01 00:00:01.000000002"),
            ),
            (
                "required int64 t (TIMESTAMP(NANOS,true))",
                json!("1970-01-01 00:00:01.000000002 +00:00"),
            ),
            (
                "required int64 t (TIME(NANOS,false))",
                json!("00:00:01.000000002"),
            ),
            ("required int64 t", json!(1_000_000_002)),
        ] {
            let field = Field::Long(1_000_000_002);
            assert_eq!(value(&field, Some(&*column(words))), expected, "{words}");
        }
        let old = column("required int96 t");
        assert_eq!(
            value(&Field::TimestampMillis(5), Some(&*old)),
            "1970-01-01 00:00:00.005"
        );
    }

    #[test]
    fn decimals_uuids_and_small_numbers() {
        let decimal = |scale| Field::Decimal(Decimal::from_i32(-15, 5, scale));
        assert_eq!(value(&decimal(0), None), "-15");
        assert_eq!(value(&decimal(1), None), "-1.5");
        assert_eq!(value(&decimal(2), None), "-0.15");
        let id = column("required fixed_len_byte_array(16) id (UUID)");
        let bytes = Field::Bytes(ByteArray::from((0x10..0x20).collect::<Vec<u8>>()));
        assert_eq!(
            value(&bytes, Some(&*id)),
            "10111213-1415-1617-1819-1a1b1c1d1e1f"
        );
    }
}
