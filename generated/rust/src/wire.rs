// Copied from schema/compiler/runtime/rust/wire.rs; edit that and run `nox -s generate`.

//! What the types of all versions share: constants, unions and choices, read and written as JSON.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::{Number, Value};

/// Reads a member that is there; null is a value like any other, so that what is absent stays apart from it.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Reads a whole number, which JSON may write with a fraction of zero.
pub(crate) fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let number = Number::deserialize(deserializer)?;
    if let Some(whole) = number.as_i64() {
        return Ok(whole);
    }
    match number.as_f64() {
        // Up to here, a float says a whole number exactly.
        Some(float) if float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0 => {
            Ok(float as i64)
        }
        _ => Err(D::Error::custom("expected an integer")),
    }
}

/// Reads a whole number that is there.
pub(crate) fn present_integer<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<i64>, D::Error> {
    integer(deserializer).map(Some)
}

/// Turns a parsed value into a type.
pub(crate) fn from_value<T, E>(value: Value) -> Result<T, E>
where
    T: DeserializeOwned,
    E: Error,
{
    serde_json::from_value(value).map_err(E::custom)
}

/// The word of a tag, if the value is an object that has one.
pub(crate) fn tag<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

/// Tells whether a document says that it is of a newer version than the newest that is known.
pub(crate) fn is_newer(value: &Value, newest: Option<u64>) -> bool {
    let version = value.get("schema_version").and_then(Value::as_u64);
    matches!((version, newest), (Some(version), Some(newest)) if version > newest)
}

/// Reads the value of a constant; a whole number may have a fraction of zero.
pub(crate) fn constant_of<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    if value.is_number() && !value.is_i64() {
        let whole: i64 = integer(value).map_err(D::Error::custom)?;
        return from_value(Value::from(whole));
    }
    from_value(value)
}

/// Declares a type with one value: a tag, or the number of a version.
macro_rules! constant {
    ($(#[$meta:meta])* $name:ident: $type:ty as $read:ty = $value:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl $name {
            /// The value.
            pub const VALUE: $type = $value;
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::VALUE.serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let found: $read = $crate::wire::constant_of(deserializer)?;
                if found == Self::VALUE {
                    return Ok(Self);
                }
                Err(serde::de::Error::custom(concat!("expected the constant ", stringify!($value))))
            }
        }
    };
}

/// Reads and writes a union by its tag; an unknown tag, or a newer version, is kept as it came.
macro_rules! union {
    ($name:ident, $tag:literal, $newest:expr, { $($word:literal => $variant:ident($type:ty),)+ }) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(value) => value.serialize(serializer),)+
                    Self::Unknown(value) => value.serialize(serializer),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                if $crate::wire::is_newer(&value, $newest) {
                    return Ok(Self::Unknown(value));
                }
                match $crate::wire::tag(&value, $tag) {
                    $(Some($word) => $crate::wire::from_value(value).map(Self::$variant),)+
                    Some(_) => Ok(Self::Unknown(value)),
                    None => Err(serde::de::Error::custom(concat!("no tag `", $tag, "`"))),
                }
            }
        }

        $(impl From<$type> for $name {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        })+
    };
}

/// Reads and writes one of several types by the kind of the JSON value.
macro_rules! choice {
    ($name:ident, { $($pattern:pat => $variant:ident($type:ty),)+ }) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(value) => value.serialize(serializer),)+
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                match &value {
                    $($pattern => $crate::wire::from_value(value).map(Self::$variant),)+
                    _ => Err(serde::de::Error::custom(concat!("not a ", stringify!($name)))),
                }
            }
        }

        $(impl From<$type> for $name {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        })+
    };
}

pub(crate) use {choice, constant, union};
