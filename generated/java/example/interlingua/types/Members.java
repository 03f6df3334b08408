// Copied from schema/compiler/runtime/java/Members.java; edit that and run `nox -s generate`.
package example.interlingua.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads and writes JSON objects member by member; what the generated types share. */
public final class Members {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Map<String, JsonNode> members = new LinkedHashMap<>();

  private Members(JsonNode node) {
    node.properties().forEach(entry -> members.put(entry.getKey(), entry.getValue()));
  }

  /** Returns the members of an object, to be taken one by one. */
  public static Members of(JsonNode node) {
    if (!node.isObject()) {
      throw new IllegalArgumentException("expected an object");
    }
    return new Members(node);
  }

  /** Takes a member that must be there. */
  public <T> T required(String name, Function<JsonNode, T> read) {
    JsonNode value = members.remove(name);
    if (value == null) {
      throw new IllegalArgumentException(name + ": missing");
    }
    return at(name, value, read);
  }

  /** Takes a member that may be absent; then it is null. */
  public <T> T optional(String name, Function<JsonNode, T> read) {
    JsonNode value = members.remove(name);
    return value == null ? null : at(name, value, read);
  }

  /** Takes a member that has one value only. */
  public <T> void constant(String name, Function<JsonNode, T> read, T constant) {
    same(name, required(name, read), constant);
  }

  /** Takes a member that is absent or has one value only. */
  public <T> T optionalConstant(String name, Function<JsonNode, T> read, T constant) {
    T found = optional(name, read);
    if (found != null) {
      same(name, found, constant);
    }
    return found;
  }

  /** Returns what nobody took. */
  public Map<String, JsonNode> rest() {
    return members;
  }

  /** Reads a string. */
  public static String string(JsonNode node) {
    return expect(node, node.isTextual(), "a string").textValue();
  }

  /** Reads a whole number, which JSON may write with a fraction of zero. */
  public static Long integer(JsonNode node) {
    expect(node, node.isNumber(), "an integer");
    try {
      return node.decimalValue().longValueExact();
    } catch (ArithmeticException error) {
      throw new IllegalArgumentException("expected an integer", error);
    }
  }

  /** Reads a number; its scale is that of its spelling. */
  public static BigDecimal number(JsonNode node) {
    return expect(node, node.isNumber(), "a number").decimalValue();
  }

  /** Reads a truth value. */
  public static Boolean truth(JsonNode node) {
    return expect(node, node.isBoolean(), "a truth value").booleanValue();
  }

  /** Keeps a JSON value as it is. */
  public static JsonNode any(JsonNode node) {
    return node;
  }

  /** Reads an object with any members. */
  public static Map<String, JsonNode> object(JsonNode node) {
    return Collections.unmodifiableMap(of(node).members);
  }

  /** Returns a reader of arrays. */
  public static <T> Function<JsonNode, List<T>> list(Function<JsonNode, T> read) {
    return node -> {
      expect(node, node.isArray(), "an array");
      List<T> items = new ArrayList<>(node.size());
      for (int index = 0; index < node.size(); index++) {
        items.add(at(Integer.toString(index), node.get(index), read));
      }
      return Collections.unmodifiableList(items);
    };
  }

  /** Returns a reader that takes null, too. */
  public static <T> Function<JsonNode, Nullable<T>> nullOr(Function<JsonNode, T> read) {
    return node -> node.isNull() ? new Nullable<>(null) : new Nullable<>(read.apply(node));
  }

  /** Returns the word of a tag. */
  public static String tag(JsonNode node, String name) {
    JsonNode word = node.get(name);
    if (word == null || !word.isTextual()) {
      throw new IllegalArgumentException("no tag `" + name + "`");
    }
    return word.textValue();
  }

  /** Tells whether a document says that it is of a newer version than the newest that is known. */
  public static boolean isNewer(JsonNode node, long newest) {
    JsonNode version = node.get("schema_version");
    return version != null && version.isNumber() && version.asLong() > newest;
  }

  /** Returns a new object, to be filled. */
  public static ObjectNode newObject() {
    return NODES.objectNode();
  }

  /** Writes a string. */
  public static JsonNode write(String value) {
    return NODES.textNode(value);
  }

  /** Writes a whole number. */
  public static JsonNode write(Long value) {
    return NODES.numberNode(value);
  }

  /** Writes a number with the scale that it has. */
  public static JsonNode write(BigDecimal value) {
    return DecimalNode.valueOf(value);
  }

  /** Writes a truth value. */
  public static JsonNode write(Boolean value) {
    return NODES.booleanNode(value);
  }

  /** Writes a JSON value as it is. */
  public static JsonNode write(JsonNode value) {
    return value;
  }

  /** Writes an object with any members. */
  public static JsonNode write(Map<String, JsonNode> values) {
    ObjectNode node = newObject();
    values.forEach(node::set);
    return node;
  }

  /** Writes an array. */
  public static <T> JsonNode write(List<T> values, Function<T, JsonNode> write) {
    ArrayNode node = NODES.arrayNode(values.size());
    values.forEach(value -> node.add(write.apply(value)));
    return node;
  }

  /** Writes a value or null. */
  public static <T> JsonNode write(Nullable<T> value, Function<T, JsonNode> write) {
    return value.value() == null ? NODES.nullNode() : write.apply(value.value());
  }

  /** Returns a list that nobody can change; null stays null, which is a member that is absent. */
  public static <T> List<T> copy(List<T> values) {
    return values == null ? null : List.copyOf(values);
  }

  /** Returns a map that nobody can change; null stays null, which is a member that is absent. */
  public static <T> Map<String, T> copy(Map<String, T> values) {
    return values == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  private static <T> T at(String place, JsonNode value, Function<JsonNode, T> read) {
    try {
      return read.apply(value);
    } catch (IllegalArgumentException error) {
      throw new IllegalArgumentException(place + ": " + error.getMessage(), error);
    }
  }

  private static <T> void same(String name, T found, T constant) {
    if (!constant.equals(found)) {
      throw new IllegalArgumentException(name + ": expected the constant " + constant);
    }
  }

  private static JsonNode expect(JsonNode node, boolean holds, String words) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + words);
    }
    return node;
  }
}
