package daemon_test

import (
	"strings"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// texts are what people and agents write that a renderer, an escaper or a wire
// format might change.
func texts() map[string]string {
	return map[string]string{
		"4096 characters": "begin " + strings.Repeat("ä", 4096-10) + " end",
		"emoji":           "👩‍👩‍👧‍👦 🏳️‍🌈 👋🏽 🇨🇭 1️⃣",
		"right to left":   "שלום עולם — مرحبا (abc) 123",
		"override":        "safe\u202etxt.exe",
		"HTML":            `<b>bold</b> &amp; <script>alert("x")</script> <tg-spoiler>no</tg-spoiler> </b`,
		"Markdown":        "*bold* _it_ `code` [a](http://x) ~~~ ```\nrm -rf /\n``` # h | t | > q \\* {1}",
		"paragraphs":      "first\n\n  second, indented\n\n\nthird",
		"percent":         "100%s %d %!x(MISSING) %%",
		"quotes":          `she said "no" and 'left' \n \u0000`,
		"combining":       "Z̷̢a̸l̴g̵o̶ é",
		"Chinese":         "数据库,用哪个?",
		"control":         "tab\there, bell\ahere",
	}
}

// What a keyboard's label is cut to, the text above it has whole.
func TestTexts_AskedTextsAreShownAndDeliveredAsTheyAre(t *testing.T) {
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				q := opencode.Question{Question: text, Header: "Text", Options: []opencode.Option{
					{Label: "other"}, {Label: text, Description: text},
				}}
				_, call := r.Ask(q)
				r.Wait(5 * time.Second)
				shown := shownIn(r, rig.Ada)
				if n := strings.Count(shown, withoutSpaces(visible.Replace(text))); n != 3 {
					t.Errorf("the text is shown %d times:\n%s", n, r.Telegram.Transcript(rig.Ada))
				}
				r.Tap("2.")
				r.Wait(5 * time.Second)
				r.WantAnswers(call, []string{text})
			})
		})
	}
}

// visible is how characters are shown that would hide others, or ring.
var visible = strings.NewReplacer("\u202e", "[U+202E]", "\a", "␇")

// shownIn is all that hermes has in a chat, without space, and without the marks
// where a text goes on in another message.
func shownIn(r *rig.Rig, chat int64) string {
	var all strings.Builder
	for _, m := range r.Telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			all.WriteString(withoutSpaces(strings.TrimPrefix(m.Text, "…")))
		}
		if m.Document != nil {
			all.WriteString(withoutSpaces(string(m.Document.Data)))
		}
	}
	return all.String()
}

// withoutSpaces is text without its spaces and line breaks.
func withoutSpaces(text string) string { return strings.Join(strings.Fields(text), "") }
