// Copied from schema/compiler/runtime/go/wire.go; edit that and run `nox -s generate`.

// Package wire reads and writes JSON objects member by member, for the generated types.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sort"
)

// Nullable is a value or null.
type Nullable[T any] struct {
	// Value is nil for null.
	Value *T
}

// MarshalJSON writes null or the value.
func (nullable Nullable[T]) MarshalJSON() ([]byte, error) {
	if nullable.Value == nil {
		return []byte("null"), nil
	}
	return json.Marshal(*nullable.Value)
}

// NullOr returns a decoder that takes null, too.
func NullOr[T any](decode Decoder[T]) Decoder[Nullable[T]] {
	return func(data json.RawMessage) (Nullable[T], error) {
		if Kind(data) == 'n' {
			return Nullable[T]{}, nil
		}
		value, err := decode(data)
		if err != nil {
			return Nullable[T]{}, err
		}
		return Nullable[T]{Value: &value}, nil
	}
}

// Decoder turns a JSON value into a type.
type Decoder[T any] func(json.RawMessage) (T, error)

// Reader takes the members of an object one by one. The first error ends it: later reads give zero values.
type Reader struct {
	members map[string]json.RawMessage
	err     error
}

// ReadObject reads an object and returns the members that nobody took; nil where there are none.
func ReadObject(data []byte, read func(*Reader)) (map[string]json.RawMessage, error) {
	members, err := Object(data)
	if err != nil {
		return nil, err
	}
	reader := &Reader{members: members}
	read(reader)
	if reader.err != nil {
		return nil, reader.err
	}
	if len(reader.members) == 0 {
		return nil, nil
	}
	return reader.members, nil
}

// take removes a member and returns it.
func (reader *Reader) take(name string) (json.RawMessage, bool) {
	value, found := reader.members[name]
	delete(reader.members, name)
	return value, found && reader.err == nil
}

// fail keeps the first error, with the member's name before it.
func (reader *Reader) fail(name string, err error) {
	if reader.err == nil {
		reader.err = fmt.Errorf("%s: %w", name, err)
	}
}

// Required reads a member that must be there.
func Required[T any](reader *Reader, name string, decode Decoder[T]) T {
	var zero T
	data, found := reader.take(name)
	if !found {
		reader.fail(name, errors.New("missing"))
		return zero
	}
	value, err := decode(data)
	if err != nil {
		reader.fail(name, err)
		return zero
	}
	return value
}

// Optional reads a member that may be absent; then it is nil.
func Optional[T any](reader *Reader, name string, decode Decoder[T]) *T {
	data, found := reader.take(name)
	if !found {
		return nil
	}
	value, err := decode(data)
	if err != nil {
		reader.fail(name, err)
		return nil
	}
	return &value
}

// OptionalValue reads a member that may be absent and whose zero value is nil: a list, a map, a union.
func OptionalValue[T any](reader *Reader, name string, decode Decoder[T]) T {
	var zero T
	value := Optional(reader, name, decode)
	if value == nil {
		return zero
	}
	return *value
}

// Constant reads a member that has one value only.
func Constant[T comparable](reader *Reader, name string, decode Decoder[T], want T) {
	if found := Required(reader, name, decode); reader.err == nil && found != want {
		reader.fail(name, fmt.Errorf("expected the constant %v", want))
	}
}

// OptionalConstant reads a member that is absent or has one value only.
func OptionalConstant[T comparable](reader *Reader, name string, decode Decoder[T], want T) *T {
	found := Optional(reader, name, decode)
	if found != nil && *found != want {
		reader.fail(name, fmt.Errorf("expected the constant %v", want))
	}
	return found
}

// Writer gathers the members of an object in their order.
type Writer struct {
	buffer bytes.Buffer
	err    error
}

// WriteObject writes an object: what `write` puts, then the members that its type does not know, by name.
func WriteObject(rest map[string]json.RawMessage, write func(*Writer)) ([]byte, error) {
	writer := &Writer{}
	writer.buffer.WriteByte('{')
	write(writer)
	names := make([]string, 0, len(rest))
	for name := range rest {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		writer.Put(name, rest[name])
	}
	writer.buffer.WriteByte('}')
	return writer.buffer.Bytes(), writer.err
}

