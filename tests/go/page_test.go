package tests

import (
	"encoding/json"
	"testing"

	v3 "interlingua.example/types/v3"
)

// The code of docs/other-languages.md.
func TestTheCodeOfThePageRuns(t *testing.T) {
	user := v3.UserChatMessage{Content: v3.ContentList{v3.TextPart{Text: "Hello"}}}
	request := v3.ChatRequest{Messages: []v3.ChatMessage{user}}
	text, err := json.Marshal(request)
	wanted := `{"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}`
	if err != nil || string(text) != wanted {
		t.Errorf("%v: %s", err, text)
	}
}
