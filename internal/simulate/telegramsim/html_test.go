package telegramsim

import (
	"fmt"
	"strings"
	"testing"
)

// All markup that hermes writes, and nothing else, is understood.
func TestParseHTML(t *testing.T) {
	for in, want := range map[string]string{
		"a &lt;b&gt; &amp;amp;": "a <b> &amp; []",
		"😀<b>é</b>":             "😀é [bold 2+1]",
		"<b></b>x":              "x []",
		"<pre><code class=\"language-go\">x\ny</code></pre>z":       "x\nyz [pre 0+3 go]",
		"<b>x <code>y</code></b>":                                   "x y [bold 0+3 code 2+1]",
		"<blockquote expandable>x</blockquote>":                     "x [expandable_blockquote 0+1]",
		"<blockquote>x</blockquote>":                                "x [blockquote 0+1]",
		"<a href=\"tg://user?id=42\">Ada</a>":                       "Ada [text_mention 0+3 of 42]",
		"<tg-time unix=\"1700000000\" format=\"t\">14:13</tg-time>": "14:13 [date_time 0+5 1700000000t]",
		"é<x>":                          "error: Unsupported start tag \"x\" at byte offset 2",
		"<i>x</i>":                      "error: Unsupported start tag \"i\" at byte offset 0",
		"<b a=1>x":                      "error: Unsupported start tag \"b\" at byte offset 0",
		"a<b":                           "error: Unclosed start tag at byte offset 1",
		"<b>x</i>":                      "error: Unmatched end tag at byte offset 4, expected \"</b>\", found \"</i>\"",
		"x</b>":                         "error: Unexpected end tag at byte offset 1",
		"<b>x":                          "error: Can't find end tag corresponding to start tag \"b\"",
		"<b>x</b":                       "error: Unclosed end tag at byte offset 4",
		"R & D":                         "error: Unsupported reference \"&\" at byte offset 2",
		"x &quot;y":                     "error: Unsupported reference \"&quot;\" at byte offset 2",
		"<a href=\"https://a.b\">x</a>": "error: Unsupported start tag \"a\" at byte offset 0",
		"<tg-time unix=\"1700000000\" format=\"zz\">x</tg-time>": "error: Unsupported start tag \"tg-time\" at byte offset 0",
	} {
		text, es, err := parseHTML(in)
		if got := describe(formatted{text, es}, err); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func describe(f formatted, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var list []string
	for _, e := range f.entities {
		one := fmt.Sprintf("%s %d+%d", e.Type, e.Offset, e.Length)
		switch {
		case e.Language != "":
			one += " " + e.Language
		case e.User != nil:
			one += fmt.Sprint(" of ", e.User.ID)
		case e.UnixTime != 0:
			one += fmt.Sprint(" ", e.UnixTime, e.DateTimeFormat)
		}
		list = append(list, one)
	}
	return f.text + " [" + strings.Join(list, " ") + "]"
}

// What Telegram makes of a text of the bot, in code as anywhere else.
func TestTextsAreCleanedAsTelegramDoes(t *testing.T) {
	for in, want := range map[string]string{
		"<pre>a\tb\x01c</pre>":               "a b c [pre 0+5]",
		"x\u0333 y\u030A <b>z\u033F</b>":     "x y z [bold 4+1]",
		"a\r\nb":                             "a\nb []",
		"a\u202Eb\u2028c":                    "abc []",
		"a\u200F\u200E\u200Fb\u200Ec":        "a\u200C\u200C\u200Fb\u200Ec []",
		"👋\u030A<b>\u202E👋b</b><pre>c</pre>": "👋👋bc [bold 2+3 pre 5+1]",
		"<b>\u030A</b>x":                     "x []",
		"  <b>a</b> <code>b \n</code>":       "a b [bold 0+1 code 2+1]",
		"<code>  a</code>":                   "  a [code 0+3]",
	} {
		text, es, err := parseHTML(in)
		f, refused := formatted{text, es}.finish(false)
		if refused != nil {
			t.Fatalf("%q: %s", in, refused.text)
		}
		if got := describe(f, err); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// Of more than a hundred entities the others are dropped: bold ones first, then those at the end.
func TestEntities_ManyAreDropped(t *testing.T) {
	text, es, _ := parseHTML("<b>bold</b> " + strings.Repeat("<blockquote>x</blockquote>\n", 150))
	f, _ := formatted{text, es}.finish(false)
	if es := f.entities; len(es) != 100 || es[0].Type != "blockquote" || es[99].Offset != 5+2*99 {
		t.Errorf("%d entities, the first %+v", len(es), es[0])
	}
}
