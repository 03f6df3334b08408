package example.interlingua.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every vector and example of every version: valid ones come back equal, invalid ones are refused. */
class VectorsTest {
  private static final Path ROOT = Path.of("../..");
  private static final List<String> VERSIONS =
      example.interlingua.types.Versions.ALL.stream().map(number -> "v" + number).toList();

  private final Map<String, JsonNode> bundles = new HashMap<>();
  private final Map<String, JsonSchema> validators = new HashMap<>();

  private record Document(String place, String version, String name, boolean valid, String text) {
    Document with(boolean verdict) {
      return new Document(place, version, name, verdict, text);
    }

    Document with(String other) {
      return new Document(place, version, name, valid, other);
    }
  }

  private static JsonNode parse(String text) throws IOException {
    return Json.mapper().readTree(text);
  }

  private JsonNode bundle(String version) throws IOException {
    if (!bundles.containsKey(version)) {
      Path path = Path.of("dist/maven/schema", version + ".json");
      bundles.put(version, parse(Files.readString(path)));
    }
    return bundles.get(version);
  }

  private List<Document> vectors() throws IOException {
    List<Document> found = new ArrayList<>();
    Path folder = ROOT.resolve("schema/vectors");
    List<Path> files;
    try (Stream<Path> walked = Files.walk(folder)) {
      files = walked.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      Path inner = folder.relativize(file);
      if (inner.getNameCount() == 5) {
        String version = inner.getName(0).toString();
        Path source = Path.of(version, inner.getName(1).toString(), inner.getName(2) + ".json");
        JsonNode schema = parse(Files.readString(ROOT.resolve("schema").resolve(source)));
        boolean valid = inner.getName(3).toString().equals("valid");
        String title = schema.get("title").textValue();
        found.add(new Document(inner.toString(), version, title, valid, Files.readString(file)));
      }
    }
    return found;
  }

  private List<Document> examples() throws IOException {
    List<Document> found = new ArrayList<>();
    for (String version : VERSIONS) {
      for (Map.Entry<String, JsonNode> entry : bundle(version).get("$defs").properties()) {
        for (JsonNode example : entry.getValue().path("examples")) {
          String place = version + "/" + entry.getKey();
          found.add(new Document(place, version, entry.getKey(), true, example.toString()));
        }
      }
    }
    return found;
  }

  /** Reads and writes a document with its type; another name of a type has none in Java. */
  private static JsonNode roundTrip(Document document)
      throws IOException, ReflectiveOperationException {
    if (document.name().equals("DialectName")) {
      return parse(document.text());
    }
    String name = document.name().equals("AnyMessage") ? "Message" : document.name();
    Class<?> type = Class.forName("example.interlingua.types." + document.version() + "." + name);
    Object value = Json.mapper().readValue(document.text(), type);
    return parse(Json.mapper().writeValueAsString(value));
  }

  private boolean accepts(Document document) throws IOException {
    String key = document.version() + "/" + document.name();
    if (!validators.containsKey(key)) {
      ObjectNode schema = Json.mapper().createObjectNode();
      schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
      schema.put("$ref", "#/$defs/" + document.name());
      schema.set("$defs", bundle(document.version()).get("$defs"));
      JsonSchemaFactory factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
      validators.put(key, factory.getSchema(schema));
    }
    return validators.get(key).validate(parse(document.text())).isEmpty();
  }

  /** Says what is wrong; null, if type and schema say of a document what its folder says. */
  private String problem(Document document) throws IOException, ReflectiveOperationException {
    JsonNode written;
    try {
      written = roundTrip(document);
    } catch (IOException error) {
      return document.valid() ? document.place() + ": refused: " + error.getMessage() : null;
    }
    if (!document.valid()) {
      return accepts(document) ? document.place() + ": invalid, and taken" : null;
    }
    if (!same(parse(document.text()), written)) {
      return document.place() + ": came back as another value: " + written;
    }
    return accepts(document) ? null : document.place() + ": refused by the schema";
  }

  /** Tells whether two values are equal; a whole number may be written with a fraction of zero. */
  private static boolean same(JsonNode left, JsonNode right) {
    return left.equals(
        (one, other) ->
            one.isNumber() && other.isNumber()
                ? one.decimalValue().compareTo(other.decimalValue())
                : one.equals(other) ? 0 : 1,
        right);
  }

  @Test
  void everyVectorAndExampleIsReadAsItsSchemaSays() throws Exception {
    List<Document> documents = new ArrayList<>(vectors());
    documents.addAll(examples());
    List<String> problems = new ArrayList<>();
    for (Document document : documents) {
      String problem = problem(document);
      if (problem != null) {
        problems.add(problem);
      }
    }
    long valid = documents.stream().filter(Document::valid).count();
    long invalid = documents.size() - valid;
    System.out.printf(
        "java: %d documents, %d valid, %d invalid%n", documents.size(), valid, invalid);
    assertEquals(List.of(), problems);
    assertTrue(valid > 500 && invalid > 300);
  }

  @Test
  void aWrongVectorTurnsTheCheckRed() throws Exception {
    for (Document document : vectors()) {
      assertNotNull(problem(document.with(!document.valid())), document.place());
    }
  }

  @Test
  void unknownMembersAndVariantsComeBack() throws Exception {
    List<Document> documents = new ArrayList<>();
    for (Document document : examples()) {
      if (parse(document.text()) instanceof ObjectNode members) {
        members.set("unheard_of", parse("{\"number\": 1.50, \"null\": null}"));
        documents.add(document.with(members.toString()));
      }
    }
    for (String version : VERSIONS) {
      for (Map.Entry<String, JsonNode> entry : bundle(version).get("$defs").properties()) {
        String tag = tagOf(bundle(version), entry.getValue());
        if (tag != null) {
          String text = "{\"%s\": \"unheard_of\", \"number\": 12345678901234567890.10}";
          documents.add(new Document(version, version, entry.getKey(), true, text.formatted(tag)));
        }
      }
    }
    for (Document document : documents) {
      assertEquals(parse(document.text()), roundTrip(document), document.place());
    }
    assertTrue(documents.size() > 150);
  }

  /** Returns the member that tells the variants of a union apart; of what is no union, null. */
  private static String tagOf(JsonNode bundle, JsonNode definition) {
    String reference = definition.at("/oneOf/0/$ref").asText();
    if (reference.isEmpty()) {
      return null;
    }
    for (Map.Entry<String, JsonNode> member :
        bundle.at(reference.substring(1)).path("properties").properties()) {
      JsonNode words = member.getValue().path("enum");
      if (words.size() == 1 && words.get(0).isTextual()) {
        return member.getKey();
      }
    }
    return null;
  }

  @Test
  void nullIsNoAbsentMember() throws Exception {
    String text = "{\"type\": \"text\", \"text\": \"a\", \"citations\": null}";
    assertThrows(
        IOException.class, () -> roundTrip(new Document("", "v3", "TextPart", true, text)));
    String said = "{\"role\":\"assistant\",\"content\":null}";
    assertEquals(
        said, roundTrip(new Document("", "v1", "AssistantMessage", true, said)).toString());
  }
}
