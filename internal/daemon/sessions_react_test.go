package daemon_test

import (
	"testing"
	"time"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// Where no reaction can be set, words say the same.
func TestSessions_WordsWhereThereAreNoReactions(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseSession()
		c.Telegram.SetFault(func(call telegram.Call) telegram.Fault {
			if call.Method == "setMessageReaction" {
				return telegram.Fault{Kind: telegram.Refuse, Code: 400, Description: "Bad Request: REACTION_INVALID"}
			}
			return telegram.Fault{}
		})
		c.Say("Go on.", 0)
		c.WantScreen("👍 The agent has it · shop-api · fix checkout flow")
		c.Say("And the tests.", c.Last().ID)
		c.Wait(time.Minute)
		c.WantPrompts("Go on.", "And the tests.")
	})
}

// What a person told a session belongs to it, as what hermes says of it does.
func TestSessions_RepliesToOnesOwnMessages(t *testing.T) {
	rig.Driving(t, opencode.VersionNew, nil, func(c rig.Talk) {
		c.UseSession()
		c.Say("Go on.", 0)
		first := c.OwnMessage("Go on.")
		c.Send(telegram.WithFile(picture(t, 40)), "", 0, telegram.InAlbum("1"))
		second := c.Send(telegram.WithFile(picture(t, 50)), "These.", 0, telegram.InAlbum("1"))
		c.Wait(20 * time.Second)
		c.Say("/use off", 0)
		c.Say("to the first", first)
		c.Sends(telegram.WithFile(picture(t, 60)), "to the second", second)
		c.WantPrompts("Go on.", "These.", "to the first", "to the second")
	})
}
