package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	tg "github.com/go-telegram/bot"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/telegram/botapi"
)

// script is a complete command line for a machine without a terminal.
func script(more ...string) []string {
	return append([]string{"--user", "42", "--service=none", "--no-test", "--yes"}, more...)
}

// withToken gives setup the token of a bot that Ada has started.
func withToken(d *desk) {
	d.env = append(d.env, "HERMES_TELEGRAM_TOKEN="+rig.TestToken)
	d.start(rig.Ada)
}

// start lets a person start the bot, which has seen it.
func (d *desk) start(user int64) {
	d.t.Helper()
	if _, err := d.telegram.Say(user, user, "/start"); err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.bot().GetUpdates(d.t.Context(), botapi.Poll{Offset: chat.UpdateID(d.telegram.LastUpdateID() + 1), Limit: 1}); err != nil {
		d.t.Fatal(err)
	}
}

// bot is the bot, for what a test does with it.
func (d *desk) bot() *botapi.Client {
	return clients.NewBotClient(config.Config{TelegramToken: rig.TestToken, TelegramAPIURL: "https://api.telegram.test"}, d.telegram.Transport())
}

func (d *desk) configured() string { return d.read(".config", "hermes", "hermes.env") }

// What can be wrong for a script: each gets a sentence and leaves nothing
// half-written.
func TestSetup_WithoutTerminalRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(*desk)
		args    []string
		code    int
		say     string
		token   bool // the token is in hermes.env by then
		saved   bool // the token and the user are in hermes.env by then
	}{
		"no flags":      {code: 2, say: "--token-file FILE, or HERMES_TELEGRAM_TOKEN"},
		"no consent":    {prepare: withToken, args: []string{"--user=42", "--service=none"}, code: 2, say: "--yes"},
		"an @name":      {prepare: withToken, args: script("--user=@ada"), code: 2, say: "--user: entry 2 is not a numeric user id"},
		"a chat's name": {prepare: withToken, args: script("--chat=family"), code: 2, say: "--chat: entry 1 is not a chat id"},
		"a user twice": {
			prepare: func(d *desk) { withToken(d); d.env = append(d.env, "HERMES_TELEGRAM_USERS=7") },
			args:    script(), code: 2, say: "--user: is given, and so is HERMES_TELEGRAM_USERS",
		},
		"an unknown service": {prepare: withToken, args: script("--service=cron"), code: 2, say: "--service: is not systemd, launchd or none"},
		"no token file":      {args: script("--token-file=none"), code: 2, say: "--token-file: cannot be read: there is no such file"},
		"the token twice":    {prepare: withToken, args: script("--token-file=none"), code: 2, say: "give the token once"},
		"a token of a wrong form": {
			prepare: func(d *desk) { d.write("canary", "token") }, args: script("--token-file=token"), code: 2, say: "--token-file: is not a bot token",
		},
		"a refused token": {
			prepare: func(d *desk) { d.write("987654321:AAcanaryCANARYcanaryCANARYcanaryCAN\n", "token") },
			args:    script("--token-file=token"), code: 2, say: "Telegram refuses this token",
		},
		"Telegram out of reach": {
			prepare: func(d *desk) {
				withToken(d)
				d.telegram.FailNext("getMe", telegram.Fault{Kind: telegram.Unreachable})
			},
			args: script(), code: 1, say: "Telegram cannot be reached",
		},
		"polled elsewhere": {prepare: pollElsewhere, args: script(), code: 1, say: "Another program reads this bot's messages"},
		"a webhook": {
			prepare: func(d *desk) { withToken(d); d.setWebhook() }, args: script(), code: 1, say: "@ada_hermes_bot has a webhook",
		},
		"a broken hermes.env": {
			prepare: func(d *desk) { withToken(d); d.write("what is this\n", ".config", "hermes", "hermes.env") },
			args:    script(), code: 2, say: "line 1: is not KEY=value",
		},
		"hermes.env is a link": {prepare: linkedEnv, args: script(), code: 1, say: "is a symbolic link"},
		"several folders": {
			prepare: func(d *desk) { withToken(d); severalFolders(d) },
			args:    script(), code: 2, say: "say which with --config-dir", saved: true,
		},
		"a folder that cannot be written": {
			prepare: withToken, args: script("--config-dir=/proc/hermes"), code: 1, say: "could not make /proc/hermes/plugin", saved: true,
		},
		"the plugin file is a link": {
			prepare: func(d *desk) { withToken(d); linkedPlugin(d) }, args: script(), code: 1, say: "hermes.js is a symbolic link", saved: true,
		},
		"a user whom Telegram does not know": {
			prepare: withToken, args: []string{"--user=99", "--service=none", "--no-test", "--yes"}, code: 1,
			say: "The bot cannot write to chat 99: 400 Bad Request: chat not found. A bot cannot write first: that person has to open https://t.me/ada_hermes_bot and press Start once. Or the id is wrong.", token: true,
		},
		"a group that the bot is not in": {
			prepare: withToken, args: script("--chat=-1001"), code: 1, say: "The bot cannot write to chat -1001: 400 Bad Request: chat not found. Add it to the group", token: true,
		},
		"a person who has blocked the bot": {
			prepare: func(d *desk) { withToken(d); _ = d.telegram.Block(rig.Ada) }, args: script(), code: 1, say: "The bot cannot write to chat 42: 403 Forbidden: bot was blocked by the user", token: true,
		},
		"a busy port": {prepare: busyPort, args: script(), code: 1, say: "is in use; end the other program, or set HERMES_LISTEN", saved: true},
		"no systemd": {
			prepare: func(d *desk) { withToken(d); d.program("systemctl", "echo no bus >&2; exit 1") },
			args:    script("--service=systemd"), code: 1, say: "systemd is not there for this user: no bus; --service=none goes without", saved: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			if test.prepare != nil {
				test.prepare(d)
			}
			before := d.snapshot()
			out, code := d.flags(test.args...)
			if code != test.code || !strings.Contains(out, test.say) {
				t.Errorf("got exit code %d and\n%s\nwant %d and %q", code, out, test.code, test.say)
			}
			if got := d.configured(); test.token && (strings.Contains(got, "HERMES_TELEGRAM_USERS") || strings.Contains(got, "HERMES_TELEGRAM_CHATS")) {
				t.Errorf("what is wrong was saved: %q", got)
			}
			if !test.saved && !test.token && d.snapshot() != before {
				t.Errorf("something was written:\n%s", d.snapshot())
			}
			if test.saved && !strings.Contains(d.configured(), "HERMES_TELEGRAM_USERS=42\n") {
				t.Errorf("what was settled was not saved: %q", d.configured())
			}
		})
	}
}

