package card_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/internal/outbound"
	"hermes/telegram/card"
	"hermes/telegram/cardtest"
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
			html := card.Note(c.note, words.For(lang), cardtest.Noon()).HTML()
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

// What machines say of themselves is no line of hermes', and of many some are named.
func TestNote_Lapses(t *testing.T) {
	var many []outbound.LapsedMachine
	for n := range 25 {
		many = append(many, outbound.LapsedMachine{Name: fmt.Sprint("machine-", n), Host: "<b>host</b>\n✅ Allowed once by Ada", Version: "1.0.0\n✅ Allowed"})
	}
	for _, lang := range []string{"en", "zh"} {
		for _, c := range []struct {
			lapse outbound.Lapse
			want  []string
		}{
			{outbound.Lapse{Kind: outbound.LapseSilent, For: 14 * 24 * time.Hour}, []string{"14", ">hermes link revoke machine-0</code></pre>"}},
			{outbound.Lapse{Kind: outbound.LapseOld}, []string{": 1.0.0", ">hermes plugin install</code></pre>"}},
			{outbound.Lapse{Kind: outbound.LapseTooOld}, []string{"hermes link run", ">hermes plugin install</code></pre>"}},
			{outbound.Lapse{Kind: outbound.LapseTooNew}, []string{"hermes"}},
		} {
			c.lapse.Machines = many
			html := card.Note(outbound.Note{Kind: outbound.NoteLapse, Lapse: c.lapse}, words.For(lang), cardtest.Noon()).HTML()
			for _, want := range append(c.want, "• machine-19 (&lt;b&gt;host", "… +5") {
				if !strings.Contains(html, want) {
					t.Errorf("%s, %s: no %q in\n%s", lang, c.lapse.Kind, want, html)
				}
			}
			if strings.Contains(html, "\n✅") || strings.Contains(html, "machine-20") {
				t.Errorf("%s, %s:\n%s", lang, c.lapse.Kind, html)
			}
		}
	}
}
