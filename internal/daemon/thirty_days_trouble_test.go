//go:build !race

package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
)

// trouble is another one each day, in the middle of open asks. In the second half of the month nothing is restarted, so that
// what grows can be seen.
func (w *working) trouble() {
	troubles := []func(){w.restart, w.kill, w.noTelegram, w.noOpenCode, w.fullDisk, w.strangersFlood, w.telegramRefuses}
	if w.day > 14 {
		troubles = troubles[2:]
	}
	troubles[w.day%len(troubles)]()
}

// several are asks that come at once, for which nobody waits.
func (w *working) several() []*ask {
	var list []*ask
	for range 10 {
		list = append(list, w.question(), w.permission())
		w.newSession()
	}
	return list
}

func (w *working) tapAll(list []*ask) {
	for _, a := range list {
		w.tap(a)
		w.Wait(3 * time.Second)
	}
}

func (w *working) restart() {
	list := w.several()
	w.Wait(time.Minute)
	w.Halt()
	w.tapAll(list[:5])
	w.Wait(time.Minute)
	w.Start()
	w.Wait(time.Minute)
	w.tapAll(list[5:])
}

// kill ends hermes so that nothing is stored from a moment on at which much is under way.
func (w *working) kill() {
	list := w.several()
	w.Wait(time.Minute)
	w.full.Store(true)
	for _, a := range list[:5] {
		w.tap(a)
	}
	w.Wait(time.Second)
	w.Stop()
	<-w.Ended
	w.full.Store(false)
	w.Wait(10 * time.Second) // the next hermes does not know how much was sent just before, and Telegram would have it wait
	w.Start()
	w.Wait(time.Minute)
	w.tapAll(list[5:])
}

func (w *working) noTelegram() {
	w.Telegram.SetFault(func(telegram.Call) telegram.Fault { return telegram.Fault{Kind: telegram.Unreachable} })
	list := w.several()
	w.Wait(10 * time.Minute)
	w.Telegram.SetFault(nil)
	w.Wait(5 * time.Minute)
	w.tapAll(list)
}

// noOpenCode ends what is asked there: OpenCode knows nothing of it when it is there again.
func (w *working) noOpenCode() {
	for _, a := range w.several() {
		a.answer, a.permission = nil, false
	}
	w.Opencode.Stop()
	w.Wait(time.Hour)
	w.Opencode.Start()
	w.Wait(2 * time.Minute)
	w.newSession()
}

// fullDisk ends hermes; the service manager would start it again.
func (w *working) fullDisk() {
	list := w.several()
	w.Wait(time.Minute)
	w.full.Store(true)
	w.tapAll(list[:5])
	<-w.Ended
	w.Wait(time.Minute)
	w.full.Store(false)
	w.Start()
	w.Wait(time.Minute)
	w.tapAll(list[5:])
}

// strangersFlood is two hundred who find the bot, each with several messages.
func (w *working) strangersFlood() {
	for range 200 {
		w.strangers++
		w.Telegram.AddUser(telegram.User{ID: w.strangers, FirstName: "Somebody"})
		for n := range 5 {
			if _, err := w.Telegram.Say(w.strangers, w.strangers, fmt.Sprint("/start ", n)); err != nil {
				w.T.Fatal(err)
			}
		}
		w.Wait(time.Second)
	}
	w.Wait(time.Minute)
}

// telegramRefuses is an hour in which Telegram takes a message in two, and has hermes wait for the others.
func (w *working) telegramRefuses() {
	w.Telegram.SetFault(func(c telegram.Call) telegram.Fault {
		if c.Seq%2 == 0 && (c.Method == "sendMessage" || c.Method == "editMessageText") {
			return telegram.Fault{Kind: telegram.Refuse, RetryAfter: 7}
		}
		return telegram.Fault{}
	})
	list := w.several()
	w.Wait(10 * time.Minute)
	w.tapAll(list)
	w.Wait(10 * time.Minute)
	w.Telegram.SetFault(nil)
	w.Wait(time.Minute)
}

// kept is for how many days records stay, by bucket; what is in no such bucket is as much after a month as after a day.
var kept = map[string]int{
	"settled": 7, "ended": 7, "by_request": 7, "by_message": 7, "journal": 7, "seen": 2, "said": 30, "told": 30,
}

// ends are the most that may be of what ends only after many days, or at a number. Bounded maps (internal/recent) have a most of
// their own, to which the census holds them.
var ends = map[string]int{
	"chats": 1100, "daemon.Bridge.chats.known": 1100, // strangers
	"daemon.Bot.sender.ids.chats[].last": 9000, // eight of each stranger
	"daemon.Bot.out.chats":               1000, "daemon.Bot.out.chats[].wake": 1000,
	"said": 31 * 4, "told": 31, // thirty days of it
	"daemon.Bridge.outcomes.waits.of[]": 500, "daemon.Bridge.outcomes.waits.of[][].cards": 500, "daemon.Bridge.outcomes.waits.of[][].origins": 500, // twelve hours of it
}

// wantNoGrowth fails the test if hermes holds more than after its first day, but for records that are kept for a time.
func wantNoGrowth(t *testing.T, first, last holding, days int) {
	t.Helper()
	for bucket, n := range last.records {
		most := first.records[bucket] * max(1, min(days, kept[bucket]+1)) // what is pruned every six hours is there for some hours more
		if n > most*5/4+20 && (ends[bucket] == 0 || n > ends[bucket]) {
			t.Errorf("bucket %s grew from %d records to %d", bucket, first.records[bucket], n)
		}
	}
	if most := first.file * min(days, 10); last.file > most {
		t.Errorf("the file grew from %d to %d bytes", first.file, last.file)
	}
	for where, n := range last.entries {
		if n > first.entries[where]*5/4+8 && (ends[where] == 0 || n > ends[where]) {
			t.Errorf("%s grew from %d entries to %d", where, first.entries[where], n)
		}
	}
	for function, n := range last.heap {
		if n > first.heap[function]+(512<<10) && !strings.Contains(function, "/simplelru.") { // which have a most
			t.Errorf("what %s allocated grew from %d bytes to %d", function, first.heap[function], n)
		}
	}
	if was, is := total(first.heap), total(last.heap); is > was*3/2+(2<<20) {
		t.Errorf("the heap grew from %d bytes to %d", was, is)
	}
	for function, n := range last.goroutines {
		if n > first.goroutines[function] {
			t.Errorf("%d goroutines of %s became %d", first.goroutines[function], function, n)
		}
	}
	for name, n := range last.files {
		if n > first.files[name] {
			t.Errorf("%s is open %d times, and was %d times", name, n, first.files[name])
		}
	}
	if total(first.goroutines) < 5 || len(last.entries) < 50 || total(first.heap) < 100<<10 || last.records["settled"] < 100*min(days, 7) {
		t.Errorf("too little was looked at: %v", last)
	}
}
