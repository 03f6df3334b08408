//! Reads and writes a document with the type of a name.

use serde::{de::DeserializeOwned, Serialize};

/// Reads a document with a type, and returns what the type writes.
///
/// # Errors
///
/// The type refuses the document.
pub fn round_trip(version: &str, name: &str, text: &str) -> Result<String, String> {
    include!(concat!(env!("OUT_DIR"), "/table.rs"))
}

fn read_and_write<T: DeserializeOwned + Serialize>(text: &str) -> Result<String, String> {
    let value: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    serde_json::to_string(&value).map_err(|error| error.to_string())
}
