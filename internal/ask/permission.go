package ask

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/internal/chat"
	"hermes/internal/event"
	"hermes/internal/question"
)

// Permission is the question_id of the one answer that allows a permission ask; the option
// is [question.Once].
const Permission = "permission"

// longestPermission bounds what stands on the card beside the command and the diff, which
// go into a file where they are long: the patterns and the details together, in characters.
const longestPermission = 20_000

// parsePermission reads what a program asks leave for; nil where it asks questions.
func parsePermission(raw json.RawMessage) (*question.Permission, error) {
	if raw == nil {
		return nil, nil
	}
	var p question.Permission
	var details map[string]string
	err := decodeObject(Permission, raw, map[string]any{
		"kind": &p.Kind, "command": &p.Command, "patterns": &p.Patterns, "diff": &p.Diff, "details": &details,
	})
	if err != nil {
		return nil, err
	}
	if !validKind(p.Kind) {
		return nil, &Fault{"permission.kind", "must be a word of at most 64 letters, digits and . _ : / -, such as bash, edit or webfetch"}
	}
	size := 0
	for n, pattern := range p.Patterns {
		if isBlank(pattern) {
			return nil, &Fault{indexPath("permission.patterns", n), "is empty"}
		}
		size += utf8.RuneCountInString(pattern)
	}
	for _, name := range slices.Sorted(maps.Keys(details)) {
		if isBlank(name) {
			return nil, &Fault{"permission.details", "has an entry without a name"}
		}
		p.Details = append(p.Details, question.Detail{Name: name, Text: details[name]})
		size += utf8.RuneCountInString(name) + utf8.RuneCountInString(details[name])
	}
	switch {
	case strings.EqualFold(p.Kind, "bash") && isBlank(p.Command):
		return nil, &Fault{"permission.command", "is missing: nobody can allow a command that they cannot read"}
	case isBlank(p.Command) && len(p.Patterns) == 0:
		return nil, &Fault{Permission, "needs a command, or patterns such as the file or the address that it is for"}
	case strings.EqualFold(p.Kind, "bash") && p.Diff != "":
		return nil, &Fault{"permission.diff", "does not go with bash: a command has no changes that are known before it runs"}
	case size > longestPermission:
		return nil, &Fault{Permission, "has more than 20000 characters in patterns and details; a long text belongs into command or diff"}
	}
	return &p, nil
}

// validKind accepts words that nobody can mistake for other words on a card, or for another
// kind in a rule.
func validKind(kind string) bool {
	return kind != "" && len(kind) <= 64 && !strings.ContainsFunc(kind, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		return !letter && !(c >= '0' && c <= '9') && !strings.ContainsRune("._:/-", c)
	})
}

// checkPermission refuses fields that make no sense for a permission, or would allow it
// without a person.
func checkPermission(a event.Ask, list []json.RawMessage) error {
	switch {
	case a.Request.Permission == nil:
		return nil
	case list != nil:
		return &Fault{"questions", "do not go with permission: it is one question, and hermes knows its answers"}
	case a.Request.Context != "":
		return &Fault{"context", "does not go with permission; what people should know belongs into permission.details"}
	case a.Terms.OnExpiry.Answers():
		others := slices.DeleteFunc(question.Expiries(), question.Expiry.Answers)
		return &Fault{"on_timeout", "must be " + question.Alternatives(others, `"`) + ": no permission is given because nobody answers"}
	}
	return nil
}

// permissionResult is what became of a permission ask that was answered. Nothing but once
// allows.
func (r *Result) permissionResult(o question.Outcome) {
	if !o.Answers.Equal(question.Answers{{question.Once}}) {
		r.Status, r.AbortedBy = Aborted, byOf(o)
		return
	}
	r.Status, r.AnsweredBy = Answered, byOf(o)
	r.Answers = []Answer{{Question: Permission, Selected: []string{question.Once}}}
}

const (
	longestTTL = 365 * 24 * time.Hour
	longestKey = 200 // characters
)

// termFields are the fields that say how to handle an ask, as they were sent.
type termFields struct {
	ttl       json.RawMessage
	onTimeout string
	chats     []json.RawMessage
	key       *string
}

// parse understands the fields. hasDefault: an option is what counts when nobody answers.
func (t termFields) parse(hasDefault bool) (event.Terms, error) {
	var out event.Terms
	ttl, ok := readTTL(t.ttl)
	if !ok {
		return out, &Fault{"ttl", `must be a duration like "5m" or a number of seconds, at most a year; 0 waits for ever`}
	}
	out.TTL = ttl
	switch e, all := question.Expiry(t.onTimeout), question.Expiries(); {
	case e == "" && hasDefault:
		out.OnExpiry = question.ExpireAccept
	case e == "" || slices.Contains(all, e):
		out.OnExpiry = e
	default:
		return out, &Fault{"on_timeout", "must be " + question.Alternatives(all, `"`)}
	}
	for n, raw := range t.chats {
		card, ok := readChat(raw)
		if !ok {
			return out, &Fault{indexPath("chats", n), `must be the id of a chat, or "id/topic"`}
		}
		out.Cards = append(out.Cards, card)
	}
	return out, nil
}

// readTTL is nil for a field that is not there.
func readTTL(raw json.RawMessage) (*time.Duration, bool) {
	if raw == nil {
		return nil, true
	}
	var text string
	var seconds float64
	var d time.Duration
	switch {
	case json.Unmarshal(raw, &text) == nil:
		var err error
		if d, err = time.ParseDuration(text); err != nil {
			return nil, false
		}
	case json.Unmarshal(raw, &seconds) == nil && math.Abs(seconds) <= longestTTL.Seconds():
		d = time.Duration(seconds * float64(time.Second))
	default:
		return nil, false
	}
	return &d, d >= 0 && d <= longestTTL
}

// readChat reads -1001234567890, "-1001234567890" or "-1001234567890/5".
func readChat(raw json.RawMessage) (question.Card, bool) {
	text := string(raw)
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	id, topic, forum := strings.Cut(text, "/")
	chatID, err := strconv.ParseInt(id, 10, 64)
	n := 0
	if forum && err == nil {
		n, err = strconv.Atoi(topic)
	}
	return question.Card{Chat: chat.ID(chatID), Topic: n}, err == nil && chatID != 0 && n >= 0 && (n > 0 || !forum)
}

// applyKey gives an ask that has an idempotency key the id and the digest that belong to
// key and body: who sends them again means the same ask.
func (t termFields) applyKey(r *question.Request, body []byte) error {
	if t.key == nil {
		return nil
	}
	if isBlank(*t.key) || utf8.RuneCountInString(*t.key) > longestKey {
		return &Fault{"idempotency_key", "must have 1 to 200 characters"}
	}
	id := sha256.Sum256([]byte("hermes ask " + *t.key))
	r.ID = question.RequestID("ask_" + base64.RawURLEncoding.EncodeToString(id[:15]))
	r.Digest = bodyDigest(body)
	return nil
}

// bodyDigest is the same for bodies that differ in white space and the order of fields
// alone. The body is JSON.
func bodyDigest(body []byte) string {
	var value any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	_ = d.Decode(&value)
	canonical, _ := json.Marshal(value) // maps are sorted; what was decoded can be encoded
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
