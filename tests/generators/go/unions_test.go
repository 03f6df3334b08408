// What go-jsonschema makes of the published bundles: no type for a union, and structs for its variants that do not read
// and write all of their documents. The page on other languages says so.
package generators

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	_ "github.com/go-viper/mapstructure/v2" // what go-jsonschema writes imports it
)

const (
	schemas = "../dist/schema"
	vectors = "../../../schema/vectors"
	made    = "build"
)

// The program that reads documents, a line each, with the struct that stands before it, and writes what became of it.
const program = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

var readers = map[string]func() any{
%s}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		value := readers[name]()
		if err := json.Unmarshal([]byte(text), value); err != nil {
			fmt.Println("refused:", strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		written, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(written))
	}
}
`

type bundle struct {
	Defs map[string]struct {
		OneOf []struct {
			Ref string `json:"$ref"`
		}
	} `json:"$defs"`
}

func run(t *testing.T, input []byte, name string, arguments ...string) []byte {
	t.Helper()
	var told bytes.Buffer
	command := exec.Command(name, arguments...)
	command.Stdin, command.Stderr = bytes.NewReader(input), &told
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, told.String())
	}
	return output
}

func versions(t *testing.T) []string {
	t.Helper()
	found, err := os.ReadDir(schemas)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return names
}

// Returns the unions of a bundle, each with the names of its variants.
func unions(t *testing.T, path string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var read bundle
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for name, definition := range read.Defs {
		if name == "AnyMessage" { // a union, and what the loader makes of a message that nobody knows
			continue
		}
		for _, variant := range definition.OneOf {
			if _, title, ok := strings.Cut(variant.Ref, "#/$defs/"); ok {
				found[name] = append(found[name], title)
			}
		}
	}
	return found
}

// Returns the types of a Go file by name.
func types(t *testing.T, path string) map[string]ast.Expr {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]ast.Expr{}
	ast.Inspect(file, func(node ast.Node) bool {
		if declared, ok := node.(*ast.TypeSpec); ok {
			found[declared.Name.Name] = declared.Type
		}
		return true
	})
	return found
}

func TestUnionsHaveNoTypeAndVariantsReadTheirDocuments(t *testing.T) {
	for _, version := range versions(t) {
		t.Run(version, func(t *testing.T) {
			whole := filepath.Join(schemas, version, "schema.json")
			folder := filepath.Join(made, version)
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			structs := filepath.Join(folder, "structs.go")
			run(t, nil, "go", "tool", "go-jsonschema", "--package", "main", "--tags", "json", "--output", structs, whole)
			found := types(t, structs)
			var table strings.Builder
			count := 0
			for union, variants := range unions(t, whole) {
				if open, ok := found[union].(*ast.InterfaceType); !ok || len(open.Methods.List) > 0 {
					t.Errorf("%s is more than any value: %T", union, found[union])
				}
				for _, variant := range variants {
					count++
					if _, ok := found[variant].(*ast.StructType); !ok {
						t.Errorf("%s is no struct: %T", variant, found[variant])
					}
					fmt.Fprintf(&table, "\t%q: func() any { return new(%s) },\n", variant, variant)
				}
			}
			if count == 0 {
				t.Error("no union was found")
			}
			main := fmt.Sprintf(program, table.String())
			if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(main), 0o644); err != nil {
				t.Fatal(err)
			}
			readVectors(t, version, folder)
		})
	}
}

type document struct {
	path, title string
	text        []byte
}

// Returns the valid vectors of a version, each with the name of its variant's struct.
func valid(t *testing.T, version string) []document {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(vectors, version, "*", "*", "valid", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var found []document
	for _, path := range paths {
		variant := filepath.Dir(filepath.Dir(path))
		union := filepath.Base(filepath.Dir(variant))
		if union == "shared" || filepath.Base(variant) == "unknown" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(vectors, "..", version, union, filepath.Base(variant)+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ Title string }
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		text, err = os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var line bytes.Buffer
		if err := json.Compact(&line, text); err != nil {
			t.Fatal(err)
		}
		found = append(found, document{path, schema.Title, line.Bytes()})
	}
	return found
}

// Lets the struct of its variant read every valid vector, and holds what becomes of them against the page.
func readVectors(t *testing.T, version, folder string) {
	t.Helper()
	documents := valid(t, version)
	var input bytes.Buffer
	for _, one := range documents {
		fmt.Fprintf(&input, "%s %s\n", one.title, one.text)
	}
	lines := strings.Split(strings.TrimSpace(string(run(t, input.Bytes(), "go", "run", "./"+folder))), "\n")
	if len(lines) != len(documents) {
		t.Fatalf("%d answers to %d documents", len(lines), len(documents))
	}
	refused, equal := 0, 0
	refusesText, adds := false, false
	for index, one := range documents {
		var before, after any
		if err := json.Unmarshal(one.text, &before); err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal([]byte(lines[index]), &after) != nil {
			refused++
			refusesText = refusesText || strings.Contains(lines[index], "cannot unmarshal string into")
		} else if reflect.DeepEqual(before, after) {
			equal++
		}
		adds = adds || strings.Contains(lines[index], `"AdditionalProperties"`)
	}
	told := "go-jsonschema: %s: of %d valid documents %d are written again as they were, %d are refused\n"
	fmt.Printf(told, version, len(documents), equal, refused)
	if !adds {
		t.Error("no document gets a member AdditionalProperties: the page says so")
	}
	if version != "v1" && version != "v2" && (equal == 0 || !refusesText) {
		t.Errorf("%d documents come back, text is refused where an object may stand, too: %v", equal, refusesText)
	}
}
