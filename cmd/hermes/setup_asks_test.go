package main

import (
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

// A bot that another program has gets another try, with the same token or with
// another one.
func TestSetup_AsksAgainForTheBot(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	pollElsewhere(d)
	s := d.screen("--service=none", "--no-test", "--user=42")
	s.await("Another program reads this bot's messages")
	s.await("Enter to try again, or another token:")
	d.telegram.SetFault(nil)
	d.setWebhook()
	s.enter("")
	s.await("@ada_hermes_bot has a webhook")
	s.await("Enter to try again, or another token:")
	d.removeWebhook()
	s.enter(rig.TestToken)
	s.await("no other program does")
	s.ended(0)
	if strings.Contains(s.all(), "elsewhere.test") {
		t.Error("the webhook's URL, which may hold a secret, is shown")
	}
}

// What setup finds twice, finds changed by hand, or finds in the way, it asks
// about.
func TestSetup_Asks(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	severalFolders(d)
	busyPort(d)
	d.write("// mine\n", "work", "plugin", "hermes.js")
	d.write("# mine\n", ".config", "systemd", "user", "hermes.service")
	before := d.configured()
	s := d.screen("--user=42", "--no-test")
	s.await("Which one should get the plugin? [1]")
	s.enter("3")
	s.await("Please answer with a number from 1 to 2.")
	s.enter("1")
	s.await("another program listens on")
	s.await("instead? [Y/n]")
	s.enter("what")
	s.await("Please answer y or n.")
	s.enter("y")
	s.await("was changed by hand")
	s.await("Replace it? [Y/n]")
	s.enter("")
	s.await("at every login? [Y/n]")
	s.enter("y")
	s.await("is there, and differs")
	s.await("Replace it? [Y/n]")
	s.enter("")
	s.ended(0)
	if got := d.read("work", "plugin", "hermes.js.kept-1"); got != "// mine\n" {
		t.Errorf("the changed plugin is kept as %q", got)
	}
	if got := d.read(".config", "systemd", "user", "hermes.service.kept-1"); got != "# mine\n" {
		t.Errorf("the changed unit is kept as %q", got)
	}
	if got := d.configured(); strings.Contains(got, before) || !strings.Contains(got, "HERMES_LISTEN=127.0.0.1:") {
		t.Errorf("the free port is not in hermes.env: %q", got)
	}
}

// A change that is declined is not made, and setup ends there.
func TestSetup_Declined(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	d.write("// mine\n", ".config", "opencode", "plugin", "hermes.js")
	s := d.screen("--user=42", "--no-test", "--service=none")
	s.await("Replace it? [Y/n]")
	s.enter("n")
	s.await("hermes: nothing was changed there")
	s.ended(1)
	if got := d.read(".config", "opencode", "plugin", "hermes.js"); got != "// mine\n" {
		t.Errorf("the plugin is %q", got)
	}
}

// A folder that cannot be written gives way to another, or to none. A folder
// that is a link is told of.
func TestSetup_AsksForAnotherFolder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	d.write("{}", "dotfiles", "opencode.json")
	d.symlink("dotfiles", "linked")
	s := d.screen("--user=42", "--no-test", "--service=none", "--opencode-config-dir=/proc/hermes")
	s.await("Another folder (Enter alone: go on without the plugin):")
	s.enter(d.path("linked"))
	s.ended(0)
	if d.read("dotfiles", "plugin", "hermes.js") == "" {
		t.Error("the plugin is not in the other folder")
	}
	again := d.screen("--user=42", "--no-test", "--service=none", "--opencode-config-dir=linked")
	again.await("a symbolic link to ~/dotfiles")
	again.ended(0)
}

// Without OpenCode setup says so and goes on. A bot that was never started cannot
// write; once it was, the question comes.
func TestSetup_WithoutOpenCode(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.env = append(d.env, "PATH=/usr/bin:/bin", "HERMES_TELEGRAM_TOKEN="+rig.TestToken)
	s := d.screen("--user=42", "--service=none")
	s.await("The bot cannot write to chat 42")
	s.await("Try again? [Y/n]")
	if _, err := d.telegram.Say(rig.Ada, rig.Ada, "/start"); err != nil {
		t.Fatal(err)
	}
	d.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.Refuse, Code: 403, Description: "Forbidden: bot was blocked by the user"})
	s.enter("")
	s.await("Ada (42) may answer")
	s.await("No OpenCode was found on this machine.")
	s.await("Left out, as there is no OpenCode.")
	s.await("The bot cannot write to chat 42")
	s.await("Try again? (n goes on without the test) [Y/n]")
	s.enter("")
	s.await("Waiting…")
	s.tap(rig.Ada, "Red")
	s.ended(0)
}

// The people's names are strangers' text: on the terminal they cannot act. Chat
// texts are in the person's language.
func TestSetup_StrangeName(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	s := d.screen("--service=none", "--no-test")
	s.open(rig.Eve)
	s.await(`Eve\u202e\x1b[31m (66) may answer`)
	s.ended(0)
	if strings.ContainsAny(s.all(), "\u202e\x1b") {
		t.Errorf("the terminal got control characters: %q", s.all())
	}
	if got := d.telegram.Transcript(rig.Eve); !strings.Contains(got, "你好") {
		t.Errorf("the chat shows:\n%s", got)
	}
}

