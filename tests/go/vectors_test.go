// Every vector and example of every version: valid ones come back equal, invalid ones are refused.
package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"interlingua.example/types-tests/dist/readers"
)

const root = "../.."

type document struct {
	place, version, name string
	valid                bool
	text                 []byte
}

func parse(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func bundle(t *testing.T, version string) map[string]any {
	t.Helper()
	return parse(t, readFile(t, filepath.Join("dist/go/schema", version+".json"))).(map[string]any)
}

func vectors(t *testing.T) []document {
	t.Helper()
	var found []document
	folder := filepath.Join(root, "schema/vectors")
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inner, _ := filepath.Rel(folder, path)
		words := strings.Split(filepath.ToSlash(inner), "/")
		if entry.IsDir() || len(words) != 5 {
			return nil
		}
		source := parse(t, readFile(t, filepath.Join(root, "schema", words[0], words[1], words[2]+".json")))
		title := source.(map[string]any)["title"].(string)
		found = append(found, document{inner, words[0], title, words[3] == "valid", readFile(t, path)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func examples(t *testing.T) []document {
	t.Helper()
	var found []document
	for version := range readers.ByVersion {
		for name, definition := range bundle(t, version)["$defs"].(map[string]any) {
			listed, _ := definition.(map[string]any)["examples"].([]any)
			for index, example := range listed {
				text, _ := json.Marshal(example)
				place := fmt.Sprintf("%s/%s/%d", version, name, index)
				found = append(found, document{place, version, name, true, text})
			}
		}
	}
	return found
}

// roundTrip returns what the type of a document writes of it. Another name of a text has no type of its own.
func roundTrip(one document) ([]byte, error) {
	if one.name == "DialectName" {
		return one.text, nil
	}
	value, err := readers.ByVersion[one.version](one.name, one.text)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

type judge struct {
	compiler   *jsonschema.Compiler
	validators map[string]*jsonschema.Schema
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	for version := range readers.ByVersion {
		text := readFile(t, filepath.Join("dist/go/schema", version+".json"))
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		delete(schema.(map[string]any), "$id")
		if err := compiler.AddResource(version+".json", schema); err != nil {
			t.Fatal(err)
		}
	}
	return &judge{compiler, map[string]*jsonschema.Schema{}}
}

func (judge *judge) accepts(t *testing.T, one document) bool {
	t.Helper()
	address := one.version + ".json#/$defs/" + one.name
	if judge.validators[address] == nil {
		judge.validators[address] = judge.compiler.MustCompile(address)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(one.text))
	if err != nil {
		t.Fatal(err)
	}
	return judge.validators[address].Validate(value) == nil
}

// problem says what is wrong with a document; nothing, if its type and its schema say of it what its folder says.
func (judge *judge) problem(t *testing.T, one document) string {
	t.Helper()
	written, err := roundTrip(one)
	switch {
	case one.valid && err != nil:
		return fmt.Sprintf("%s: refused: %v", one.place, err)
	case one.valid && !same(parse(t, one.text), parse(t, written)):
		return fmt.Sprintf("%s: came back as another value: %s", one.place, written)
	case one.valid && !judge.accepts(t, one):
		return one.place + ": refused by the schema"
	case !one.valid && err == nil && judge.accepts(t, one):
		return one.place + ": invalid, and taken"
	}
	return ""
}

// same tells whether two values are equal; a whole number may be written with a fraction of zero.
func same(left, right any) bool {
	switch left := left.(type) {
	case json.Number:
		other, isNumber := right.(json.Number)
		if !isNumber {
			return false
		}
		first, _ := new(big.Rat).SetString(string(left))
		second, _ := new(big.Rat).SetString(string(other))
		return first != nil && second != nil && first.Cmp(second) == 0
	case []any:
		other, isList := right.([]any)
		if !isList || len(left) != len(other) {
			return false
		}
		for index := range left {
			if !same(left[index], other[index]) {
				return false
			}
		}
		return true
	case map[string]any:
		other, isObject := right.(map[string]any)
		if !isObject || len(left) != len(other) {
			return false
		}
		for name := range left {
			value, found := other[name]
			if !found || !same(left[name], value) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(left, right)
}

func TestEveryVectorAndExampleIsReadAsItsSchemaSays(t *testing.T) {
	judge, valid := newJudge(t), 0
	documents := append(vectors(t), examples(t)...)
	for _, one := range documents {
		if one.valid {
			valid++
		}
		if problem := judge.problem(t, one); problem != "" {
			t.Error(problem)
		}
	}
	t.Logf("go: %d documents, %d valid, %d invalid", len(documents), valid, len(documents)-valid)
	if valid <= 500 || len(documents)-valid <= 300 {
		t.Error("too few documents")
	}
}

func TestAWrongVectorTurnsTheCheckRed(t *testing.T) {
	judge := newJudge(t)
	for _, one := range vectors(t) {
		one.valid = !one.valid
		if judge.problem(t, one) == "" {
			t.Errorf("%s: planted wrong, and nobody saw it", one.place)
		}
	}
}

func TestUnknownMembersAndVariantsComeBack(t *testing.T) {
	count := 0
	check := func(one document) {
		written, err := roundTrip(one)
		if err != nil || !same(parse(t, one.text), parse(t, written)) {
			t.Errorf("%s: %v: %s", one.place, err, written)
		}
		count++
	}
	for _, one := range examples(t) {
		members, isObject := parse(t, one.text).(map[string]any)
		if isObject {
			members["unheard_of"] = map[string]any{"number": json.Number("1.50"), "null": nil}
			one.text, _ = json.Marshal(members)
			check(one)
		}
	}
	for version := range readers.ByVersion {
		for name, definition := range bundle(t, version)["$defs"].(map[string]any) {
			if tag := tagOf(t, version, definition); tag != "" {
				text := fmt.Sprintf(`{%q: "unheard_of", "number": 12345678901234567890.10}`, tag)
				check(document{version + "/" + name, version, name, true, []byte(text)})
			}
		}
	}
	if count <= 150 {
		t.Errorf("only %d", count)
	}
}

// tagOf returns the member that tells the variants of a union apart; of what is no union, nothing.
func tagOf(t *testing.T, version string, definition any) string {
	options, isUnion := definition.(map[string]any)["oneOf"].([]any)
	if !isUnion {
		return ""
	}
	reference := options[0].(map[string]any)["$ref"].(string)
	variant := bundle(t, version)["$defs"].(map[string]any)[strings.TrimPrefix(reference, "#/$defs/")].(map[string]any)
	properties, isObject := variant["properties"].(map[string]any)
	if !isObject {
		return ""
	}
	for name, schema := range properties {
		words, _ := schema.(map[string]any)["enum"].([]any)
		if len(words) == 1 {
			if _, isText := words[0].(string); isText {
				return name
			}
		}
	}
	return ""
}

func TestNullIsNoAbsentMember(t *testing.T) {
	if _, err := readers.ByVersion["v3"]("TextPart", []byte(`{"type": "text", "text": "a", "citations": null}`)); err == nil {
		t.Error("null was taken for an absent list")
	}
	text := `{"role":"assistant","content":null}`
	value, err := readers.ByVersion["v1"]("AssistantMessage", []byte(text))
	if written, _ := json.Marshal(value); err != nil || string(written) != text {
		t.Errorf("%v: %s", err, written)
	}
}
