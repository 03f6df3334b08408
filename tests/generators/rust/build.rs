//! Lets typify make the types of every published bundle, and writes the table of what reads with them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use schemars::schema::RootSchema;
use typify::{TypeSpace, TypeSpaceSettings};

fn main() {
    let schema = Path::new("../dist/schema");
    println!("cargo:rerun-if-changed={}", schema.display());
    let mut versions: Vec<_> = fs::read_dir(schema)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    versions.sort();
    let mut modules = String::new();
    let mut table = String::from("match (version, name) {\n");
    for version in versions {
        let text = fs::read(schema.join(&version).join("schema.json")).unwrap();
        let bundle: RootSchema = serde_json::from_slice(&text).unwrap();
        for (name, definition) in &bundle.definitions {
            let is_union = definition
                .clone()
                .into_object()
                .subschemas
                .is_some_and(|one| one.one_of.is_some());
            if is_union || name == "AnyMessage" {
                table +=
                    &format!("(\"{version}\", \"{name}\") => read::<{version}::{name}>(text),\n");
            }
        }
        let mut space = TypeSpace::new(&TypeSpaceSettings::default());
        space.add_root_schema(bundle).unwrap();
        let made = prettyplease::unparse(&syn::parse2(space.to_stream()).unwrap());
        modules += &format!(
            "#[allow(clippy::all, clippy::pedantic, dead_code)]\npub mod {version} {{\n{made}}}\n"
        );
    }
    table += "_ => Err(format!(\"no type {version}::{name}\")),\n}\n";
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    fs::write(out.join("modules.rs"), modules).unwrap();
    fs::write(out.join("table.rs"), table).unwrap();
}
