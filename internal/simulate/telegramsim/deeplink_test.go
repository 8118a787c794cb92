package telegramsim_test

import (
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

func TestStartLink(t *testing.T) {
	s := world(t, telegramsim.Options{})
	open := func(user int64) {
		t.Helper()
		if _, err := s.OpenLink(user, "https://t.me/Hermes_Bot?start=aB_9-", 0); err != nil {
			t.Fatal(err)
		}
		last := updates(t, s, args{"offset": -1})[0].Message
		if last == nil || last.Text != "/start aB_9-" || last.Chat.ID != user || last.From.ID != user || len(last.Entities) != 1 || last.Entities[0].Length != 6 {
			t.Errorf("the bot got %+v", last)
		}
	}
	open(bob) // the chat was not open yet
	send(t, s, to(bob, nil))
	if err := s.Block(bob); err != nil {
		t.Fatal(err)
	}
	before := s.Pending()
	open(bob)
	if got := s.Pending() - before; got != -before+1 {
		t.Errorf("%d updates are pending beside the last", got)
	}
	send(t, s, to(bob, nil))
}

func TestStartGroupLink(t *testing.T) {
	s := world(t, telegramsim.Options{})
	const link = "https://t.me/hermes_bot?startgroup=code"
	open := func(chat int64, want int) {
		t.Helper()
		last := s.LastUpdateID()
		if _, err := s.OpenLink(ada, link, chat); err != nil {
			t.Fatal(err)
		}
		list := updates(t, s, args{"offset": last + 1})
		if len(list) != want {
			t.Fatalf("%d updates", len(list))
		}
		m := list[want-1].Message
		if m == nil || m.Text != "/start@hermes_bot code" || m.Chat.ID != chat || m.From.ID != ada || m.Entities[0].Length != 17 {
			t.Errorf("the bot got %+v", m)
		}
		if want == 2 && !strings.Contains(string(list[0].Member), `"status":"member"`) {
			t.Errorf("before it came %s", list[0].Member)
		}
	}
	open(super, 1)
	if err := s.Leave(ada, group); err != nil {
		t.Fatal(err)
	}
	open(group, 2)
}

func TestLinksThatDoNothing(t *testing.T) {
	s := world(t, telegramsim.Options{})
	before := s.LastUpdateID()
	for link, chat := range map[string]int64{
		"https://t.me/other_bot?start=x":                                0,
		"http://t.me/hermes_bot?start=x":                                0,
		"https://example.org/hermes_bot?start=x":                        0,
		"https://t.me/hermes_bot":                                       0,
		"https://t.me/hermes_bot?start=":                                0,
		"https://t.me/hermes_bot?start=a.b":                             0,
		"https://t.me/hermes_bot?start=" + strings.Repeat("x", 65):      0,
		"https://t.me/hermes_bot?start=x&startgroup=x":                  0,
		"https://t.me/hermes_bot?start=inagroup":                        group,
		"https://t.me/hermes_bot?startgroup=" + strings.Repeat("x", 65): group,
		"https://t.me/hermes_bot?startgroup=nogroup":                    0,
		"https://t.me/hermes_bot?startgroup=channel":                    chnl,
		"https://t.me/hermes_bot?startgroup=private":                    ada,
		"https://t.me/hermes_bot?startgroup=unknown":                    -77,
	} {
		if _, err := s.OpenLink(ada, link, chat); err == nil {
			t.Errorf("%s in %d did something", link, chat)
		}
	}
	if s.LastUpdateID() != before {
		t.Error("the bot was told")
	}
}
