//! Writes the table of all types by name, from the published bundles.

use std::{env, fs, path::Path};

fn main() {
    let schema = Path::new("dist/crate/schema");
    println!("cargo:rerun-if-changed={}", schema.display());
    let mut table = String::from("match (version, name) {\n");
    let mut files: Vec<_> = fs::read_dir(schema)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let version = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let bundle: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        for name in bundle["$defs"].as_object().unwrap().keys() {
            table += &format!("(\"{version}\", \"{name}\") => read_and_write::<interlingua_types::{version}::{name}>(text),\n");
        }
    }
    table += "_ => Err(format!(\"no type {version}.{name}\")),\n}\n";
    fs::write(
        Path::new(&env::var("OUT_DIR").unwrap()).join("table.rs"),
        table,
    )
    .unwrap();
}
