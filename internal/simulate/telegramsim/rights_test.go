package telegramsim_test

import (
	"fmt"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

// A right that all members lack is missing; an administrator has all.
func TestRights(t *testing.T) {
	file := func(s *telegramsim.Server) string {
		got := form(s, "sendDocument?chat_id="+fmt.Sprint(super), fileForm("x", ""))
		return got.Description
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
