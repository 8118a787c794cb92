//go:build e2e

package e2e_test

import (
	"strings"

	"hermes/e2e/lab"
	"hermes/internal/simulate/opencodesim/model"
	"hermes/internal/simulate/telegramsim"
)

// remote is a desk that nobody sits at: sessions are driven from the phone.
type remote struct {
	*desk
	prompts []string     // each to be given to the model once
	heard   map[int]bool // by message: the bot was to say it
}

// prompt writes what the model is to be given once.
func (r *remote) prompt(text string, replyTo int) int {
	r.t.Helper()
	r.prompts = append(r.prompts, text)
	return r.phone.say(text, replyTo)
}

// anyMessage stands for whatever message another one replies to.
const anyMessage = -1

// hears waits for a message that was not heard before, that replies to another one (0:
// to none) and contains a text; it returns its id.
func (r *remote) hears(replyTo int, text string) int {
	r.t.Helper()
	return r.hearsIf(replyTo, text, func(got string) bool { return strings.Contains(got, text) })
}

func (r *remote) hearsIf(replyTo int, what string, fits func(string) bool) int {
	r.t.Helper()
	var id int
	r.phone.await("a message with "+what, func() bool {
		for _, m := range r.phone.telegram.Messages(ada) {
			if !r.heard[m.ID] && m.FromBot && (m.ReplyTo == replyTo || replyTo == anyMessage) && fits(timeless(m.Text)) {
				id = m.ID
			}
		}
		return id != 0
	})
	r.heard[id] = true
	return id
}

// taken waits until a prompt is acknowledged.
func (r *remote) taken(prompt int) {
	r.t.Helper()
	r.phone.await("a reaction", func() bool { return r.phone.message(prompt).Reaction == "👍" })
}

// asked is the prompt with a text as the model was given it, which was once.
func (r *remote) asked(text string) model.Message {
	r.t.Helper()
	if got := r.given(text); len(got) != 1 {
		r.t.Fatalf("the model was given %q, want one with %q", got, text)
	}
	var last model.Message
	for _, q := range r.here.Model.Requests() {
		if m := q.Messages[len(q.Messages)-1]; strings.Contains(m.Text, text) && len(q.Tools) > 0 {
			last = m
		}
	}
	return last
}

// turn waits for the end of a turn, with its sign, the session's title ("": any) and
// the agent's words, and returns the message's id.
func (r *remote) turn(replyTo int, sign, title, words string) int {
	r.t.Helper()
	return r.hearsIf(replyTo, sign+" … "+words, func(got string) bool {
		head, _, _ := strings.Cut(got, "\n")
		return strings.HasPrefix(head, sign+" shop-api") && strings.HasSuffix(head, title) &&
			strings.Contains(got, words) && strings.HasSuffix(got, "\n\nReply to this message to go on.")
	})
}

// given are the texts with which the model was asked to go on and that contain one: not
// the requests for a title, which offer no tools.
func (r *remote) given(text string) []string { return givenIn(r.here.Model.Requests(), text) }

func givenIn(requests []model.Request, text string) []string {
	var all []string
	for _, q := range requests {
		if last := q.Messages[len(q.Messages)-1]; last.Role == "user" && len(q.Tools) > 0 && strings.Contains(last.Text, text) {
			all = append(all, last.Text)
		}
	}
	return all
}

func (r *remote) awaitGiven(text string) {
	r.t.Helper()
	r.here.awaitModel("the prompt "+text, func(rs []model.Request) bool { return len(givenIn(rs, text)) > 0 })
}

// onScreen waits until a terminal shows a text.
func (r *remote) onScreen(text string) {
	r.t.Helper()
	if r.here.Mode == lab.TUI {
		r.here.AwaitScreen(text)
	}
}

// sessions is a number of sessions: in a terminal all that is typed goes to one.
func (r *remote) sessions(tui, serve int) int {
	if r.here.Mode == lab.TUI {
		return tui
	}
	return serve
}

// check holds that every prompt was given to the model once, as it was written; that
// nothing was told that was not to be; and that Telegram had nothing to complain about.
// A kill may leave a message that comes again, and makes hermes forget how long it was
// to be silent.
func (r *remote) check() {
	r.t.Helper()
	r.checkPrompts()
	copies, forgotten := 0, 0
	for _, m := range r.phone.telegram.Messages(ada) {
		switch {
		case m.Deleted, r.heard[m.ID], !m.FromBot, r.phone.ends[m.ID] != "", strings.HasPrefix(m.Text, "👋"):
		case copies < r.phone.kills && (strings.HasPrefix(m.Text, "👍") || r.isCopy(m)):
			copies++
		default:
			r.t.Errorf("a message that nobody needs:\n%s", m.Text)
		}
	}
	for _, v := range r.phone.telegram.Violations() {
		if strings.Contains(v, "Too Many Requests") && forgotten < r.phone.kills {
			forgotten++
			continue
		}
		r.t.Error("against Telegram's rules:", v)
	}
}

// checkPrompts holds that every prompt was given to the model once, as it was written.
func (r *remote) checkPrompts() {
	r.t.Helper()
	for _, p := range r.prompts {
		if got := r.given(p); len(got) != 1 || got[0] != p && got[0] != amid(p) {
			r.t.Errorf("the model was given %q, want %q once", got, p)
		}
	}
}

// amid is how OpenCode gives the model a prompt that came while it worked.
func amid(prompt string) string {
	return "<system-reminder>\nThe user sent the following message:\n" + prompt +
		"\n\nPlease address this message and continue with your tasks.\n</system-reminder>"
}

// isCopy reports whether a message says what another one says, or answers what it
// answers: a kill just after that was sent leaves it to be sent again.
func (r *remote) isCopy(m telegramsim.Message) bool {
	for _, o := range r.phone.telegram.Messages(ada) {
		if r.heard[o.ID] && o.ReplyTo == m.ReplyTo && (o.ReplyTo != 0 || o.Text == m.Text) {
			return true
		}
	}
	return false
}
