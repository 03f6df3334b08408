// Copied from schema/compiler/runtime/java/Nullable.java; edit that and run `nox -s generate`.
package example.interlingua.types;

/**
 * A member that may be null: then it has no value. A member that is absent is null instead of one of these.
 *
 * @param value the value, or null
 * @param <T> the type of the value
 */
public record Nullable<T>(T value) {}
