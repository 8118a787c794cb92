package setup

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"hermes/internal/config"
)

func TestEnvFile_Edits(t *testing.T) {
	token := envEdit{"HERMES_TELEGRAM_TOKEN", "new"}
	for name, test := range map[string]struct{ before, after, changes string }{
		"none":      {"", newEnv + "HERMES_TELEGRAM_TOKEN=new\n", "HERMES_TELEGRAM_TOKEN  ***"},
		"same":      {"a=1\r\n\nHERMES_TELEGRAM_TOKEN = \"new\" \n# end", "a=1\r\n\nHERMES_TELEGRAM_TOKEN = \"new\" \n# end\n", ""},
		"other":     {"# x\nHERMES_TELEGRAM_TOKEN=old\r\nB=2\n", "# x\nHERMES_TELEGRAM_TOKEN=new\r\nB=2\n", "HERMES_TELEGRAM_TOKEN *** ***"},
		"example":   {"# x\n#HERMES_TELEGRAM_TOKEN=\n# y\n", "# x\n#HERMES_TELEGRAM_TOKEN=\nHERMES_TELEGRAM_TOKEN=new\n# y\n", "HERMES_TELEGRAM_TOKEN  ***"},
		"empty":     {"HERMES_TELEGRAM_TOKEN=\nB=2\n", "HERMES_TELEGRAM_TOKEN=new\nB=2\n", "HERMES_TELEGRAM_TOKEN  ***"},
		"no ending": {"B=2", "B=2\nHERMES_TELEGRAM_TOKEN=new\n", "HERMES_TELEGRAM_TOKEN  ***"},
		"byte mark": {"\ufeffHERMES_TELEGRAM_TOKEN=old\n", "HERMES_TELEGRAM_TOKEN=new\n", "HERMES_TELEGRAM_TOKEN *** ***"},
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
	after, changes := editEnv("A=1\nB=2\n", []envEdit{{"A", ""}, {"C", ""}})
	if after != "B=2\n" || len(changes) != 1 || changes[0] != (envChange{Name: "A", Before: "1"}) {
		t.Errorf("removal: got %q, %v", after, changes)
	}
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

// Whoever stops setup while its hermes cannot begin to act waits for nothing, and leaves none.
func TestWizard_StoppedWhileHermesBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := false
	serve := func(ctx context.Context, _ config.Config, _ net.Listener, _ *slog.Logger, _ func()) error {
		cancel()
		<-ctx.Done()
		ended = true
		return nil
	}
	s := &Wizard{serve: serve, config: config.Config{Listen: "127.0.0.1:0"}}
	if _, err := s.withHermes(ctx); !errors.Is(err, context.Canceled) || !ended || s.own != nil {
		t.Errorf("it ends with %v, %+v, and hermes has ended: %v", err, s.own, ended)
	}
}