// Who presses Start without the link is told how to come in, on the phone and at the terminal; it lets nobody in.
func TestSetup_StartWithoutTheLink(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	s := d.screen("--service=none", "--no-test")
	s.await("Waiting…")
	say := func(user int64, text string) {
		t.Helper()
		if _, err := d.telegram.Say(user, user, text); err != nil {
			t.Fatal(err)
		}
	}
	say(rig.Eve, "/start")
	s.await(`Eve\u202e\x1b[31m (66) pressed Start without the link, and may`)
	say(rig.Ada, "/start")
	s.await("Ada (42) pressed Start without the link, and may not answer yet.")
	s.read = strings.Index(s.all(), "2/8")
	s.open(rig.Ada)
	s.await("Ada (42) may answer; the questions go to chat 42")
	s.ended(0)
	if got := d.telegram.Transcript(rig.Ada); !strings.Contains(got, "👋 Hello, Ada. hermes is being set up with this bot. To be let in, scan the code") ||
		!strings.Contains(got, "👋 Hello, Ada. Questions from your agents come here") {
		t.Errorf("Ada's chat shows:\n%s", got)
	}
	if got := d.telegram.Transcript(rig.Eve); strings.Count(got, "👋") != 1 || !strings.Contains(got, "二维码") {
		t.Errorf("Eve's chat shows:\n%s", got)
	}
	if got := d.configured(); !strings.Contains(got, "HERMES_TELEGRAM_USERS=42\n") {
		t.Errorf("hermes.env is %q", got)
	}
	if n := d.telegram.Pending(); n != 0 {
		t.Errorf("%d updates wait that setup has answered", n)
	}
}

// A chat that is configured already, and to which the bot cannot write, is told of and stops nothing.
func TestSetup_OldChatOutOfReach(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("HERMES_TELEGRAM_TOKEN="+rig.TestToken+"\nHERMES_TELEGRAM_USERS=42\n", ".config", "hermes", "hermes.env")
	out, code := d.flags("--service=none", "--no-test", "--yes")
	if code != 0 || !strings.Contains(out, "! The bot cannot write to chat 42: 400 Bad Request: chat not found.") || !strings.Contains(out, "✓ user 42 may answer") {
		t.Errorf("got exit code %d and\n%s", code, out)
	}
}

// Where nobody answers setup's questions, a test question that cannot be sent is a failure, and not tried for ever.
func TestSetup_TestFailsWithYes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	d.telegram.FailNext("sendMessage", telegram.Fault{Kind: telegram.Refuse, Code: 403, Description: "Forbidden: bot was blocked by the user"})
	s := d.screen("--user=42", "--service=none", "--yes")
	s.await("hermes: The bot cannot write to chat 42: 403 Forbidden: bot was blocked by the user.")
	s.await("hermes setup --no-test leaves the test out.")
	s.ended(1)
}

// A failure that passes only delays the wait.
func TestSetup_WaitsOutFailures(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	s := d.screen("--service=none", "--no-test")
	s.await("Waiting…")
	d.telegram.FailNext("getUpdates", telegram.Fault{Kind: telegram.BadGateway})
	if _, err := d.telegram.Say(rig.Eve, rig.Eve, "hello"); err != nil {
		t.Fatal(err)
	}
	s.await("Trying again.")
	s.read = strings.Index(s.all(), "2/8")
	s.open(rig.Ada)
	s.ended(0)
}

// What shall happen when nobody answers is asked once, and written in the words of the
// configuration.
func TestSetup_AsksWhatHappensWhenNobodyAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys []string
		want []string
	}{
		"the usual":    {[]string{""}, []string{"HERMES_ON_EXPIRY=reject\n"}},
		"keep waiting": {[]string{"2"}, []string{"HERMES_ON_EXPIRY=wait\n"}},
		"another time": {[]string{"3", "soon", "2h"}, []string{"HERMES_ON_EXPIRY=reject\n", "HERMES_QUESTION_TTL=2h\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			withToken(d)
			d.asksExpiry = true
			s := d.screen("--user=42", "--no-test", "--service=none")
			s.await(expiryPrompt)
			for i, keys := range c.keys {
				if i > 0 {
					s.await("(2h, 45m)")
				}
				s.enter(keys)
			}
			s.ended(0)
			got := d.configured()
			for _, line := range c.want {
				if !strings.Contains(got, line) {
					t.Errorf("hermes.env lacks %q:\n%s", line, got)
				}
			}
			s = d.screen("--user=42", "--no-test", "--service=none")
			s.ended(0)
			if strings.Contains(s.all(), expiryPrompt) || d.configured() != got {
				t.Errorf("a second run asks again, or changes something:\n%s", s.all())
			}
		})
	}
}
