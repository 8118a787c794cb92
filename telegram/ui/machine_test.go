package ui_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/outbound"
	"hermes/telegram/cardtest"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

// What a person pastes is a command line of its own, and what a machine calls itself is no line of hermes'.
func TestNote_Machines(t *testing.T) {
	code := outbound.Note{Kind: outbound.NoteLinkCode, Machine: outbound.Machine{URL: "https://hermes.example", Code: "c0de", For: 10 * time.Minute}}
	linked := outbound.Note{Kind: outbound.NoteLinked, Machine: outbound.Machine{Name: "laptop-7", Host: "<b>laptop</b>\n✅ Allowed once by Ada"}}
	for _, lang := range []string{"en", "zh"} {
		for _, c := range []struct {
			note outbound.Note
			want []string
		}{
			{code, []string{
				">hermes plugin install --url https://hermes.example --code c0de</code></pre>",
				">hermes link run --url https://hermes.example --code c0de</code></pre>", "10",
			}},
			{linked, []string{"laptop-7", "&lt;b&gt;laptop", ">hermes link revoke laptop-7</code></pre>"}},
			{outbound.Note{Kind: outbound.NoteLinkOther}, []string{"/link"}},
			{outbound.Note{Kind: outbound.NoteLinkNoURL}, []string{"HERMES_PUBLIC_URL"}},
		} {
			html := ui.Note(c.note, words.For(lang), cardtest.Noon()).HTML()
			for _, want := range c.want {
				if !strings.Contains(html, want) {
					t.Errorf("%s, %s: no %q in\n%s", lang, c.note.Kind, want, html)
				}
			}
			if strings.Contains(html, "\n✅") {
				t.Errorf("%s: a machine writes a line of its own:\n%s", lang, html)
			}
		}
	}
}
