package question

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A script is a conversation, a line a move: what the person does, "=>", and where
// that leaves them. Options, items and pages count from 1, as on the screen.
//
//	tap 2 · untick 2 · drop 1     an option, and a typed text
//	next · back · change 2        to another item; next is Done on the last one
//	page 2 · type · untype        what changes only the screen
//	say … · send · dismiss        words, and the ends
//	skip · default                of a field
//	sure · stay                   to dismiss, and not to
//	again · old …                 the last move once more; a move of the step before
//
// What it leads to is the step, then the choices, one bracket an item:
//
//	2/3 [#1] [] [] typing         item 2 of 3 is asked, option 1 is chosen for the first
//	review [#1] [#2 «x»] [«y»]    everything is answered, «x» and «y» in words
//	answered …, dismissed …       the end
//	1/3 [] [] [] !pick-one        asked again
//	1/3 [] [] [] dismissing       asked whether to dismiss
//	grant [] · always [#2] · note [«x»]   the steps of a permission
//	stale, repeated, unknown, closed: no effect
type script struct {
	request Request
	wizard  Wizard
	last    WizardInput
	past    int // the revision before the last that changed
}

func play(t *testing.T, r Request, lines string) {
	t.Helper()
	s := script{request: r}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		move, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			t.Fatalf("no => in %q", line)
		}
		if got := s.move(t, strings.TrimSpace(move)); got != strings.TrimSpace(want) {
			t.Fatalf("%s\n got %s\nwant %s", move, got, strings.TrimSpace(want))
		}
	}
}

func (s *script) move(t *testing.T, words string) string {
	t.Helper()
	m := s.read(t, words)
	before, rev := deepCopy(s.wizard), s.wizard.Rev
	next, err := s.wizard.Apply(s.request, m)
	if !reflect.DeepEqual(before, deepCopy(s.wizard)) {
		t.Fatalf("%s changed the wizard in place\nfrom %+v\n  to %+v", words, before, s.wizard)
	}
	if word := refusal(err); word != "" {
		if !reflect.DeepEqual(before, deepCopy(next)) {
			t.Fatalf("%s is %s, and yet it changed\nfrom %+v\n  to %+v", words, word, before, next)
		}
		return word
	}
	if next.Rev != rev {
		s.past = rev
	}
	s.wizard, s.last = next, m
	return picture(s.request, next)
}

// refusal names the errors that mean that a move has no effect.
func refusal(err error) string {
	for word, is := range map[string]error{
		"stale": ErrStale, "repeated": ErrRepeated, "unknown": ErrUnknown, "closed": ErrClosed,
	} {
		if errors.Is(err, is) {
			return word
		}
	}
	return ""
}

func (s *script) read(t *testing.T, words string) WizardInput {
	t.Helper()
	verb, rest, _ := strings.Cut(words, " ")
	n, _ := strconv.Atoi(rest)
	m := WizardInput{Rev: s.wizard.Rev, Item: s.wizard.Step, Option: n - 1}
	switch verb {
	case "again":
		return s.last
	case "old":
		m = s.read(t, rest)
		m.Rev = s.past
		return m
	case "say":
		return WizardInput{Action: Say, Text: rest}
	case "back":
		m.Item, m.Option = m.Item-1, 0
	case "change":
		m.Item, m.Option = n-1, 0
	case "tap", "untick", "drop", "page":
	default:
		m.Option = 0
	}
	action, ok := map[string]Action{
		"tap": Pick, "untick": Pick, "drop": Drop, "page": Page, "back": Go, "change": Go,
		"next": Done, "skip": Skip, "default": UseDefault, "type": Type, "untype": Type, "send": Send, "dismiss": Dismiss,
		"sure": Dismiss, "stay": Go,
	}[verb]
	if !ok {
		t.Fatalf("no such move: %q", words)
	}
	m.Action, m.On = action, verb == "tap" || verb == "type" || verb == "sure"
	return m
}

// picture draws a wizard as scripts do.
func picture(r Request, w Wizard) string {
	words := []string{string(w.State)}
	switch {
	case w.State != Asking:
	case r.Permission != nil:
		words[0] = []string{"grant", "always", "note"}[w.Step]
	case w.Step == len(r.Items):
		words[0] = "review"
	default:
		words[0] = fmt.Sprintf("%d/%d", w.Step+1, len(r.Items))
	}
	for i := range r.choices() {
		chosen := hashes(w.choice(i).Options)
		for _, text := range w.choice(i).Texts {
			chosen = append(chosen, "«"+text+"»")
		}
		if w.choice(i).Skipped {
			chosen = append(chosen, "skipped")
		}
		words = append(words, "["+strings.Join(chosen, " ")+"]")
	}
	if w.Page > 0 {
		words = append(words, fmt.Sprintf("page %d", w.Page+1))
	}
	if w.Typing {
		words = append(words, "typing")
	}
	if w.Dismissing {
		words = append(words, "dismissing")
	}
	if w.Notice.Kind != "" {
		words = append(words, "!"+string(w.Notice.Kind))
	}
	return strings.Join(words, " ")
}

// deepCopy returns a wizard that shares no memory with w.
func deepCopy(w Wizard) Wizard {
	w.Choices = slices.Clone(w.Choices)
	for i, c := range w.Choices {
		w.Choices[i] = Choice{Options: slices.Clone(c.Options), Texts: slices.Clone(c.Texts), Skipped: c.Skipped}
	}
	w.Notice.Options = slices.Clone(w.Notice.Options)
	return w
}
