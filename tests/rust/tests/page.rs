//! The code of docs/other-languages.md.

use interlingua_types::v3::{ChatMessage, ChatRequest, Content, TextPart, UserChatMessage};

#[test]
fn the_code_of_the_page_runs() -> Result<(), serde_json::Error> {
    let content = Content::List(vec![TextPart::new("Hello").into()]);
    let user = UserChatMessage {
        content: Some(content),
        ..Default::default()
    };
    let request = ChatRequest::new(vec![ChatMessage::User(user)]);
    let text = serde_json::to_string(&request)?;
    let wanted = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}"#;
    assert_eq!(text, wanted);
    Ok(())
}
