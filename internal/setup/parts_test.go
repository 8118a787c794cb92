package setup

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/storage"
	"hermes/telegram/botapi"
)

func TestEnvFile_Edits(t *testing.T) {
	token := envEdit{Name: "TOKEN", Value: "new", Secret: true}
	for name, test := range map[string]struct{ before, after, changes string }{
		"none":      {"", newEnv + "TOKEN=new\n", "TOKEN  ***"},
		"same":      {"a=1\r\n\nTOKEN = \"new\" \n# end", "a=1\r\n\nTOKEN = \"new\" \n# end\n", ""},
		"other":     {"# x\nTOKEN=old\r\nB=2\n", "# x\nTOKEN=new\r\nB=2\n", "TOKEN *** ***"},
		"example":   {"# x\n#TOKEN=\n# y\n", "# x\n#TOKEN=\nTOKEN=new\n# y\n", "TOKEN  ***"},
		"empty":     {"TOKEN=\nB=2\n", "TOKEN=new\nB=2\n", "TOKEN  ***"},
		"no ending": {"B=2", "B=2\nTOKEN=new\n", "TOKEN  ***"},
		"byte mark": {"\ufeffTOKEN=old\n", "TOKEN=new\n", "TOKEN *** ***"},
	} {
		after, list := editEnv(test.before, []envEdit{token})
		var changes []string
		for _, c := range list {
			changes = append(changes, c.Name+" "+c.Before+" "+c.After)
		}
		if after != test.after || strings.Join(changes, ";") != test.changes {
			t.Errorf("%s: got %q, %q", name, after, changes)
		}
	}
	after, changes := editEnv("A=1\nB=2\n", []envEdit{{Name: "A", Remove: true}, {Name: "C", Remove: true}})
	if after != "B=2\n" || len(changes) != 1 || changes[0] != (envChange{Name: "A", Before: "1"}) {
		t.Errorf("removal: got %q, %v", after, changes)
	}
}

func TestPairing_Accepts(t *testing.T) {
	now := time.Now()
	invitation, code := storage.Invite(now)
	p := pairing{invitation}
	if strings.Contains(string(p.Hash[:]), code) || len(code) != 32 {
		t.Error("the code is kept, or has another length")
	}
	guest := func(text, kind string, from, chatID int64, bot bool) clients.Update {
		var u clients.Update
		u.Message = &clients.Message{Text: text, From: clients.Account{ID: chat.UserID(from), IsBot: bot}}
		u.Message.Chat.ID, u.Message.Chat.Type = chat.ID(chatID), kind
		return u
	}
	for name, u := range map[string]clients.Update{
		"no message":    {},
		"another code":  guest("/start "+code[1:]+"A", "private", 42, 42, false),
		"no code":       guest("/start", "private", 42, 42, false),
		"the code only": guest(code, "private", 42, 42, false),
		"in a group":    guest("/start "+code, "supergroup", 42, -1001, false),
		"a bot":         guest("/start "+code, "private", 42, 42, true),
	} {
		if p.accepts(u, now) {
			t.Errorf("%s: paired", name)
		}
	}
	good := guest("/start "+code, "private", 42, 42, false)
	if p.accepts(good, now.Add(storage.InvitedFor)) {
		t.Error("paired after ten minutes")
	}
	if !p.accepts(good, now.Add(storage.InvitedFor-1)) || p.accepts(good, now) {
		t.Error("the link must work, once")
	}
}

// A link that nobody opens ends after ten minutes, and the next one is another.
func TestPairing_Expires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := telegram.New(telegram.Options{Token: rig.TestToken})
		defer sim.Close()
		bot := clients.NewBotClient(config.Config{TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test"}, sim.Transport())
		var out strings.Builder
		s := newPairer(&out, bot)
		began := time.Now()
		_, err := s.pairOnce(t.Context())
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != storage.InvitedFor {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
	})
}

// Telegram refuses a good token for a while, and one that was revoked for good: setup waits, and not for ever.
func TestSetup_BelievesALastingRefusalOfTheToken(t *testing.T) {
	for name, c := range map[string]struct {
		refused time.Duration
		want    error
		took    time.Duration
	}{
		"for a while": {believeRefused / 2, context.DeadlineExceeded, storage.InvitedFor},
		"for good":    {time.Hour, errRefused, believeRefused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sim := telegram.New(telegram.Options{Token: rig.TestToken})
				defer sim.Close()
				began := time.Now()
				sim.SetFault(func(telegram.Call) telegram.Fault {
					if time.Since(began) < c.refused {
						return telegram.Fault{Kind: telegram.Refuse, Code: 401}
					}
					return telegram.Fault{}
				})
				bot := clients.NewBotClient(config.Config{TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test"}, sim.Transport())
				var out strings.Builder
				s := newPairer(&out, bot)
				_, err := s.pairOnce(t.Context())
				if took := time.Since(began); !errors.Is(err, c.want) || took < c.took || took > c.took+10*time.Second {
					t.Errorf("got %v after %v", err, took)
				}
				if again, err := s.askAgain(t.Context(), err); c.want == errRefused && (again || err == nil || !strings.Contains(err.Error(), "run hermes setup again")) {
					t.Errorf("it goes on: %v, %v", again, err)
				}
				if text := (&tester{bot: s.bot}).troubleOf(err); c.want == errRefused && text != errRefused.Error()+"." {
					t.Errorf("of the test it says %q", text)
				}
			})
		})
	}
}