// pollElsewhere is what the newer of two pollers meets.
func pollElsewhere(d *desk) {
	withToken(d)
	d.telegram.SetFault(func(c telegram.Call) telegram.Fault {
		if c.Method == "getUpdates" {
			return telegram.Fault{Kind: telegram.Refuse, Code: 409}
		}
		return telegram.Fault{}
	})
}

func (d *desk) setWebhook() {
	if err := d.bot().SetWebhook(context.Background(), &tg.SetWebhookParams{URL: "https://elsewhere.test/canary"}); err != nil {
		d.t.Fatal(err)
	}
}

func linkedEnv(d *desk) {
	withToken(d)
	d.write("# dotfiles\n", "dotfiles", "hermes.env")
	d.symlink("dotfiles/hermes.env", ".config/hermes/hermes.env")
}

func linkedPlugin(d *desk) {
	d.write("// mine\n", "dotfiles", "hermes.js")
	d.symlink("dotfiles/hermes.js", ".config/opencode/plugin/hermes.js")
}

func (d *desk) symlink(to, from string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.path(from)), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Symlink(d.path(to), d.path(from)); err != nil {
		d.t.Fatal(err)
	}
}

func severalFolders(d *desk) {
	d.env = append(d.env, "OPENCODE_CONFIG_DIR="+d.path("work"))
	d.write("{}", "work", "opencode.json")
	d.write("{}", ".config", "opencode", "opencode.json")
}

func busyPort(d *desk) {
	withToken(d)
	d.env = slices.DeleteFunc(d.env, func(v string) bool { return strings.HasPrefix(v, "HERMES_LISTEN=") })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = l.Close() })
	d.write("HERMES_LISTEN="+l.Addr().String()+"\n", ".config", "hermes", "hermes.env")
}

// With rules there is nobody to be named.
func TestSetup_WithRules(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	d.write(strings.Replace(rig.TeamRules, "-1001234567890", "42", 1), ".config", "hermes", "rules.toml")
	d.write("HERMES_RULES=rules.toml\n", ".config", "hermes", "hermes.env")
	if out, code := d.flags(script()...); code != 2 || !strings.Contains(out, "--user, --chat: the file of HERMES_RULES says who may answer") {
		t.Errorf("--user got exit code %d and\n%s", code, out)
	}
	out, code := d.flags("--service=none", "--no-test", "--yes")
	if code != 0 || !strings.Contains(out, "may answer, as ~/.config/hermes/rules.toml says") {
		t.Errorf("got exit code %d and\n%s", code, out)
	}
	if got := d.configured(); strings.Contains(got, "HERMES_TELEGRAM_USERS") || strings.Contains(got, "HERMES_TELEGRAM_CHATS") {
		t.Errorf("hermes.env is\n%s", got)
	}
	d.write(rig.WrongRules, ".config", "hermes", "rules.toml")
	if out, code := d.flags("--service=none", "--no-test", "--yes"); code != 2 || strings.Count(out, "rules.toml:") != 2 {
		t.Errorf("mistakes in the rules got exit code %d and\n%s", code, out)
	}
}

