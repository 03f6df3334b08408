//! Every vector and example of every version: valid ones come back equal, invalid ones are refused.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use interlingua_types_tests::round_trip;
use serde_json::{json, Map, Value};

struct Document {
    place: String,
    version: String,
    name: String,
    valid: bool,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

fn word(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

fn parsed(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn bundles() -> HashMap<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dist/crate/schema");
    entries(&folder)
        .iter()
        .map(|path| (word(path), parsed(path)))
        .collect()
}

/// The member that tells the variants of a union apart.
fn tag_of<'a>(bundle: &'a Value, definition: &Value) -> Option<&'a str> {
    let first = definition["oneOf"][0]["$ref"].as_str()?;
    let variant = bundle.pointer(first.strip_prefix('#')?)?;
    let is_tag = |schema: &Value| {
        schema["enum"]
            .as_array()
            .is_some_and(|words| words.len() == 1 && words[0].is_string())
    };
    let mut members = variant["properties"].as_object()?.iter();
    members
        .find(|(_, schema)| is_tag(schema))
        .map(|(name, _)| name.as_str())
}

fn vectors() -> Vec<Document> {
    let mut found = Vec::new();
    for version in entries(&root().join("schema/vectors"))
        .iter()
        .filter(|path| word(path).starts_with('v'))
    {
        for union in entries(version) {
            for variant in entries(&union) {
                let source = root().join("schema").join(word(version)).join(word(&union));
                let title =
                    parsed(&source.join(format!("{}.json", word(&variant))))["title"].clone();
                for verdict in entries(&variant) {
                    for path in entries(&verdict) {
                        found.push(Document {
                            place: path.display().to_string(),
                            version: word(version),
                            name: title.as_str().unwrap().to_owned(),
                            valid: word(&verdict) == "valid",
                            text: fs::read_to_string(&path).unwrap(),
                        });
                    }
                }
            }
        }
    }
    found
}

fn examples() -> Vec<Document> {
    let mut found = Vec::new();
    for (version, bundle) in bundles() {
        for (name, definition) in bundle["$defs"].as_object().unwrap() {
            for example in definition["examples"].as_array().unwrap_or(&Vec::new()) {
                found.push(Document {
                    place: format!("{version}/{name}"),
                    version: version.clone(),
                    name: name.clone(),
                    valid: true,
                    text: example.to_string(),
                });
            }
        }
    }
    found
}

/// Judges documents by type and, where a type takes what is invalid, by the schema.
struct Judge {
    bundles: HashMap<String, Value>,
    validators: HashMap<String, jsonschema::Validator>,
}

impl Judge {
    fn new() -> Self {
        Self {
            bundles: bundles(),
            validators: HashMap::new(),
        }
    }

    fn accepts(&mut self, document: &Document) -> bool {
        let key = format!("{}/{}", document.version, document.name);
        let bundle = &self.bundles[&document.version];
        let validator = self.validators.entry(key).or_insert_with(|| {
            let schema = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$ref": format!("#/$defs/{}", document.name),
                "$defs": bundle["$defs"],
            });
            jsonschema::validator_for(&schema).unwrap()
        });
        validator.is_valid(&serde_json::from_str(&document.text).unwrap())
    }

    fn problem(&mut self, document: &Document) -> Option<String> {
        let place = &document.place;
        match (
            round_trip(&document.version, &document.name, &document.text),
            document.valid,
        ) {
            (Err(error), true) => Some(format!("{place}: refused: {error}")),
            (Ok(written), true) => {
                let (given, came): (Value, Value) = (
                    serde_json::from_str(&document.text).unwrap(),
                    serde_json::from_str(&written).unwrap(),
                );
                if !same(&given, &came) {
                    return Some(format!("{place}: came back as another value: {written}"));
                }
                (!self.accepts(document)).then(|| format!("{place}: refused by the schema"))
            }
            (Ok(_), false) if self.accepts(document) => {
                Some(format!("{place}: invalid, and taken"))
            }
            (_, false) => None,
        }
    }
}

/// Tells whether two values are equal; a whole number may be written with a fraction of zero.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || (right.is_i64() && left.as_f64() == right.as_f64())
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, value)| right.get(name).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

fn problems(documents: &[Document]) -> Vec<String> {
    let mut judge = Judge::new();
    documents
        .iter()
        .filter_map(|document| judge.problem(document))
        .collect()
}

#[test]
fn every_vector_and_example_is_read_as_its_schema_says() {
    let documents: Vec<_> = vectors().into_iter().chain(examples()).collect();
    let valid = documents.iter().filter(|document| document.valid).count();
    println!(
        "rust: {} documents, {} valid, {} invalid",
        documents.len(),
        valid,
        documents.len() - valid
    );
    assert!(valid > 500 && documents.len() - valid > 300);
    assert_eq!(problems(&documents), Vec::<String>::new());
}

#[test]
fn a_wrong_vector_turns_the_check_red() {
    let mut judge = Judge::new();
    for mut document in vectors() {
        document.valid = !document.valid;
        assert!(judge.problem(&document).is_some(), "{}", document.place);
    }
}

#[test]
fn unknown_members_and_variants_come_back() {
    let mut count = 0;
    for document in examples() {
        let Value::Object(mut members) = serde_json::from_str(&document.text).unwrap() else {
            continue;
        };
        members.insert("unheard_of".into(), json!({"number": 1.50, "null": null}));
        let given = Value::Object(members);
        let written = round_trip(&document.version, &document.name, &given.to_string())
            .unwrap_or_else(|error| panic!("{}: {error}", document.place));
        assert_eq!(
            serde_json::from_str::<Value>(&written).unwrap(),
            given,
            "{}",
            document.place
        );
        count += 1;
    }
    for (version, bundle) in bundles() {
        for (name, definition) in bundle["$defs"].as_object().unwrap() {
            if let Some(tag) = tag_of(&bundle, definition) {
                let mut members = Map::new();
                members.insert(tag.into(), json!("unheard_of"));
                members.insert(
                    "number".into(),
                    serde_json::from_str("12345678901234567890.10").unwrap(),
                );
                let given = Value::Object(members);
                let written = round_trip(&version, name, &given.to_string()).unwrap();
                assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), given);
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn null_is_no_absent_member() {
    assert!(round_trip(
        "v3",
        "TextPart",
        r#"{"type": "text", "text": "a", "citations": null}"#
    )
    .is_err());
    let text = r#"{"role":"assistant","content":null}"#;
    assert_eq!(round_trip("v1", "AssistantMessage", text).unwrap(), text);
}
