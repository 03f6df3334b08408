//! Every valid document of the vectors becomes the variant that its tag names, in what typify makes of the bundles.

use std::fs;
use std::path::{Path, PathBuf};

use interlingua_generators_tests::reading;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<_> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn word(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

fn title(version: &str, union: &str, variant: &str) -> String {
    let path = root().join(format!("schema/{version}/{union}/{variant}.json"));
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    schema["title"].as_str().unwrap().to_owned()
}

/// The name of the type of a union.
fn class(union: &str) -> String {
    union
        .split('_')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

/// Whether a value shows a struct of a name, whatever enums stand around it.
fn chosen(shown: &str, title: &str) -> bool {
    let head = shown.split(" {").next().unwrap();
    head.rsplit('(').next() == Some(title)
}

/// Whether all that was written is in the document, as it is there. Members that typify does not keep are not looked
/// for, and times may be respelt.
fn keeps(document: &Value, written: &Value) -> bool {
    match (document, written) {
        (Value::Object(one), Value::Object(other)) => other
            .iter()
            .all(|(name, value)| one.get(name).is_none_or(|inner| keeps(inner, value))),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| keeps(a, b))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) => one == other || is_time(one),
        _ => document == written,
    }
}

fn is_time(text: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

#[test]
fn every_valid_document_becomes_the_variant_of_its_tag() {
    let mut counts = 0;
    let mut wrong = Vec::new();
    for version in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist/schema")) {
        let version = word(&version);
        for union in entries(&root().join("schema/vectors").join(&version)) {
            let file = word(&union);
            for variant in entries(&union) {
                if file == "shared" || word(&variant) == "unknown" {
                    continue;
                }
                let expected = title(&version, &file, &word(&variant));
                for path in entries(&variant.join("valid")) {
                    if word(&path).ends_with("_as_float") {
                        continue; // serde takes no 1.0 for an integer, whatever generator wrote the type
                    }
                    let text = fs::read_to_string(&path).unwrap();
                    let document: Value = serde_json::from_str(&text).unwrap();
                    counts += 1;
                    match reading(&version, &class(&file), &text) {
                        Err(error) => wrong.push(format!("{}: {error}", path.display())),
                        Ok(one) if !chosen(&one.shown, &expected) => {
                            wrong.push(format!("{}: not {expected}", path.display()));
                        }
                        Ok(one) if !keeps(&document, &one.written) => {
                            wrong.push(format!("{}: written otherwise", path.display()));
                        }
                        Ok(_) => {}
                    }
                }
            }
        }
    }
    println!(
        "typify: {counts} valid documents, {} of them not the variant of their tag",
        wrong.len()
    );
    assert!(counts > 300, "{counts}");
    assert!(
        wrong.is_empty(),
        "{} of {counts}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_document_of_another_variant_is_seen() {
    let one = reading("v3", "Part", r#"{"type": "text", "text": "Hello"}"#).unwrap();
    assert!(chosen(&one.shown, "TextPart"));
    assert!(!chosen(&one.shown, "ImagePart"));
    assert!(reading("v3", "Event", r#"{"type": "reasoning"}"#).is_err());
}
