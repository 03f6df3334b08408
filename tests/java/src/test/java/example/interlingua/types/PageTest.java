package example.interlingua.types;

import static org.junit.jupiter.api.Assertions.assertEquals;

import example.interlingua.types.v3.ChatRequest;
import example.interlingua.types.v3.Content;
import example.interlingua.types.v3.TextPart;
import example.interlingua.types.v3.UserChatMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of docs/other-languages.md. */
class PageTest {
  @Test
  void theCodeOfThePageRuns() throws Exception {
    var text = TextPart.builder().text("Hello").build();
    var user = UserChatMessage.builder().content(new Content.Items(List.of(text))).build();
    var request = ChatRequest.builder().messages(List.of(user)).build();
    String json = Json.mapper().writeValueAsString(request);
    String wanted =
        "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hello\"}]}]}";
    assertEquals(wanted, json);
  }
}
