//go:build e2e

package e2e_test

import (
	"context"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"hermes/internal/simulate/telegramsim"
)

// ada is the one who may answer, and her private chat.
const ada = 42

// phone is one person's chat with the bot: Ada's, if the test has no others. Its methods fail
// the test.
type phone struct {
	t        testing.TB
	person   int64
	telegram *telegramsim.Server
	url      string
	ends     map[int]string // by message: the final text
	kills    int            // of hermes, while it had something to do
}

func newPhone(t testing.TB) *phone {
	t.Helper()
	s := telegramsim.New(telegramsim.Options{
		Token: botToken, Flood: telegramsim.Flood{Burst: 3, GroupPerMinute: 20, Edits: 20},
	})
	s.AddUser(telegramsim.User{ID: ada, FirstName: "Ada", LanguageCode: "en"})
	srv := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		srv.CloseClientConnections()
		srv.Close()
		if t.Failed() {
			t.Logf("what happened in the chat:\n%s", s.History(ada))
		}
	})
	return &phone{t: t, person: ada, telegram: s, url: srv.URL, ends: map[int]string{}}
}

// say writes to the bot and returns the message's id; a replyTo of 0 is no reply.
func (p *phone) say(text string, replyTo int) int {
	p.t.Helper()
	var how []telegramsim.SayOption
	if replyTo != 0 {
		how = append(how, telegramsim.ReplyTo(replyTo))
	}
	return p.write(text, how...)
}

// send sends a file to the bot and returns the message's id; all with the same album are
// shown as one.
func (p *phone) send(caption, album string, file telegramsim.Document) int {
	p.t.Helper()
	how := []telegramsim.SayOption{telegramsim.WithFile(file)}
	if album != "" {
		how = append(how, telegramsim.InAlbum(album))
	}
	return p.write(caption, how...)
}

func (p *phone) write(text string, how ...telegramsim.SayOption) int {
	p.t.Helper()
	id, err := p.telegram.Say(p.person, p.person, text, how...)
	if err != nil {
		p.t.Fatal(err)
	}
	return id
}

// tap taps a button by its label or the start of it.
func (p *phone) tap(card int, label string) {
	p.t.Helper()
	if _, err := p.telegram.Tap(p.person, p.person, card, label); err != nil {
		p.t.Fatal(err)
	}
}

// card waits for the card that asks the item and takes input, and returns its id.
func (p *phone) card(q item) int {
	p.t.Helper()
	return p.cardWith(q.Question)
}

// cardWith waits for the card with this text that takes input, and returns its id.
func (p *phone) cardWith(text string) int {
	p.t.Helper()
	var id int
	p.await("a card with "+text, func() bool {
		for _, m := range p.telegram.Messages(p.person) {
			if m.FromBot && len(m.Rows) > 0 && strings.Contains(m.Text, text) {
				id = m.ID
			}
		}
		return id != 0
	})
	return id
}

// box waits for the message that opens the reply box, and returns its id.
func (p *phone) box() int {
	p.t.Helper()
	var id int
	p.await("a reply box", func() bool {
		for _, m := range p.telegram.Messages(p.person) {
			if m.FromBot && m.ForceReply && !m.Deleted {
				id = m.ID
			}
		}
		return id != 0
	})
	return id
}

// reads waits until a message contains a text, whatever the time of day in it.
func (p *phone) reads(id int, text string) {
	p.t.Helper()
	p.await("a message with "+text, func() bool { return strings.Contains(timeless(p.message(id).Text), text) })
}

// sent waits until the offer to send what a person wrote says that the agent has it. If the prompt was queued, the offer goes when its turn is
// over, and the 👍 is at what they wrote.
func (p *phone) sent(offer, written int) {
	p.t.Helper()
	p.await("a message that the agent has it", func() bool {
		m := p.message(offer)
		return strings.Contains(timeless(m.Text), "👍 The agent has it · shop-api") || m.Deleted && p.message(written).Reaction == "👍"
	})
	if m := p.message(offer); !m.Deleted {
		p.ends[offer] = settled(m.Text)
	}
}

// folds waits until a message shows just this text in a folded quotation.
func (p *phone) folds(id int, text string) {
	p.t.Helper()
	p.await("a message that folds "+text, func() bool {
		m := p.message(id)
		units := utf16.Encode([]rune(m.Text))
		return slices.ContainsFunc(m.Entities, func(e telegramsim.Entity) bool {
			return e.Type == "expandable_blockquote" && string(utf16.Decode(units[e.Offset:e.Offset+e.Length])) == text
		})
	})
}

