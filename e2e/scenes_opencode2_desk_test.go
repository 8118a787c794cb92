//go:build e2e

package e2e_test

import (
	"net/http"
	"strings"
)

// question has the agent ask, and waits for the card.
func (r *remote2) question(text string) (item, int) {
	r.t.Helper()
	q := database(text)
	r.ask(call(q))
	return q, r.phone.card(q)
}

func (r *remote2) askShell(command string) int {
	r.t.Helper()
	r.ask(tool("shell", map[string]string{"command": command}))
	card := r.phone.cardWith(command)
	r.phone.reads(card, "🔐 Run a command · shop-api\n"+command+"\n")
	return card
}

// ask gives the model a prompt in its script language in a new session.
func (r *remote2) ask(script string) {
	r.t.Helper()
	var made struct{ ID string }
	r.oc.call(http.MethodPost, "/api/session", map[string]any{"location": map[string]string{"directory": r.dir}}, &made)
	r.session = made.ID
	r.oc.call(http.MethodPost, r.path("/prompt"), map[string]string{"text": script}, nil)
}

// goOn gives the session one more prompt, and waits until it is answered.
func (r *remote2) goOn(text string) {
	r.t.Helper()
	r.idle()
	r.oc.call(http.MethodPost, r.path("/prompt"), map[string]string{"text": text}, nil)
	r.prompted(text)
}

func (r *remote2) path(end string) string { return "/api/session/" + r.session + end }

// form waits until the session asks, and returns the form's path.
func (r *remote2) form() string {
	r.t.Helper()
	var forms []struct{ ID string }
	eventually(r.t, "OpenCode asks", func() bool {
		r.oc.call(http.MethodGet, r.path("/form"), nil, &forms)
		return len(forms) == 1
	})
	return r.path("/form/" + forms[0].ID)
}

func (r *remote2) idle() {
	r.t.Helper()
	eventually(r.t, "the session is idle", func() bool {
		active := map[string]any{}
		r.oc.call(http.MethodGet, "/api/session/active", nil, &active)
		return active[r.session] == nil
	})
}

// message2 is a message of 2.x, as far as it matters here.
type message2 struct {
	Type, Text string
	Content    []part2
}

type part2 struct {
	Type, Text string
	State      struct {
		Content []struct{ Text string }
		Error   struct{ Message string }
	}
}

// result is what the model is told of a tool call.
func (p part2) result() string {
	text := p.State.Error.Message
	for _, c := range p.State.Content {
		text += c.Text
	}
	return text
}

func (r *remote2) messages() []message2 {
	r.t.Helper()
	var all []message2
	r.oc.call(http.MethodGet, r.path("/message?order=asc"), nil, &all)
	return all
}

// calls are the tool calls of the session.
func (r *remote2) calls() []part2 { return r.parts("tool") }

// said is how often the model, which repeats what it was told, said a text.
func (r *remote2) said(text string) int {
	n := 0
	for _, p := range r.parts("text") {
		if strings.Contains(p.Text, text) {
			n++
		}
	}
	return n
}

func (r *remote2) parts(kind string) []part2 {
	r.t.Helper()
	var all []part2
	for _, m := range r.messages() {
		for _, p := range m.Content {
			if p.Type == kind {
				all = append(all, p)
			}
		}
	}
	return all
}