// Behind a hundred messages of others nothing can be seen; none is discarded.
func TestPairing_BehindManyMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := telegram.New(telegram.Options{Token: rig.TestToken})
		defer sim.Close()
		sim.AddUser(telegram.User{ID: rig.Eve, FirstName: "Eve"})
		for range 100 {
			if _, err := sim.Say(rig.Eve, rig.Eve, "hello"); err != nil {
				t.Fatal(err)
			}
		}
		bot := clients.NewBotClient(config.Config{TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test"}, sim.Transport())
		err := newUpdateReader(bot).waitFor(t.Context(), func(clients.Update) bool { return false }, func(error) {})
		if !errors.Is(err, errFull) || sim.Pending() != 100 {
			t.Errorf("got %v, and %d messages wait", err, sim.Pending())
		}
	})
}

func TestService_SystemdUnit(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	usual := systemdUnit("/home/ada/.local/bin/hermes", "/home/ada/.config/hermes/hermes.env", "/home/ada/.local/state/hermes/hermes.db")
	for _, line := range []string{"ExecStart=/home/ada/.local/bin/hermes serve\n", "ReadWritePaths=/home/ada/.local/state/hermes\n", "Type=notify\n"} {
		if !strings.Contains(usual, "\n"+line) {
			t.Errorf("no line %q in\n%s", line, usual)
		}
	}
	odd := systemdUnit(`/opt/100% $mine"/hermes`, "/etc/hermes.env", "/srv/a b/hermes.db")
	for _, line := range []string{`ExecStart="/opt/100%% $$mine\"/hermes" serve --config /etc/hermes.env` + "\n", `ReadWritePaths="/srv/a b"` + "\n"} {
		if !strings.Contains(odd, "\n"+line) {
			t.Errorf("no line %q in\n%s", line, odd)
		}
	}
}

func TestService_LaunchdPlist(t *testing.T) {
	t.Setenv("HOME", "/Users/ada")
	plist := launchdPlist("/opt/a&b/hermes", "/etc/hermes.env", "/Users/ada/Library/Logs/hermes.log")
	var words []string
	for d := xml.NewDecoder(strings.NewReader(plist)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			words = append(words, strings.TrimSpace(string(text)))
		}
	}
	got := strings.Join(words, " ")
	if !strings.Contains(got, "ProgramArguments /opt/a&b/hermes serve --config /etc/hermes.env RunAtLoad") || strings.Contains(got, "@") {
		t.Errorf("got %s", got)
	}
}

func TestService_TemporaryBuild(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/go-build123/b001/exe/hermes": true, "/home/ada/.local/bin/hermes": false, "/tmp/go-build123/b001/hermes.test": false, "/opt/exe/hermes": false,
	} {
		if got := isTemporaryBuild(path); got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
}

// General is a topic as links name it, and in what is sent it is named by nothing (Bot API
// server, Client.cpp:8275).
func TestTestQuestion_InGeneral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := telegram.New(telegram.Options{Token: rig.TestToken})
		defer sim.Close()
		sim.AddUser(telegram.User{ID: rig.Ada, FirstName: "Ada"})
		sim.AddChat(telegram.Chat{ID: -1001, Type: telegram.Supergroup, Forum: true, Members: []int64{rig.Ada}})
		ops := sim.AddTopic(-1001, "ops")
		bot := clients.NewBotClient(config.Config{TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test"}, sim.Transport())
		for topic, want := range map[int]int{0: 0, 1: 0, ops: ops} {
			q := testQuestion{chat: config.Chat{ID: -1001, Topic: topic}, words: wordsFor("en", ""), nonce: "n"}
			if err := q.send(t.Context(), bot); err != nil {
				t.Errorf("to topic %d: %v", topic, err)
				continue
			}
			all := sim.Messages(-1001)
			if m := all[len(all)-1]; m.ID != q.message.ID || m.Topic != want {
				t.Errorf("to topic %d: message %d is in topic %d", topic, m.ID, m.Topic)
			}
		}
		if v := sim.Violations(); len(v) != 0 {
			t.Errorf("violations %q", v)
		}
	})
}

// newPairer is a pairer without a person at its terminal.
func newPairer(out io.Writer, bot *botapi.Client) *pairer {
	term := console.NewTerminal(nil, out)
	me := clients.Account{ID: 1, Username: "ada_hermes_bot"}
	return &pairer{term: term, bot: &botConnection{term: term, client: bot, updates: newUpdateReader(bot), me: me}}
}
