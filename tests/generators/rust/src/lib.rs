//! Reads a document with what typify makes of the published bundles.

use serde::de::DeserializeOwned;
use serde::Serialize;

include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// What a document became: the value as Rust shows it, and as it is written again.
pub struct Reading {
    pub shown: String,
    pub written: serde_json::Value,
}

/// Reads a document with the type of a union.
///
/// # Errors
///
/// The type refuses the document.
pub fn reading(version: &str, name: &str, text: &str) -> Result<Reading, String> {
    include!(concat!(env!("OUT_DIR"), "/table.rs"))
}

fn read<T: DeserializeOwned + Serialize + std::fmt::Debug>(text: &str) -> Result<Reading, String> {
    let value: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(Reading {
        shown: format!("{value:?}"),
        written: serde_json::to_value(&value).map_err(|error| error.to_string())?,
    })
}
