package demo

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"hermes/internal/page"
	"hermes/internal/simulate/browser"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// startTry runs `hermes try` until the test ends and returns the page's address.
func startTry(t *testing.T, o Options) string {
	t.Helper()
	out := &testenv.LockedBuffer{}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, out, o) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error("hermes try ended:", err)
		}
	})
	return rig.PrintedAddress(t, out, ended)
}

func TestDemo_Answers(t *testing.T) {
	t.Parallel()
	v := visit(t, startTry(t, Options{NoBrowser: true, Listen: "127.0.0.1:0"}))
	v.ask("single", "Which database")
	v.Tap(1, "2.")
	v.received(askReceived, `[["PostgreSQL (Recommended)"]]`)
	v.Until("the end on the other phone", func(s page.State) bool { return strings.Contains(browser.Last(s, 0).Text, "Bob") })
	v.Until("a journal", func(s page.State) bool {
		return len(s.Open) == 0 && s.Journal[len(s.Journal)-1].Number >= 4
	})

	v.ask("single", "Which database")
	v.Do(page.Action{Do: "say", Person: v.Now.People[0].ID, Text: "1", ReplyTo: browser.Last(v.Now, 0).ID})
	v.received(askReceived, `[["SQLite"]]`)

	v.ask("single", "Which database")
	v.Do(page.Action{Do: "dismiss", ID: v.Now.Asks[len(v.Now.Asks)-1].ID})
	v.Until("dismissed at the terminal", func(s page.State) bool { return strings.Contains(browser.Last(s, 0).Text, "Dismissed in OpenCode") })
}

// What can go wrong, and that it is mended.
func TestDemo_Troubles(t *testing.T) {
	t.Parallel()
	v := visit(t, startTry(t, Options{NoBrowser: true, Listen: "127.0.0.1:0"}))
	v.ask("single", "Which database")
	v.Do(page.Action{Do: "kill", ID: "hermes"})
	v.Until("hermes is dead", func(s page.State) bool { return !s.Ways[1].Up && s.Ways[1].State == stateStopped })
	v.Tap(0, "1.")
	v.Do(page.Action{Do: "start", ID: "hermes"})
	v.received(askReceived, `[["SQLite"]]`)

	v.Until("the end of that", func(s page.State) bool {
		return len(s.Open) == 0 && strings.Contains(browser.Last(s, 1).Text, "SQLite")
	})
	v.Do(page.Action{Do: "cut", ID: "telegram"})
	before := len(v.Now.People[0].Messages)
	v.Do(page.Action{Do: "ask", ID: "multiple"})
	v.Until("a question that cannot be shown", func(s page.State) bool { return len(s.Open) == 1 && !s.Ways[0].Up })
	if n := len(v.Now.People[0].Messages); n != before {
		t.Errorf("Telegram is cut off, and there are %d new messages", n-before)
	}
	if step := v.Now.Tour[0]; step.ID != "single" || !step.Done || step.Next == nil || step.Next.Do != "mend" {
		t.Errorf("Telegram is cut off, and the step that was done before is %+v", step)
	}
	v.Do(page.Action{Do: "mend", ID: "telegram"})
	v.Until("the question on both phones", func(s page.State) bool {
		return strings.Contains(browser.Last(s, 0).Text, "Which platforms") && strings.Contains(browser.Last(s, 1).Text, "Which platforms")
	})

	v.Do(page.Action{Do: "cut", ID: "opencode"})
	v.Do(page.Action{Do: "say", Person: v.Now.People[0].ID, Text: "1, 3", ReplyTo: browser.Last(v.Now, 0).ID})
	v.Until("kept", func(s page.State) bool { return strings.Contains(browser.Last(s, 1).Text, "Your answer is kept") })
	v.Do(page.Action{Do: "mend", ID: "opencode"})
	v.received(askReceived, `[["Linux","Windows"]]`)

	v.ask("typed", "announce the release")
	v.Do(page.Action{Do: "restart", ID: "opencode"})
	v.received(askGone, "")
	v.Until("the truth", func(s page.State) bool { return strings.Contains(browser.Last(s, 1).Text, "OpenCode was restarted") })
	for _, line := range v.Now.Log {
		if strings.Contains(line, errDead.Error()) {
			t.Error("the dead hermes speaks:", line)
		}
	}
}

