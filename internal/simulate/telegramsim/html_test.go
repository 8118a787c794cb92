package telegramsim

import (
	"fmt"
	"testing"
)

func TestParseHTML(t *testing.T) {
	for in, want := range map[string]string{
		"a &lt;b&gt; &amp;amp; &quot;&#65;&#x42 &nbsp;": `a <b> &amp; "AB &nbsp; []`,
		"😀<b>é</b>":        "😀é [bold 2+1]",
		"<B>x<i>y</i></b>": "xy [bold 0+2 italic 1+1]",
		"<b></b>x":         "x []",
		`<pre><code class="language-go">x</code></pre>`:               "x [pre 0+1 go]",
		`<pre>x</pre><code>y</code>`:                                  "xy [pre 0+1 code 1+1]",
		`<a href="https://a.b/?x=1&amp;y">x</a>`:                      "x [text_link 0+1 https://a.b/?x=1&y]",
		`<a>no link</a>`:                                              "no link []",
		`<blockquote expandable>x</blockquote>`:                       "x [expandable_blockquote 0+1]",
		`<blockquote>x</blockquote>`:                                  "x [blockquote 0+1]",
		`<span class="tg-spoiler">x</span><tg-spoiler>y</tg-spoiler>`: "xy [spoiler 0+1 spoiler 1+1]",
		`<tg-time unix="1700000000" format="r">soon</tg-time>`:        "soon [date_time 0+4 1700000000r]",
		`<tg-time unix="1700000000" format="R">soon</tg-time>`:        "soon [date_time 0+4 1700000000R]",
		`<tg-time unix="1700000000" format="tT">soon</tg-time>`:       "soon [date_time 0+4 1700000000tT]",
		`<tg-time unix="1700000000" format="tw">soon</tg-time>`:       "soon [date_time 0+4 1700000000tw]",
		`<tg-emoji emoji-id='5'>x</tg-emoji>`:                         "x [custom_emoji 0+1 5]",
		`<u>a</u><ins>b</ins><s>c</s><strike>d</strike><del>e</del>`:  "abcde [underline 0+1 underline 1+1 strikethrough 2+1 strikethrough 3+1 strikethrough 4+1]",
		`<strong>a</strong><em>b</em></em`:                            `error: Unexpected end tag at byte offset 28`,
		`<i   aba  =  190azAz-.,>x</i>`:                               `error: Unexpected end of name token at byte offset 13`,
		`<i a="x`:                                                     `error: Unclosed start tag at byte offset 0`,
		`<i a`:                                                        `error: Unclosed start tag "i" at byte offset 0`,
	} {
		if got := describe(parseHTML(in)); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestParseMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		`*b* _i_ __u__ ~s~ ||x||`:      "b i u s x [bold 0+1 italic 2+1 underline 4+1 strikethrough 6+1 spoiler 8+1]",
		"`a\\`b` ```go\nx``` \\. 😀*y*": "a`b x . 😀y [code 0+3 pre 4+1 go bold 10+1]",
		"[x](https://a.b)":             "x [text_link 0+1 https://a.b]",
		"a.b":                          `error: Character '.' is reserved and must be escaped with the preceding '\'`,
	} {
		if got := describe(parseMarkdown(in)); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func describe(text string, es []Entity, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	list := ""
	for _, e := range es {
		list += fmt.Sprintf(" %s %d+%d", e.Type, e.Offset, e.Length)
		if detail := e.URL + e.Language + e.CustomEmojiID; detail != "" {
			list += " " + detail
		}
		if e.UnixTime != 0 {
			list += fmt.Sprintf(" %d%s", e.UnixTime, e.DateTimeFormat)
		}
	}
	if list != "" {
		list = list[1:]
	}
	return text + " [" + list + "]"
}

func TestCleanMovesEntities(t *testing.T) {
	f := formatted{"  a b \n", []Entity{{Type: "bold", Offset: 2, Length: 1}, {Type: "italic", Offset: 4, Length: 3}}}.clean()
	if got, want := describe(f.text, f.entities, nil), "a b [bold 0+1 italic 2+1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f = formatted{"  a", []Entity{{Type: "code", Length: 3}}}.clean()
	if got, want := describe(f.text, f.entities, nil), "  a [code 0+3]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is shown as HTML must mean the same message when it is sent again.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{"<b>x</b>", "a<i>b<u>c</u></i>", `<pre><code class="language-go">x`, "&lt;", "<a href='http://a.b'>x</a>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		text, es, err := parseHTML(in)
		if err != nil {
			return
		}
		again, es2, err := parseHTML(renderHTML(text, es))
		if err != nil || again != text {
			t.Fatalf("%q -> %q -> %q, %v", in, renderHTML(text, es), again, err)
		}
		if a, b := describe(text, es, nil), describe(again, es2, nil); len(es) == 1 && a != b {
			t.Fatalf("%s != %s", a, b)
		}
	})
}
