package telegram_test

import (
	"slices"
	"testing"

	"hermes/internal/simulate/telegramsim"
	"hermes/telegram"
	"hermes/telegram/botapi"
)

func someCommands() []string { return []string{"sessions", "abort"} }

func TestSetCommands(t *testing.T) {
	type menu = []telegramsim.Command
	english := menu{{Command: "sessions", Description: "Choose a session"}, {Command: "abort", Description: "Stop the agent"}}
	chinese := menu{{Command: "sessions", Description: "所有会话，供选择"}, {Command: "abort", Description: "停止它"}}
	for lang, want := range map[string][2]menu{
		"auto": {english, chinese}, "": {english, chinese}, "en": {english, nil}, "zh": {chinese, nil},
	} {
		inWorld(t, func(w *world) {
			check := func(want [2]menu, sets, deletes int) {
				t.Helper()
				for _, scope := range []string{"all_private_chats", "all_group_chats"} {
					if got := w.tele.Commands(scope); !slices.Equal(got, want[0]) {
						t.Errorf("%q, %s: %v", lang, scope, got)
					}
					if got := w.tele.CommandsIn(scope, "zh"); !slices.Equal(got, want[1]) {
						t.Errorf("%q, %s in Chinese: %v", lang, scope, got)
					}
				}
				if n := w.tele.Count("setMyCommands"); n != sets {
					t.Errorf("%q: %d lists were set", lang, n)
				}
				if n := w.tele.Count("deleteMyCommands"); n != deletes {
					t.Errorf("%q: %d lists were taken away", lang, n)
				}
			}
			set := func(list []string) {
				t.Helper()
				if err := w.bot.SetCommands(w.t.Context(), list, list); err != nil {
					t.Fatal(err)
				}
			}
			lists := 2
			if want[1] != nil {
				lists = 4
			}
			set(someCommands())
			check(want, lists, 0)
			set(someCommands()) // is so already
			check(want, lists, 0)
			set(nil)
			check([2]menu{}, lists, lists)
			if got := w.tele.Commands("default"); len(got) != 0 {
				t.Errorf("the default menu is not ours: %v", got)
			}
		}, func(c *telegram.Config) { c.Lang = lang })
	}
}

// What is only for people alone with the bot is not offered in groups.
func TestSetCommands_OfGroups(t *testing.T) {
	inWorld(t, func(w *world) {
		if err := w.bot.SetCommands(w.t.Context(), someCommands(), someCommands()[1:]); err != nil {
			t.Fatal(err)
		}
		private, groups := w.tele.Commands("all_private_chats"), w.tele.Commands("all_group_chats")
		if len(private) != 2 || len(groups) != 1 || groups[0].Command != "abort" {
			t.Errorf("private chats have %v, groups %v", private, groups)
		}
		if err := w.bot.SetCommands(w.t.Context(), nil, []string{"Abort"}); err == nil || len(w.tele.Commands("all_private_chats")) != 2 {
			t.Errorf("a wrong list for groups: %v", err)
		}
	})
}

// A language that was configured otherwise leaves nothing behind.
func TestSetCommands_InAnotherLanguage(t *testing.T) {
	inWorld(t, func(w *world) {
		if err := w.bot.SetCommands(w.t.Context(), someCommands(), someCommands()); err != nil {
			t.Fatal(err)
		}
		w.stop()
		w.config.Lang = "en"
		w.renew()
		if err := w.bot.SetCommands(w.t.Context(), someCommands()[:1], someCommands()[:1]); err != nil {
			t.Fatal(err)
		}
		if got := w.tele.CommandsIn("all_group_chats", "zh"); len(got) != 0 || len(w.tele.Commands("all_group_chats")) != 1 {
			t.Errorf("left: %v", got)
		}
	}, func(c *telegram.Config) { c.Lang = "auto" })
}

func TestSetCommands_AreChecked(t *testing.T) {
	for name, list := range map[string][]string{
		"a slash":       {"/abort"},
		"large letters": {"Abort"},
		"no words":      {"sessions", "dance"},
		"no name":       {""},
		"twice":         {"sessions", "abort", "sessions"},
		"too many":      slices.Repeat(someCommands(), 51),
	} {
		inWorld(t, func(w *world) {
			mustFailWith(w.t, w.bot.SetCommands(w.t.Context(), list, list), botapi.Refused)
			if n := w.tele.Count("getMyCommands"); n != 0 {
				t.Errorf("%s: Telegram was asked", name)
			}
		})
	}
}

func TestSetCommands_Fails(t *testing.T) {
	inWorld(t, func(w *world) {
		w.tele.FailNext("setMyCommands", telegramsim.Fault{}, telegramsim.Fault{Kind: telegramsim.Refuse, RetryAfter: 3})
		err := w.bot.SetCommands(w.t.Context(), someCommands(), someCommands())
		if e := mustFailWith(w.t, err, botapi.Flood); !e.Temporary() || e.RetryAfter == 0 {
			t.Errorf("%v", err)
		}
		if err := w.bot.SetCommands(w.t.Context(), someCommands(), someCommands()); err != nil || len(w.tele.Commands("all_group_chats")) != 2 {
			t.Errorf("%v", err)
		}
		if n := w.tele.Count("setMyCommands"); n != 3 {
			t.Errorf("%d lists were set, two of them and one in vain", n)
		}
	})
}
