package ask

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
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
