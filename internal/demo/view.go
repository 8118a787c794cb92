package demo

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hermes/internal/page"
	"hermes/internal/question"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

// viewMessages is a chat as its page shows it.
func viewMessages(all []telegram.Message) []page.Message {
	list := make([]page.Message, 0, len(all))
	for _, m := range all {
		if !m.Deleted {
			list = append(list, viewMessage(m))
		}
	}
	return list
}

func viewMessage(m telegram.Message) page.Message {
	v := page.Message{
		ID: m.ID, Bot: m.FromBot, From: m.From, At: m.Date, Text: m.Text, Prompts: m.ForceReply,
		ReplyTo: m.ReplyTo, Edits: m.Edits, Reaction: m.Reaction, Marks: []page.Mark{}, Keys: [][]page.Key{},
	}
	for _, e := range m.Entities {
		v.Marks = append(v.Marks, page.Mark{Type: e.Type, From: e.Offset, Length: e.Length})
	}
	for _, row := range m.Rows {
		var keys []page.Key
		for _, b := range row {
			keys = append(keys, page.Key{Label: b.Label, Data: b.Data, Style: b.Style})
		}
		v.Keys = append(v.Keys, keys)
	}
	if m.Document != nil {
		v.Document = &page.Document{Name: m.Document.Name, Size: len(m.Document.Data)}
	}
	return v
}

// lastAlerts are a person's latest alerts: the page needs those to its own taps.
func lastAlerts(all []telegram.Alert, user int64) []page.Alert {
	list := []page.Alert{}
	for _, a := range all {
		if a.User == user {
			list = append(list, page.Alert{Callback: a.Callback, Text: a.Text, Box: a.ShowAlert})
		}
	}
	return slices.Clone(list[max(0, len(list)-20):])
}

func viewThread(t question.Thread) page.Thread {
	return page.Thread{ID: string(t.ID), Title: threadTitle(t), Project: t.Project, State: threadState(t)}
}

func threadTitle(t question.Thread) page.Line {
	if p := t.Request.Permission; p != nil {
		return page.Line{Text: "Permission: {0}", Args: []string{p.Kind}}
	}
	if items := t.Request.Items; len(items) > 0 && items[0].Header != "" {
		return page.Line{Text: "{0}", Args: []string{items[0].Header}}
	}
	return page.Line{Text: "Question"}
}

// threadState is what is owed, in words.
func threadState(t question.Thread) page.Line {
	switch {
	case t.Outcome != nil:
		return page.Line{Text: "settled, the chats are being told"}
	case t.IsHeld():
		return page.Line{Text: "decided, can be taken back until {0}", Args: []string{t.Held.Until.Local().Format("15:04:05")}}
	case t.Decision != nil && t.Away:
		return page.Line{Text: "decided, waits for OpenCode"}
	case t.Decision != nil:
		return page.Line{Text: "decided, on its way to OpenCode"}
	case t.Away:
		return page.Line{Text: "open, waits for OpenCode"}
	case !t.Shown():
		return page.Line{Text: "open, not on the phones yet"}
	case len(t.Votes) > 0:
		return page.Line{Text: "open, {0} of {1} approvals", Args: []string{strconv.Itoa(len(t.Votes)), strconv.Itoa(t.Needs)}}
	case t.Deadline.IsZero():
		return page.Line{Text: "open"}
	}
	return page.Line{Text: "open until {0}", Args: []string{t.Deadline.Local().Format("15:04:05")}}
}

func viewLine(l pending.Line) page.Entry {
	e := l.Entry
	by := e.By.Name
	if by == "" {
		by = string(e.By.Kind)
	}
	detail := e.Detail
	if len(e.Answers) > 0 {
		detail = inJSON(e.Answers)
	}
	return page.Entry{
		Number: l.Number, At: e.At, Kind: string(e.Kind), Thread: string(e.Thread), By: by, Detail: detail,
		Hash: hex.EncodeToString(l.Hash[:4]),
	}
}

// localeLanguage is the language of a terminal, by the variables in the order in which POSIX has them.
func localeLanguage(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := getenv(name); value != "" {
			lang, _ := page.Language(value)
			return lang
		}
	}
	return page.Languages()[0]
}

// Greet implements [page.World]. The first browser decides the language of the page, of the scripted agent and
// of Ada's and Bob's Telegram, which hermes goes by. Then both press Start; where the person's own OpenCode can ask before
// the page is opened, they have done so before.
func (t *instance) Greet(lang string) {
	t.greeting.Do(func() {
		was := t.language()
		t.setLanguage(lang)
		if !t.joined {
			t.join(lang)
		} else if lang != was && t.hermes.currentConfig().Lang == "auto" {
			t.speakOrLog(lang)
		}
	})
}

func (t *instance) speakOrLog(lang string) {
	if err := t.hermes.speak(lang); err != nil {
		t.hermes.log.Error("hermes does not start with another language", "err", err)
	}
}

// join makes Ada and Bob press Start, in a Telegram of that language.
func (t *instance) join(lang string) {
	t.joined = true
	for _, u := range t.people {
		u.LanguageCode = lang
		t.telegram.AddUser(u)
		if _, err := t.telegram.Say(u.ID, u.ID, "/start"); err != nil {
			t.hermes.log.Error("a person cannot press Start", "err", err)
		}
	}
}

// speak makes the page, the chats and the scripted agent speak another language: hermes starts again with HERMES_LANG.
func (t *instance) speak(lang string) error {
	if !slices.Contains(page.Languages(), lang) {
		return fmt.Errorf("there is no language %q", lang)
	}
	t.setLanguage(lang)
	return t.hermes.speak(lang)
}

func (t *instance) setLanguage(lang string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lang = lang
}

func (t *instance) language() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lang
}

// terminalWords are what is printed where hermes try was started.
type terminalWords struct{ starts, open string }

func terminal(lang string) terminalWords {
	if lang == "zh" {
		return terminalWords{
			starts: "正在启动 Hermes，对面是模拟的 Telegram 和智能体…",
			open:   "请在浏览器中打开下面的地址。按 Ctrl-C 结束，不会留下任何数据。",
		}
	}
	return terminalWords{
		starts: "Starting Hermes between a simulated Telegram and an agent …",
		open:   "Open this address in a browser. Press Ctrl-C to stop; nothing is kept.",
	}
}

// logTail is a writer that keeps the last lines. It may be used concurrently.
type logTail struct {
	mu    sync.Mutex
	lines []string
	keep  int
}

func (t *logTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(p)) {
		t.lines = append(t.lines, strings.TrimRight(line, "\n"))
	}
	t.lines = slices.Clone(t.lines[max(0, len(t.lines)-t.keep):])
	return len(p), nil
}

// lastLines returns the lines that are kept, oldest first.
func (t *logTail) lastLines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string{}, t.lines...)
}

// logGate lets through what is written while it is open.
type logGate struct {
	to   io.Writer
	open func() bool
}

func (g logGate) Write(p []byte) (int, error) {
	if !g.open() {
		return len(p), nil
	}
	return g.to.Write(p)
}
