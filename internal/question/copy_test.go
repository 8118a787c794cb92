package question

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hermes/internal/chat"
)

func drawnCopies(c Card) string {
	var words []string
	if c.Unsure {
		words = append(words, "unsure")
	}
	for _, s := range c.Copies {
		word := fmt.Sprintf("%d-%d", s.After, s.Before)
		if s.Likely {
			word += "!"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// What a card knows of its copies, through all that can become of its sendings. A span is
// drawn as the id that copies are above, the one that they are below, and a mark if
// there may be any.
func TestWhereCopiesMayLie(t *testing.T) {
	mark := func(c *Card) { c.Mark(5) }
	unclear := func(c *Card) { c.Unclear(7) }
	sent := func(c *Card) { c.Sent(8, 12, noon) }
	reloaded := (*Card).Reloaded
	notSent := (*Card).NotSent
	look := func(left ...chat.Span) func(*Card) {
		return func(c *Card) {
			s, _ := c.Owed()
			c.Searched(s, left)
		}
	}
	for name, c := range map[string]struct {
		steps []func(*Card)
		want  string
	}{
		"marked":                              {[]func(*Card){mark}, "unsure 5-0"},
		"marked twice":                        {[]func(*Card){mark, func(c *Card) { c.Mark(9) }}, "unsure 5-0"},
		"sent at once":                        {[]func(*Card){mark, sent}, ""},
		"certainly not sent":                  {[]func(*Card){mark, notSent}, ""},
		"not sent, and then it was":           {[]func(*Card){mark, notSent, mark, sent}, ""},
		"its outcome is not known":            {[]func(*Card){mark, unclear}, "unsure 7-0!"},
		"and the next one fails":              {[]func(*Card){mark, unclear, notSent}, "unsure 7-0!"},
		"and the next is not known":           {[]func(*Card){mark, unclear, func(c *Card) { c.Unclear(9) }}, "unsure 7-0!"},
		"and the next one is confirmed":       {[]func(*Card){mark, unclear, sent}, "7-12!"},
		"killed":                              {[]func(*Card){mark, reloaded}, "unsure 5-0!"},
		"killed, then it was sent":            {[]func(*Card){mark, reloaded, sent}, "5-12!"},
		"killed, sent next to it":             {[]func(*Card){mark, reloaded, func(c *Card) { c.Sent(5, 6, noon) }}, ""},
		"killed before it was marked":         {[]func(*Card){reloaded}, ""},
		"marked by an older hermes":           {[]func(*Card){unsure, reloaded}, "unsure -1-0!"},
		"marked by an older hermes, and sent": {[]func(*Card){unsure, reloaded, sent}, "8-12!"},
		"looked through":                      {[]func(*Card){mark, unclear, sent, look()}, ""},
		"looked through in part":              {[]func(*Card){mark, unclear, sent, look(chat.Span{After: 9, Before: 12})}, "9-12"},
		"looked through to its end":           {[]func(*Card){mark, unclear, sent, look(chat.Span{After: 11, Before: 12})}, ""},
		"refused for some":                    {[]func(*Card){mark, unclear, sent, look(chat.Span{After: 7, Before: 9}, chat.Span{After: 9, Before: 11})}, "7-9 9-11"},
		"a further message is sent meanwhile": {[]func(*Card){
			mark, unclear, sent, func(c *Card) { c.Mark(20) }, look(),
		}, "unsure 20-0"},
		"a restart while it is looked for": {[]func(*Card){mark, unclear, sent, reloaded}, "7-12!"},
	} {
		t.Run(name, func(t *testing.T) {
			var card Card
			for _, step := range c.steps {
				before := slices.Clone(card.Copies)
				was := card
				step(&card)
				if !slices.Equal(was.Copies, before) {
					t.Error("what others read was changed")
				}
			}
			if got := drawnCopies(card); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestASearchIsBounded(t *testing.T) {
	for _, c := range []struct{ s, want chat.Span }{
		{chat.Span{After: 5, Before: 9}, chat.Span{After: 5, Before: 9}},
		{chat.Span{After: 5, Before: 16}, chat.Span{After: 5, Before: 16}},
		{chat.Span{After: 5, Before: 17}, chat.Span{After: 6, Before: 17}},
	} {
		if got := c.s.Highest(10); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.s, got, c.want)
		}
	}
}