// --opencode says what to do, and listens where the plugin looks for hermes.
func TestDemo_WithOwnOpenCode(t *testing.T) {
	testenv.Isolate(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	t.Setenv("HERMES_LISTEN", address)
	v := visit(t, startTry(t, Options{Own: true, NoBrowser: true, Listen: "127.0.0.1:0"}))
	advice := fmt.Sprint(v.Now.Advice)
	if !strings.Contains(advice, "http://"+address) || !strings.Contains(advice, "The plugin is not installed. Run hermes plugin install") || len(v.Now.Tour) > 0 {
		t.Errorf("the page says %q", advice)
	}
	res, err := http.Get("http://" + address + "/v1/questions")
	if err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Fatalf("the plugin's listener answers %v, %v", res, err)
	}
	res.Body.Close()
}

func TestDemo_BrowserCommand(t *testing.T) {
	for _, test := range []struct{ system, variable, want string }{
		{"linux", "", ""},
		{"linux", "DISPLAY", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY", "xdg-open"},
		{"darwin", "", "open"},
		{"darwin", "SSH_CONNECTION", ""},
	} {
		got := browserCommand(test.system, func(name string) string {
			if name == test.variable {
				return "x"
			}
			return ""
		})
		if got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}

// The session that asked can be driven from the phone, too.
func TestDemo_Drives(t *testing.T) {
	t.Parallel()
	v := visit(t, startTry(t, Options{NoBrowser: true, Listen: "127.0.0.1:0"}))
	v.ask("single", "Which database")
	v.Tap(0, "1.")
	v.received(askReceived, `[["SQLite"]]`)
	say := func(text, answer string) {
		t.Helper()
		v.Do(page.Action{Do: "say", Person: v.Now.People[0].ID, Text: text})
		v.Until(answer, func(s page.State) bool { return strings.Contains(browser.Last(s, 0).Text, answer) })
	}
	say("/sessions", "📂 Sessions")
	v.Tap(0, "1.")
	v.Until("in use", func(s page.State) bool {
		return strings.Contains(browser.Last(s, 0).Text, "What you write here goes to this session.")
	})
	say("Now the tests.", "You said: Now the tests.")
	all := v.Now.People[0].Messages
	if said := all[len(all)-2]; said.Text != "Now the tests." || said.Reaction != "👍" {
		t.Errorf("the prompt shows as %+v", said)
	}
}

// The first browser's language is that of the chats and the agent; the switch changes it for what comes.
func TestDemo_Speaks(t *testing.T) {
	t.Parallel()
	root, token, _ := strings.Cut(startTry(t, Options{NoBrowser: true, Listen: "127.0.0.1:0"}), "?")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, root+"?"+token, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	v := visit(t, root+"?"+token) // another browser, which wants no language: the first one's word holds
	if v.Now.Lang != "zh" {
		t.Errorf("the page speaks %q", v.Now.Lang)
	}
	v.Until("a Chinese greeting", func(s page.State) bool { return strings.Contains(browser.Last(s, 0).Text, "你好") })
	v.ask("single", "这个功能应该使用哪种数据库")
	v.Do(page.Action{Do: "speak", ID: "en"})
	v.Until("a page in English", func(s page.State) bool { return s.Lang == "en" && s.Tour[0].Next.Do == "go" })
	v.ask("several", "Which database should this feature use?")
	if last := browser.Last(v.Now, 0); !strings.Contains(last.Text, "1 of 3") {
		t.Errorf("hermes goes on in Chinese: %s", last.Text)
	}
}

func TestDemo_LocaleLanguage(t *testing.T) {
	for _, test := range []struct{ all, messages, lang, want string }{
		{"", "", "", "en"},
		{"", "", "zh_CN.UTF-8", "zh"},
		{"", "", "de_DE.UTF-8", "en"},
		{"C", "", "zh_CN.UTF-8", "en"},
		{"", "zh_TW", "en_US.UTF-8", "zh"},
	} {
		values := map[string]string{"LC_ALL": test.all, "LC_MESSAGES": test.messages, "LANG": test.lang}
		if got := localeLanguage(func(name string) string { return values[name] }); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

func TestDemo_SetupCommand(t *testing.T) {
	for program, want := range map[string]string{
		"hermes":                          "hermes setup",
		"./hermes":                        "./hermes setup",
		"/home/ada/my src/hermes":         "'/home/ada/my src/hermes' setup",
		"/tmp/go-build12/b001/exe/hermes": "make build && ./hermes setup",
	} {
		if got := setupCommand(program); got != want {
			t.Errorf("%s: got %q", program, got)
		}
	}
}