// Put writes a member.
func (writer *Writer) Put(name string, value any) {
	if writer.err != nil {
		return
	}
	if writer.buffer.Len() > 1 {
		writer.buffer.WriteByte(',')
	}
	if writer.err = encode(&writer.buffer, name); writer.err == nil {
		writer.buffer.WriteByte(':')
		writer.err = encode(&writer.buffer, value)
	}
}

// encode writes a value without the escapes that are meant for HTML, and without the newline behind it.
func encode(buffer *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	buffer.Truncate(buffer.Len() - 1)
	return nil
}

// String reads a string.
func String(data json.RawMessage) (string, error) { return read[string](data, '"', "a string") }

// Boolean reads a truth value.
func Boolean(data json.RawMessage) (bool, error) { return read[bool](data, 0, "a truth value") }

// Integer reads a whole number, which JSON may write with a fraction of zero.
func Integer(data json.RawMessage) (int64, error) {
	if whole, err := read[int64](data, 0, "an integer"); err == nil {
		return whole, nil
	}
	float, err := read[float64](data, 0, "an integer")
	// Up to here, a float says a whole number exactly.
	if err != nil || float != math.Trunc(float) || math.Abs(float) > 1<<53 {
		return 0, errors.New("expected an integer")
	}
	return int64(float), nil
}

// Number reads a number and keeps its spelling.
func Number(data json.RawMessage) (json.Number, error) {
	if Kind(data) == '"' {
		return "", errors.New("expected a number")
	}
	return read[json.Number](data, 0, "a number")
}

// Any keeps a JSON value as it is.
func Any(data json.RawMessage) (json.RawMessage, error) { return bytes.Clone(data), nil }

// Object reads an object without looking into its members.
func Object(data json.RawMessage) (map[string]json.RawMessage, error) {
	return read[map[string]json.RawMessage](data, '{', "an object")
}

// Struct reads a type that reads itself.
func Struct[T any](data json.RawMessage) (T, error) {
	var value T
	err := json.Unmarshal(data, &value)
	return value, err
}

// List reads an array; an empty one is not nil.
func List[T any](item Decoder[T]) Decoder[[]T] {
	return func(data json.RawMessage) ([]T, error) {
		found, err := read[[]json.RawMessage](data, '[', "an array")
		if err != nil {
			return nil, err
		}
		values := make([]T, 0, len(found))
		for index, one := range found {
			value, err := item(one)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", index, err)
			}
			values = append(values, value)
		}
		return values, nil
	}
}

// Word reads one of the words of an enumeration.
func Word[T ~string](words ...T) Decoder[T] {
	return func(data json.RawMessage) (T, error) {
		found, err := String(data)
		for _, word := range words {
			if err == nil && word == T(found) {
				return word, nil
			}
		}
		if err == nil {
			err = errors.New("an unknown word")
		}
		return "", err
	}
}

// Tag reads the word of a tag, and tells whether the document says a newer version than `newest`; 0 asks nothing.
func Tag(data json.RawMessage, name string, newest int64) (word string, isNewer bool, err error) {
	members, err := Object(data)
	if err != nil {
		return "", false, err
	}
	if version, err := Integer(members["schema_version"]); newest > 0 && err == nil && version > newest {
		return "", true, nil
	}
	value, found := members[name]
	if !found {
		return "", false, fmt.Errorf("no tag `%s`", name)
	}
	word, err = String(value)
	return word, false, err
}

// Kind returns the first byte of a JSON value, which tells its kind; 0 for none.
func Kind(data json.RawMessage) byte {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return 0
	}
	return trimmed[0]
}

// read reads a value that is not null; `want` is its first byte, or 0.
func read[T any](data json.RawMessage, want byte, words string) (T, error) {
	var value T
	first := Kind(data)
	if first == 'n' || first == 0 || want != 0 && first != want {
		return value, fmt.Errorf("expected %s", words)
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("expected %s", words)
	}
	return value, nil
}

// ListOrEmpty returns a list that is written as an array even if it is nil.
func ListOrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// MapOrEmpty returns a map that is written as an object even if it is nil.
func MapOrEmpty[T any](values map[string]T) map[string]T {
	if values == nil {
		return map[string]T{}
	}
	return values
}
