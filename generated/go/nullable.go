// Copied from schema/compiler/runtime/go/nullable.go; edit that and run `nox -s generate`.

package interlingua

import "interlingua.example/types/internal/wire"

// Nullable is a member that may be null: then it has no value. An absent member is a nil pointer to it.
type Nullable[T any] = wire.Nullable[T]

// Null returns null.
func Null[T any]() *Nullable[T] { return &Nullable[T]{} }

// Of returns a value that is not null.
func Of[T any](value T) *Nullable[T] { return &Nullable[T]{Value: &value} }

// Pointer returns a pointer to a value, for members that may be absent.
func Pointer[T any](value T) *T { return &value }
