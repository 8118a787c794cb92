package main

import (
	"slices"
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	telegram "hermes/internal/simulate/telegramsim"
)

// Where no reaction can be set, words say the same.
func TestWordsWhereThereAreNoReactions(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.useSession()
		c.telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if call.Method == "setMessageReaction" {
				return telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: REACTION_INVALID"}
			}
			return telegram.Fault{}
		})
		c.say("Go on.", 0)
		c.screen("👍 The agent has it · shop-api · fix checkout flow")
		c.say("And the tests.", c.last().ID)
		c.wait(time.Minute)
		c.wantPrompts("Go on.", "And the tests.")
	})
}

// What a person told a session belongs to it, as what hermes says of it does.
func TestRepliesToOnesOwnMessages(t *testing.T) {
	driving(t, opencode.VersionNew, nil, func(c talk) {
		c.useSession()
		c.say("Go on.", 0)
		first := c.mine("Go on.")
		c.send(telegram.WithFile(picture(t, 40)), "", 0, telegram.InAlbum("1"))
		second := c.send(telegram.WithFile(picture(t, 50)), "These.", 0, telegram.InAlbum("1"))
		c.wait(20 * time.Second)
		c.say("/use off", 0)
		c.say("to the first", first)
		c.sends(telegram.WithFile(picture(t, 60)), "to the second", second)
		c.wantPrompts("Go on.", "These.", "to the first", "to the second")
	})
}

// mine is Ada's message with that text.
func (r *rig) mine(text string) int {
	r.t.Helper()
	all := r.telegram.Messages(ada)
	at := slices.IndexFunc(all, func(m telegram.Message) bool { return m.Text == text })
	if at < 0 {
		r.t.Fatalf("nobody wrote %q", text)
	}
	return all[at].ID
}
