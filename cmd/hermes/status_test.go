package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/simulate/rig"
	"hermes/internal/standby"
)

func TestStatus_Screen(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	free := uint64(73 << 30)
	for name, c := range map[string]struct {
		status api.Status
		want   string
	}{
		"all is well": {api.Status{
			Version: "hermes 1.2.3 (go1.26.1 linux/amd64)", Started: *ago(75*time.Hour + 30*time.Minute), Links: 3, Answer: 1, Servers: []string{"http://127.0.0.1:4096"},
			Open: []api.Link{{By: api.LinkedByProcess}, {By: "plugin"}, {By: "plugin"}}, Asks: api.OpenAsks{Count: 2, Oldest: ago(12*time.Minute + 3*time.Second)},
			LastPoll: ago(8 * time.Second), Waiting: map[string]int{"group": 3, "chat": 0}, Bytes: 1234 << 10, Schema: 1, Journal: 4711,
			Backups: true, LastBackup: ago(5*time.Hour + time.Minute), Rules: api.RulesInForce{File: "rules.toml", Count: 7}, Free: &free,
		}, `hermes     1.2.3 (go1.26.1 linux/amd64), up 3d03h
OpenCode   2 plugins, 1 by hermes link run, 1 server
asks       2 open, the oldest for 12m03s
Telegram   heard 8s ago; 3 cards held by the limit "group"
database   1234 KiB, schema 1, 4711 in the journal
backup     5h01m ago
rules      rules.toml, 7 rules
disk       73 GiB free
`},
		"nothing is well": {api.Status{
			Version: "hermes 1.2.3", Started: now, Servers: []string{"http://127.0.0.1:4096"}, Refused: make([]api.Link, 2),
			Telegram: "Telegram refuses what hermes asks for, as another program reads this bot's messages", Store: "it cannot be read; see the log",
			Unread: 1, Backups: true, NotReady: []string{"no OpenCode is connected; start one with the plugin installed or of version 2, or check HERMES_OPENCODE_SERVICE and HERMES_OPENCODE_URLS"},
		}, `hermes     1.2.3, up 0s
OpenCode   none is connected, 1 server of HERMES_OPENCODE_URLS not connected, 2
           links refused (hermes doctor)
asks       none open
Telegram   not heard yet; Telegram refuses what hermes asks for, as another
           program reads this bot's messages
database   0 KiB, schema 0, 0 in the journal; 1 record cannot be read; see the
           log; it cannot be read; see the log
backup     none yet
rules      none (HERMES_RULES is not set)
NOT READY  no OpenCode is connected; start one with the plugin installed or of
           version 2, or check HERMES_OPENCODE_SERVICE and HERMES_OPENCODE_URLS
`},
		"one of several": {api.Status{
			Version: "hermes 1.2.3", Lease: &api.Lease{Name: "one", Address: "https://one.test", Epoch: 7, Age: 1.2, Delay: 0.004},
		}, `hermes     1.2.3
OpenCode   none is connected
asks       none open
Telegram   not heard yet
database   0 KiB, schema 0, 0 in the journal
backup     no daily copy (HERMES_BACKUP_DIR is not set)
rules      none (HERMES_RULES is not set)
acts       one at https://one.test, the 7. to act; lease renewed 1.2s ago, in
           4ms
`},
		"of an older hermes": {api.Status{Version: "hermes 1.0.0"}, `hermes     1.0.0
OpenCode   none is connected
asks       none open
Telegram   not heard yet
database   0 KiB, schema 0, 0 in the journal
backup     no daily copy (HERMES_BACKUP_DIR is not set)
rules      none (HERMES_RULES is not set)
`},
	} {
		got := statusText(c.status, now)
		if got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, c.want)
		}
		for line := range strings.Lines(got) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%s: a line of %d columns: %s", name, n, line)
			}
		}
	}
}

// The exit code tells a script whether a question would reach somebody.
// Two machines with one HERMES_PUBLIC_URL are told so, whichever of them acts.
func TestStatus_OneURLForTwo(t *testing.T) {
	one := standby.Holder{Name: "one", Address: "https://one.test"}
	for _, acting := range []standby.Holder{one, {Name: "two", Address: "https://two.test"}} {
		if text := sameURL(one, acting); text != "" {
			t.Errorf("%+v: %s", acting, text)
		}
	}
	if text := sameURL(one, standby.Holder{Name: "two", Address: "https://one.test"}); !strings.Contains(text, "two acts under the address of this machine, https://one.test: in HERMES_PUBLIC_URL") {
		t.Errorf("got %q", text)
	}
}

func TestStatus_ExitCode(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		show := func(asJSON bool) (string, error) {
			var out strings.Builder
			cmd := statusCommand()
			cmd.SetContext(context.Background())
			cmd.SetOut(&out)
			err := showStatus(cmd, apiclient.New(r.Config, r), asJSON)
			return out.String(), err
		}
		r.Config.HookToken = rig.HookKey
		r.Ask(rig.DatabaseQuestion())
		r.Wait(time.Minute)
		if text, err := show(false); err != nil || !strings.Contains(text, "1 open, the oldest for 1m0") || !strings.Contains(text, "OpenCode   1 server\n") {
			t.Errorf("%s, %v", text, err)
		}
		text, err := show(true)
		var s api.Status
		if err != nil || json.Unmarshal([]byte(text), &s) != nil || s.Asks.Count != 1 || s.Bytes == 0 || s.Free == nil || strings.Count(text, "\n") != 1 {
			t.Errorf("%s, %v", text, err)
		}
		r.Opencode.Stop()
		r.Wait(5 * time.Minute)
		if text, err := show(false); exitCode(err, true) != exitFailure || !strings.Contains(text, "NOT READY  no OpenCode is connected") {
			t.Errorf("%s, %v", text, err)
		}
	})
}
