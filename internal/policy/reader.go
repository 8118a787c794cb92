package policy

import (
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hermes/internal/chat"
)

// reader understands single values. What it does not understand is noted, and read as
// nothing.
type reader struct{ mistakes *mistakeList }

// longest bounds names, in characters: they stand in messages and alerts.
const longest = 64

// text reads a text that is not blank.
func (r reader) text(key string, v value) string {
	switch text := strings.TrimSpace(v.text); {
	case v.kind != isText:
		r.mistakes.add(v.line, "%s must be a text in quotes", key)
	case text == "":
		r.mistakes.add(v.line, "%s is empty; write something or leave it out", key)
	default:
		return text
	}
	return ""
}

// label reads a name that people will see.
func (r reader) label(key string, v value) string {
	text := r.text(key, v)
	odd := strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
	if odd || utf8.RuneCountInString(text) > longest {
		r.mistakes.add(v.line, "%s must be at most %d printable characters", key, longest)
		return ""
	}
	return text
}

// each reads one value or a list. It refuses an empty list, and a value that is there twice.
func each[T comparable](r reader, p *pair, read func(string, value) T) []T {
	list := p.value.list
	if p.value.kind != isList {
		list = []value{p.value}
	}
	if len(list) == 0 {
		r.mistakes.add(p.line, "%s is empty; write something or leave it out", p.key)
	}
	var (
		none T
		all  []T
		seen = map[T]bool{}
	)
	for _, v := range list {
		one := read(p.key, v)
		if seen[one] {
			r.mistakes.add(v.line, "%s names %v twice", p.key, one)
		} else if one != none {
			all, seen[one] = append(all, one), true
		}
	}
	return all
}

func (r reader) flag(p *pair) bool {
	if p.value.kind != isFlag {
		r.mistakes.add(p.value.line, "%s must be true or false, without quotes", p.key)
	}
	return p.value.flag
}

// count reads a whole number of people.
func (r reader) count(p *pair) int {
	if p.value.kind != isNumber || p.value.number < 1 || p.value.number > 1000 {
		r.mistakes.add(p.value.line, "%s must be a whole number of at least 1", p.key)
		return 1
	}
	return int(p.value.number)
}

// user reads a user's id. Telegram's own senders, which stand for many people
// (service messages, anonymous administrators and channels, by TDLib's UserManager),
// are refused: to allow one is to allow everybody.
func (r reader) user(p *pair) chat.UserID { return r.person(p.key, p.value) }

// person is user for a value of a list.
func (r reader) person(key string, v value) chat.UserID {
	switch id := v.number; {
	case v.kind != isNumber || id <= 0:
		r.mistakes.add(v.line, "%s must be a person's numeric Telegram id, without quotes (the bot tells it to whoever presses Start)", key)
		return 0
	case id == 777000 || id == 1087968824 || id == 136817688:
		r.mistakes.add(v.line, "%s %d is an id that Telegram uses for many people; name each person by their own", key, id)
		return 0
	default:
		return chat.UserID(id)
	}
}

// duration reads a span such as 10m.
func (r reader) duration(p *pair) time.Duration {
	d, err := time.ParseDuration(p.value.text)
	if p.value.kind != isText || err != nil || d < time.Second {
		r.mistakes.add(p.value.line, `%s must be a duration of at least a second, such as "10m" or "1h30m"`, p.key)
		return 0
	}
	return d
}

// target reads a chat's id, or "id/topic".
func (r reader) target(key string, v value) Target {
	id, topic := strconv.FormatInt(v.number, 10), "0"
	if v.kind == isText {
		var found bool
		if id, topic, found = strings.Cut(v.text, "/"); !found {
			topic = "0"
		} else if topic == "0" {
			topic = ""
		}
	}
	chatID, err := strconv.ParseInt(id, 10, 64)
	n, topicErr := strconv.ParseUint(topic, 10, 31)
	if err != nil || topicErr != nil || chatID == 0 || n > 0 && chatID > 0 || v.kind != isText && v.kind != isNumber {
		r.mistakes.add(v.line, `%s must name chats by their ids, such as 123456789 or -1001234567890, and a forum's topic as "-1001234567890/5"`, key)
		return Target{}
	}
	return Target{chat.ID(chatID), int(n)}
}

// span reads the hours of a day, such as 22:00-07:00.
func (r reader) span(p *pair) (from, to time.Duration) {
	first, second, ok := strings.Cut(p.value.text, "-")
	from, to = parseTimeOfDay(first), parseTimeOfDay(second)
	if p.value.kind != isText || !ok || from < 0 || to < 0 || from == to {
		r.mistakes.add(p.value.line, `%s must be two different times of the day, such as "22:00-07:00"`, p.key)
		return 0, 0
	}
	return from, to
}

// parseTimeOfDay reads a time such as 07:30; negative: it is no time of day.
func parseTimeOfDay(text string) time.Duration {
	t, err := time.Parse("15:04", strings.TrimSpace(text))
	if err != nil {
		return math.MinInt64
	}
	return sinceMidnight(t)
}

// regex reads a regular expression in Go's syntax, which finds its text anywhere.
func (r reader) regex(key string, v value) *regexp.Regexp {
	text := r.text(key, v)
	if text == "" {
		return nil
	}
	expression, err := regexp.Compile(text)
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		r.mistakes.add(v.line, "%s %q is no regular expression: %s: %q", key, text, wrong.Code, wrong.Expr)
		return regexp.MustCompile(regexp.QuoteMeta(text)) // not as if there were no condition
	}
	return expression
}

// zone reads a place's zone.
func (r reader) zone(p *pair) *time.Location {
	name := r.text(p.key, p.value)
	zone, err := time.LoadLocation(name)
	if name == "" || err != nil {
		if name != "" {
			r.mistakes.add(p.value.line, "%s %q is no zone that is known here; write one such as Europe/Berlin", p.key, name)
		}
		return time.Local
	}
	return zone
}
