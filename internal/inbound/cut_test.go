package inbound_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/inbound"
)

func TestMayBeContinued_CountsAsClientsDo(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"short":                        {strings.Repeat("a", 3499), false},
		"long enough":                  {strings.Repeat("a", 3500), true},
		"each of these counts for two": {strings.Repeat("😀", 1750), true},
		"many bytes, few units":        {strings.Repeat("问", 3499), false},
	} {
		if got := inbound.MayBeContinued(test.text); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestInput_CanContinue(t *testing.T) {
	at := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
	earlier := inbound.Input{Sent: at, ReplyTo: 5}
	for name, test := range map[string]struct {
		in   inbound.Input
		want bool
	}{
		"at once":                   {inbound.Input{Sent: at}, true},
		"a reply to the same":       {inbound.Input{Sent: at.Add(3 * time.Second), ReplyTo: 5}, true},
		"a reply to something else": {inbound.Input{Sent: at, ReplyTo: 6}, false},
		"too late":                  {inbound.Input{Sent: at.Add(4 * time.Second)}, false},
	} {
		if got := test.in.CanContinue(earlier); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