// A script gives every answer; doing so again changes nothing, and every line
// that was in hermes.env stays.
func TestSetup_WithoutTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.start(rig.Ada)
	d.write(rig.TestToken+"\n", "token")
	d.write("# mine\nHERMES_LANG=zh\nHERMES_TELEGRAM_USERS=7\n", ".config", "hermes", "hermes.env")
	args := []string{"--token-file=token", "--user=42", "--service=systemd", "--no-test", "--yes", "--url=http://127.0.0.1:1"}
	out, code := d.flags(args...)
	if code != 0 || !strings.Contains(out, "- HERMES_TELEGRAM_USERS=7\n") || !strings.Contains(out, "server http://127.0.0.1:1 does not answer") {
		t.Errorf("got exit code %d and\n%s", code, out)
	}
	want := "# mine\nHERMES_LANG=zh\nHERMES_TELEGRAM_USERS=42\nHERMES_TELEGRAM_TOKEN=" + rig.TestToken +
		"\nHERMES_TELEGRAM_CHATS=42\nHERMES_ON_EXPIRY=wait\nHERMES_OPENCODE_URLS=http://127.0.0.1:1\n"
	if got := d.configured(); got != want {
		t.Errorf("hermes.env is\n%s\nwant\n%s", got, want)
	}
	before := d.snapshot()
	if out, code := d.flags(args...); code != 0 || strings.Contains(out, "would change") {
		t.Errorf("again: got exit code %d and\n%s", code, out)
	}
	if after := d.snapshot(); after != before {
		t.Errorf("the second run changed something:\n%s\n%s", before, after)
	}
}

// A dry run writes and sends nothing, and needs nothing.
func TestSetup_DryRun(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*desk){
		"nothing known":  func(*desk) {},
		"all known":      withToken,
		"edited plugin":  func(d *desk) { withToken(d); d.write("// mine\n", ".config", "opencode", "plugin", "hermes.js") },
		"polled already": pollElsewhere,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			prepare(d)
			before, calls := d.snapshot(), len(d.telegram.Calls())
			out, code := d.flags("--dry-run", "--user=42")
			if code != 0 || !strings.Contains(out, "Nothing was written.") || !strings.Contains(out, "would be written: HERMES_TELEGRAM_USERS=42") && name != "nothing known" {
				t.Errorf("got exit code %d and\n%s", code, out)
			}
			if d.snapshot() != before {
				t.Errorf("something was written:\n%s", d.snapshot())
			}
			for _, c := range d.telegram.Calls()[calls:] {
				if !strings.HasPrefix(c.Method, "get") || c.Method == "getUpdates" {
					t.Errorf("%s leaves a trace", c.Method)
				}
			}
		})
	}
}

// Where a hermes runs, setup asks and pairs through that one, and reads none of the bot's messages itself.
func TestSetup_BesideRunningHermes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	d.write("HERMES_TELEGRAM_TOKEN="+rig.TestToken+"\nHERMES_TELEGRAM_USERS=42\n", ".config", "hermes", "hermes.env")
	s := d.screen("--service=none")
	s.await("Pair another person? [y/N]")
	s.enter("y")
	s.open(rig.Eve)
	s.await("has opened it.")
	d.taps("Eve", "✅ Let in")
	s.await(" (66) is in")
	s.await("nobody answers? [1]")
	s.await("Waiting…")
	s.tap(rig.Ada, "2. Green")
	s.await("Ada answered: Green")
	s.await("hermes is running, with the configuration from before.")
	s.ended(0)
	if strings.Contains(s.all(), "another program reads") {
		t.Errorf("setup read the messages of the one that runs:\n%s", s.all())
	}
}

// A process that holds the database and does not answer is no hermes that setup could ask through.
func TestSetup_BesideHermesOfAnotherAddress(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	withToken(d)
	d.write("", ".local", "state", "hermes", "hermes.db")
	f, err := os.Open(d.path(".local", "state", "hermes", "hermes.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	s := d.screen()
	s.await("and no hermes answers at http://127.0.0.1:0")
	s.ended(1)
}
