package telegramsim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/simulate/telegramsim"
)

// A right that all members lack, or the bot alone, is missing; an administrator has all.
func TestRights(t *testing.T) {
	file := func(s *telegramsim.Server) string {
		_, err := client(t, s).SendDocument(t.Context(), &bot.SendDocumentParams{
			ChatID: super, Document: &models.InputFileUpload{Filename: "a.txt", Data: strings.NewReader("x")},
		})
		if err == nil {
			return ""
		}
		_, said, _ := strings.Cut(err.Error(), ", ")
		return said
	}
	text := func(s *telegramsim.Server) string { return call(t, s, "sendMessage", to(super, nil)).Description }
	const noText, noFile = "Bad Request: not enough rights to send text messages to the chat", "Bad Request: not enough rights to send documents to the chat"
	for name, c := range map[string]struct {
		before     func(*telegramsim.Server) error
		text, file string
	}{
		"all have them": {func(*telegramsim.Server) error { return nil }, "", ""},
		"no files":      {func(s *telegramsim.Server) error { s.Forbid(super, telegramsim.SendDocuments); return nil }, "", noFile},
		"muted": {func(s *telegramsim.Server) error {
			s.Forbid(super, telegramsim.SendMessages, telegramsim.SendDocuments)
			return nil
		}, noText, noFile},
		"given back": {func(s *telegramsim.Server) error {
			s.Forbid(super, telegramsim.SendMessages)
			s.Forbid(super)
			return nil
		}, "", ""},
		"the bot, no files": {func(s *telegramsim.Server) error { return s.Restrict(ada, super, telegramsim.SendDocuments) }, "", noFile},
		"the bot, given back": {func(s *telegramsim.Server) error {
			_ = s.Restrict(ada, super, telegramsim.SendDocuments)
			return s.Restrict(ada, super)
		}, "", ""},
		"an administrator": {func(s *telegramsim.Server) error {
			s.Forbid(super, telegramsim.SendMessages, telegramsim.SendDocuments)
			return s.Promote(ada, super)
		}, "", ""},
	} {
		s := world(t, telegramsim.Options{})
		if err := c.before(s); err != nil {
			t.Fatal(err)
		}
		if got := text(s); got != c.text {
			t.Errorf("%s: a text gets %q, want %q", name, got, c.text)
		}
		if got := file(s); got != c.file {
			t.Errorf("%s: a file gets %q, want %q", name, got, c.file)
		}
		if v := s.Violations(); len(v) != 0 {
			t.Errorf("%s: violations %q", name, v)
		}
	}
}

// The bot can look its rights up.
func TestRightsAreTold(t *testing.T) {
	s := world(t, telegramsim.Options{})
	s.Forbid(super, telegramsim.SendPolls)
	if err := s.Restrict(ada, super, telegramsim.SendDocuments); err != nil {
		t.Fatal(err)
	}
	var chat struct {
		Permissions map[string]bool `json:"permissions"`
	}
	var member map[string]any
	decode(t, call(t, s, "getChat", args{"chat_id": super}).Result, &chat)
	decode(t, call(t, s, "getChatMember", args{"chat_id": super, "user_id": s.Bot().ID}).Result, &member)
	if p := chat.Permissions; len(p) != 17 || p["can_send_polls"] || !p["can_send_documents"] || !p["can_send_media_messages"] {
		t.Errorf("permissions %v", p)
	}
	if member["status"] != "restricted" || member["is_member"] != true || member["can_send_documents"] != false || member["can_send_messages"] != true {
		t.Errorf("member %v", member)
	}
	var updates []map[string]any
	decode(t, call(t, s, "getUpdates", nil).Result, &updates)
	if raw, _ := json.Marshal(updates); !strings.Contains(string(raw), `"can_send_documents":false`) || !strings.Contains(string(raw), `"status":"restricted"`) {
		t.Errorf("updates %s", raw)
	}
}

func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}