// shows waits until a message shows a button whose label begins so.
func (p *phone) shows(id int, label string) {
	p.t.Helper()
	p.await("a button "+label, func() bool {
		for _, l := range p.message(id).Labels() {
			if strings.HasPrefix(l, label) {
				return true
			}
		}
		return false
	})
}

// over reports whether a message takes no answer any more. One that ended without the answer that was given has a button that sends it as a
// prompt; the buttons of /level are for no answer.
func over(m telegramsim.Message) bool {
	return len(m.Rows) == 0 || slices.Equal(m.Labels(), []string{"📨 Send as a prompt"}) || strings.HasPrefix(m.Text, "🔔") && strings.Contains(m.Text, "\nTap to change it.")
}

// end waits until a message is just this text, without buttons for an answer. It must still be
// at the end of the test.
func (p *phone) end(id int, lines ...string) {
	p.t.Helper()
	want := strings.Join(lines, "\n")
	p.await("the end\n"+want+"\n", func() bool {
		m := p.message(id)
		return settled(m.Text) == want && over(m)
	})
	p.ends[id] = want
}

func (p *phone) message(id int) telegramsim.Message {
	p.t.Helper()
	for _, m := range p.telegram.Messages(p.person) {
		if m.ID == id {
			return m
		}
	}
	p.t.Fatalf("there is no message %d", id)
	return telegramsim.Message{}
}

// check holds that every message of the bot is one that was to be, and tells the
// truth at last; and that Telegram had nothing to complain about. A kill may leave each
// message that was on its way twice, and a tap without an acknowledgement.
func (p *phone) check() {
	p.t.Helper()
	p.tapCopies(p.kills)
	copies := map[string]int{}
	for _, m := range p.telegram.Messages(p.person) {
		want, known := p.ends[m.ID]
		switch {
		case m.Deleted, !m.FromBot, strings.HasPrefix(m.Text, "👋"), strings.HasPrefix(m.Text, "⏰"), strings.HasPrefix(m.Text, "💤"):
		case !known && copies[settled(m.Text)] < p.kills && p.isEnd(m):
			copies[settled(m.Text)]++
		case !known:
			p.t.Errorf("a message that nobody needs:\n%s", m.Text)
		case settled(m.Text) != want || !over(m):
			p.t.Errorf("a message reads, with buttons %q,\n%s\nwant\n%s", m.Labels(), m.Text, want)
		}
	}
	taps := 0
	for _, v := range p.telegram.Violations() {
		if strings.Contains(v, "got no answer") && taps < p.kills {
			taps++
			continue
		}
		p.t.Error("against Telegram's rules:", v)
	}
}

// isEnd reports whether a message tells what another one tells at last.
func (p *phone) isEnd(m telegramsim.Message) bool {
	for _, end := range p.ends {
		if settled(m.Text) == end && over(m) {
			return true
		}
	}
	return false
}

func (p *phone) await(what string, cond func() bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	if err := p.telegram.Await(ctx, cond); err != nil {
		p.t.Fatalf("%s: %v; the chat shows:\n%s", what, err, p.telegram.Transcript(p.person))
	}
}

// settled is a message's text as it must be at the end: timeless, and without what the
// agent says of a command, which OpenCode may be too slow to tell on a busy machine: a
// card waits two seconds for it.
func settled(text string) string {
	text = strings.Replace(timeless(text), "\ndescription: d\n", "\n", 1)
	return strings.TrimSuffix(text, "\nReply to this message to send an answer as a prompt.")
}

// timeless puts hh:mm for every time of day.
func timeless(text string) string {
	return regexp.MustCompile(`(\d{4}-\d\d-\d\d )?\b\d\d:\d\d\b`).ReplaceAllString(text, "hh:mm")
}

// tapCopies taps what still takes an answer when all has been answered: messages whose sending was not noted before a kill, or had
// no answer. There may be so many. Who taps is told something, and the messages end.
func (p *phone) tapCopies(most int) {
	p.t.Helper()
	copies := func() []telegramsim.Message {
		return slices.DeleteFunc(p.telegram.Messages(p.person), func(m telegramsim.Message) bool {
			return !m.FromBot || m.Deleted || over(m) || m.Rows[0][0].Data == ""
		})
	}
	p.await("no more messages ask than copies may", func() bool { return len(copies()) <= most })
	for _, m := range copies() {
		callback, err := p.telegram.Tap(p.person, p.person, m.ID, m.Rows[0][0].Label)
		if err != nil {
			continue // it has ended meanwhile
		}
		p.await("the tapped copy is told the truth", func() bool {
			told := slices.ContainsFunc(p.telegram.Alerts(), func(a telegramsim.Alert) bool { return a.Callback == callback && a.Text != "" })
			return told && over(p.message(m.ID))
		})
	}
}
