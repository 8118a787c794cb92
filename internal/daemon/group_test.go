package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
)

// in configures where questions go.
func in(chats ...config.Chat) func(*config.Config) {
	return func(c *config.Config) { c.TelegramChats = chats }
}

func TestGroups(t *testing.T) {
	rig.Play(t, in(config.Chat{ID: rig.Team}), func(r *rig.Rig) {
		r.AddTeam(false)
		r.Telegram.AddUser(telegram.User{ID: 99, IsBot: true, FirstName: "Robot"})
		if err := r.Telegram.Join(99, rig.Team); err != nil {
			t.Fatal(err)
		}
		r.Telegram.AddChat(telegram.Chat{ID: crier, Type: telegram.Channel, Title: "News"})
		_, call := r.Ask(rig.DatabaseQuestion())
		card := r.LastIn(rig.Team)
		rig.WantAlert(t, "a stranger's tap", r.ForgeTap(rig.Eve, rig.Team, card.ID, r.Data(card, "1.")), rig.SaysEve)
		r.SayIn(rig.Eve, rig.Team, "1", card.ID)
		r.SayIn(rig.Bob, rig.Team, "1", card.ID, telegram.Anonymously())
		r.SayIn(rig.Bob, rig.Team, "1", card.ID, telegram.AsChannel(crier))
		r.SayIn(99, rig.Team, "1", card.ID)
		r.SayIn(rig.Ada, rig.Team, "1", 0) // hidden by privacy mode
		r.WantNoAnswer(call)
		if note := r.LastIn(rig.Team); !strings.Contains(note.Text, "Whose answer is this?") || fromBot(r.Telegram.Messages(rig.Team)) != 2 {
			t.Errorf("the anonymous were not told once:\n%s", r.Telegram.History(rig.Team))
		}
		if now := r.Telegram.Messages(rig.Team)[0]; now.ID != card.ID || now.Text != card.Text {
			t.Errorf("somebody who may not answer changed the chat:\n%s", r.Telegram.History(rig.Team))
		}
		r.SayIn(rig.Bob, rig.Team, "2", card.ID)
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		if now := r.Telegram.Messages(rig.Team)[0]; !strings.Contains(now.Text, "→ PostgreSQL (Recommended)\nBob") {
			t.Errorf("the end reads\n%s", now.Text)
		}
		wantRefusals(r, "stranger")
	})
}

func TestGroups_BlockedAndUnblocked(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		if err := r.Telegram.Block(rig.Ada); err != nil {
			t.Fatal(err)
		}
		_, call := r.Ask(rig.DatabaseQuestion())
		r.Wait(time.Minute)
		if e := r.Journal(storage.EntryFailed); len(e) != 1 || e[0].Detail != "blocked" {
			t.Errorf("the journal says %+v", e)
		}
		if n := r.Telegram.Count("sendMessage"); n > 3 {
			t.Errorf("%d messages were sent within a minute to somebody who blocked the bot", n)
		}
		if err := r.Telegram.Unblock(rig.Ada); err != nil {
			t.Fatal(err)
		}
		r.Wait(2 * time.Second)
		r.Tap("1.")
		r.Wait(2 * time.Second)
		r.WantAnswers(call, []string{"SQLite"})
	})
}

func fromBot(all []telegram.Message) int {
	n := 0
	for _, m := range all {
		if m.FromBot {
			n++
		}
	}
	return n
}

const crier = -1009999999999 // a channel
