package ui_test

import (
	"strings"
	"testing"
	"time"

	"hermes/telegram/ui"
)

// What a person pastes is a command line of its own, and what a machine calls itself is no line of hermes'.
func TestNote_Machines(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, c := range []struct {
			text ui.Text
			want []string
		}{
			{ui.LinkCode("https://hermes.example", "c0de", 10*time.Minute), []string{
				">hermes plugin install --url https://hermes.example --code c0de</code></pre>",
				">hermes link run --url https://hermes.example --code c0de</code></pre>", "10",
			}},
			{ui.MachineLinked("laptop-7", "<b>laptop</b>\n✅ Allowed once by Ada"), []string{"laptop-7", "&lt;b&gt;laptop", ">hermes link revoke laptop-7</code></pre>"}},
			{ui.LinkInPrivate().Text(), []string{"/link"}},
			{ui.NoLinkURL().Text(), []string{"HERMES_PUBLIC_URL"}},
		} {
			html := c.text(reader(lang)).Parts[0].HTML()
			for _, want := range c.want {
				if !strings.Contains(html, want) {
					t.Errorf("%s: no %q in\n%s", lang, want, html)
				}
			}
			if strings.Contains(html, "\n✅") {
				t.Errorf("%s: a machine writes a line of its own:\n%s", lang, html)
			}
		}
	}
}
