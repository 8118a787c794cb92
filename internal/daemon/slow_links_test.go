package daemon_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// manyOwners is how many machines there are beside the one that is troublesome. Each has an owner, and so a chat.
const manyOwners = 50

const firstOwner = 5000

// playMany plays a hermes with the links of many people.
func playMany(t *testing.T, play func(r *rig.Rig)) {
	rig.Play(t, func(c *config.Config) {
		c.OpenCodeURLs, c.NotifyDelay = nil, 0
		for n := range chat.UserID(manyOwners) {
			c.TelegramUsers = append(c.TelegramUsers, firstOwner+n)
		}
	}, func(r *rig.Rig) {
		for n := range int64(manyOwners) {
			id := firstOwner + n
			r.Telegram.AddUser(telegram.User{ID: id, FirstName: fmt.Sprint("Owner ", n), LanguageCode: "en"})
			r.SayIn(id, id, "/start", 0)
			name := fmt.Sprint("machine-", n)
			p := r.ConnectPluginTo(name, r.Opencode, "/src/"+name)
			defer p.Disconnect()
			r.GiveLink(name, chat.UserID(id))
		}
		r.Wait(10 * time.Second)
		play(r)
	})
}

// wantAskedAtOnce has an agent on each machine ask, and wants that every owner sees that within three seconds: fifty messages take two,
// by Telegram's limit for all chats.
func wantAskedAtOnce(r *rig.Rig) {
	r.T.Helper()
	for n := range manyOwners {
		dir := fmt.Sprint("/src/machine-", n)
		r.Opencode.Ask(dir, r.Opencode.NewSession(dir, "fix checkout flow"), rig.DatabaseQuestion())
	}
	r.Wait(3 * time.Second)
	late := 0
	for n := range int64(manyOwners) {
		if !strings.Contains(r.Telegram.History(firstOwner+n), "Which database should this feature use?") {
			late++
		}
	}
	if late > 0 {
		r.T.Errorf("%d of %d asks came late", late, manyOwners)
	}
}

// An OpenCode that takes half a minute for every answer delays nobody else's ask.
func TestLinks_ASlowOneDelaysNoOther(t *testing.T) {
	playMany(t, func(r *rig.Rig) {
		var asked atomic.Int64
		silent := r.ConnectPlugin("silent", "/src/silent", func(rig.LinkCall) (int, string) {
			asked.Add(1)
			time.Sleep(30 * time.Second)
			return http.StatusOK, "[]"
		})
		defer silent.Disconnect()
		for n := range 20 {
			silent.PostEvent("question.asked", fmt.Sprintf(
				`{"id":"que_%d","sessionID":"ses_%d","questions":[{"question":"Really?","header":"Sure","options":[{"label":"Yes","description":""}]}],"tool":{"messageID":"msg_1","callID":"call_%d"}}`, n, n, n))
		}
		wantAskedAtOnce(r)
		if asked.Load() == 0 {
			t.Error("the slow OpenCode was asked nothing")
		}
		r.Wait(2 * time.Minute)
	})
}

// An OpenCode that tells events without end delays nobody else's ask.
func TestLinks_OneThatFloodsDelaysNoOther(t *testing.T) {
	playMany(t, func(r *rig.Rig) {
		flood := r.ConnectPlugin("flood", "/src/flood", func(rig.LinkCall) (int, string) { return http.StatusOK, "[]" })
		defer flood.Disconnect()
		var told atomic.Int64
		var all sync.WaitGroup
		stop := make(chan bool)
		for worker := range 4 {
			all.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(10 * time.Millisecond):
					}
					session := fmt.Sprintf("ses_%d_%d", worker, n)
					flood.PostEvent("session.updated", fmt.Sprintf(`{"info":{"id":%q,"title":"title %d","directory":"/src/flood","time":{"created":1,"updated":%d}}}`, session, n, n+1))
					flood.PostEvent("session.status", fmt.Sprintf(`{"sessionID":%q,"status":{"type":"busy"}}`, session))
					flood.PostEvent("session.idle", fmt.Sprintf(`{"sessionID":%q}`, session))
					told.Add(3)
				}
			})
		}
		r.Wait(5 * time.Second)
		wantAskedAtOnce(r)
		close(stop)
		all.Wait()
		if told.Load() < 1000 {
			t.Errorf("%d events are no flood", told.Load())
		}
		r.Wait(time.Minute)
	})
}

// A link that asks each second, as much as it may, delays another machine's card by less than two seconds in a private chat, and in a group by less than
// the group's own pace, a message every three seconds.
func TestLinks_OneThatAsksMuchDelaysNoOther(t *testing.T) {
	for kind, length := range map[string]int{"one message": 100, "nine messages": 35_000, "a file": 50_000} {
		for chatID, limit := range map[int64]time.Duration{rig.Ada: 2 * time.Second, rig.Team: 3 * time.Second} {
			t.Run(fmt.Sprint(kind, " ", chatID), func(t *testing.T) {
				rig.Play(t, func(c *config.Config) {
					c.OpenCodeURLs, c.NotifyDelay, c.TelegramChats = nil, 0, []config.Chat{{ID: chat.ID(chatID)}}
				}, func(r *rig.Rig) {
					r.AddTeam(false)
					r.Say("/start", 0)
					defer r.ConnectPluginTo("quiet", r.Opencode, r.Opencode.Directory()).Disconnect()
					defer r.ConnectPluginTo("noisy", r.Opencode, "/src/noisy").Disconnect()
					ctx, stop := context.WithCancel(context.Background())
					asking := r.Background(func() {
						for ; ctx.Err() == nil; time.Sleep(time.Second) {
							q := rig.DatabaseQuestion()
							q.Question = strings.Repeat("word ", length/5)
							r.Opencode.Ask("/src/noisy", r.Opencode.NewSession("/src/noisy", "ask all"), q)
						}
					})
					for _, wait := range []time.Duration{25 * time.Second, time.Second, 40 * time.Second} {
						r.Wait(wait)
						permissionWithin(r, chatID, limit)
					}
					stop()
					asking()
				})
			})
		}
	}
}

// permissionWithin has the agent ask for a permission, and fails the test unless the chat
// shows it in time. What hermes waits for before it shows anything is not counted.
func permissionWithin(r *rig.Rig, chat int64, limit time.Duration) {
	r.T.Helper()
	dir := r.Opencode.Directory()
	command := fmt.Sprintf("rm -rf build-%d", time.Now().UnixNano())
	began := time.Now()
	r.Opencode.AskBash(dir, r.Opencode.NewSession(dir, "fix checkout flow"), command)
	for time.Since(began) < 3*time.Minute {
		r.Wait(100 * time.Millisecond)
		for _, m := range r.Telegram.Messages(chat) {
			if strings.Contains(m.Text, command) {
				if took := time.Since(began) - r.Config.NotifyDelay; took > limit {
					r.T.Errorf("the card came after %v, want %v at most", took, limit)
				}
				return
			}
		}
	}
	r.T.Errorf("no card in chat %d", chat)
}
