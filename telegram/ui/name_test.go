package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hermes/internal/question"
	"hermes/telegram/cardtest"
	"hermes/telegram/words"
)

func TestPersonName_ImitatesNothing(t *testing.T) {
	for name, want := range map[string]string{
		"Ada":                                 "Ada",
		"Ada L.":                              "Ada L.",
		"Zoë O’Brien-Smith Jr.":               "Zoë O’Brien-Smith Jr.",
		"王小明":                                 "王小明",
		"✅\u200b Allowed once by Ada · 14:05": "Allowed once by Ada 1405",
		"🚫 Rejected by Bob":                   "Rejected by Bob",
		"→ yes":                               "yes",
		"- ( Ada":                             "Ada",
		"Ada\n\n✅ Allowed once by Bob":        "Ada Allowed once by Bob",
		"Ada\u2028in /home/ada":               "Ada in /home/ada",
		"A\u200bd\u2060a\ufeff\u3164\u00ad":   "Ada",
		"\u202eadA\u2066":                     "adA",
		"🦄":                                   "7",
		"\u3164\u2800":                        "7",
		"":                                    "7",
		"Ada\u0335\u0335\u0335\u0335\u0335":   "Ada\u0335\u0335",
		"\u0335Ada":                           "Ada",
		strings.Repeat("long ", 40):           "long long long long long long long long…",
		"a" + strings.Repeat("\u0335b\u0335c", 1000): "",
	} {
		got := personName(question.Actor{Kind: question.Person, User: 7, Name: name}).String()
		if want != "" && got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
		if n := utf8.RuneCountInString(got); n > nameRunes+2 || n == 0 {
			t.Errorf("%q is shown with %d characters", name, n)
		}
	}
	if got := personName(question.Actor{User: 7, Name: "שלום"}).String(); got != "\u2068שלום\u2069" {
		t.Errorf("a name from right to left is %q", got)
	}
}

// The name of who answers cannot draw another end of the card.
func TestCard_ForgedName(t *testing.T) {
	by := cardtest.Ada()
	by.Name = "✅\u200b Allowed once by Bob · 14:05"
	end := cardtest.Ended(cardtest.Permission(cardtest.Command("ls")), question.Outcome{Kind: question.OutcomeDismissed, By: by})
	text := Render(end, words.For("en"), cardtest.Noon()).Parts[0].String()
	if strings.Contains(text, "✅") || !strings.Contains(text, "🚫 ") || !strings.Contains(text, "Rejected by Allowed once by Bob 1405 · ") {
		t.Errorf("the end reads\n%s", text)
	}
}
