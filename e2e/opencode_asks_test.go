//go:build e2e

package e2e_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"hermes/e2e/lab"
)

// What a terminal shows while it asks.
const (
	questionDialogue   = "esc dismiss"
	permissionDialogue = "Permission required"
)

// pendingAsk is an ask as OpenCode lists it: a question or a permission.
type pendingAsk struct {
	ID, SessionID string
	Questions     []item
	Patterns      []string
	Tool          struct{ MessageID, CallID string }
}

// asksFor tells the ask whose first question is this one.
func asksFor(q item) func(pendingAsk) bool {
	return func(a pendingAsk) bool { return a.Questions[0].Question == q.Question }
}

// asksToRun tells the ask for a command.
func asksToRun(command string) func(pendingAsk) bool {
	return func(a pendingAsk) bool { return slices.Contains(a.Patterns, command) }
}

// pending are the asks in a list of OpenCode's, /question or /permission, that match.
// Only a server can be asked.
func (w *window) pending(list string, match func(pendingAsk) bool) []pendingAsk {
	w.t.Helper()
	_, raw := w.Call(http.MethodGet, list, nil)
	var all []pendingAsk
	if err := json.Unmarshal(raw, &all); err != nil {
		w.t.Fatalf("GET %s: %s", list, raw)
	}
	return slices.DeleteFunc(all, func(a pendingAsk) bool { return !match(a) })
}

// onlyAsk is the one that matches.
func (w *window) onlyAsk(list string, match func(pendingAsk) bool) pendingAsk {
	w.t.Helper()
	asks := w.pending(list, match)
	if len(asks) != 1 {
		w.t.Fatalf("%d asks in %s match, want one", len(asks), list)
	}
	return asks[0]
}

// awaitAsked waits until OpenCode itself shows that it asks the item.
func (w *window) awaitAsked(q item) { w.awaitDialogue(questionDialogue, "/question", asksFor(q)) }

func (w *window) awaitDialogue(screen, list string, match func(pendingAsk) bool) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.AwaitScreen(screen)
		return
	}
	eventually(w.t, "OpenCode lists the ask", func() bool { return len(w.pending(list, match)) > 0 })
}

// closeQuestion and closePermission close the dialogue that a terminal still shows after
// its turn was stopped.
func (w *window) closeQuestion()   { w.closeDialogue(questionDialogue) }
func (w *window) closePermission() { w.closeDialogue(permissionDialogue) }

func (w *window) closeDialogue(screen string) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.AwaitScreen(screen)
		w.SendKeys("Escape")
	}
}

// showsDialogue reports whether a screen asks for something.
func showsDialogue(screen string) bool {
	return strings.Contains(screen, questionDialogue) || strings.Contains(screen, permissionDialogue)
}

// answerHere answers a question past hermes, by keys or by HTTP; it must be a single
// choice. dismissHere dismisses one.
func (w *window) answerHere(q item, option int) {
	w.t.Helper()
	keys := append(slices.Repeat([]string{"Down"}, option), "Enter")
	w.settle("Type your own answer", keys, "/question", asksFor(q), "/reply", map[string]any{"answers": [][]string{{q.Options[option].Label}}})
}

func (w *window) dismissHere(q item) {
	w.t.Helper()
	w.settle("Type your own answer", []string{"Escape"}, "/question", asksFor(q), "/reject", nil)
}

// allowHere allows a command past hermes, by keys or by HTTP; rejectHere rejects it.
func (w *window) allowHere(command string)  { w.decideHere(command, "once", "Enter") }
func (w *window) rejectHere(command string) { w.decideHere(command, "reject", "Escape") }

func (w *window) decideHere(command, reply, key string) {
	w.t.Helper()
	w.settle(permissionDialogue, []string{key}, "/permission", asksToRun(command), "/reply", map[string]string{"reply": reply})
}

// settle ends an ask by keys when the screen shows it, or by a POST below its list.
func (w *window) settle(screen string, keys []string, list string, match func(pendingAsk) bool, how string, body any) {
	w.t.Helper()
	if w.Mode == lab.TUI {
		w.AwaitScreen(screen)
		w.SendKeys(keys...)
		return
	}
	path := list + "/" + w.onlyAsk(list, match).ID + how
	if status, raw := w.Call(http.MethodPost, path, body); status != http.StatusOK {
		w.t.Fatalf("POST %s: %d %s", path, status, raw)
	}
}
