package daemon_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/secret"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	agent "hermes/opencode"
	"hermes/opencode/plugin"
	adapter "hermes/telegram"
)

func TestSecrets_AreNeverShown(t *testing.T) {
	testenv.Isolate(t)
	c := config.Config{TelegramToken: testenv.Canary, HookToken: testenv.Canary, OpenCodePassword: testenv.Canary, STTKey: testenv.Canary, TelegramProxy: testenv.Canary, TelegramWebhookSecret: testenv.Canary}
	j, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	shown := string(j) + c.TelegramToken.String() + c.TelegramToken.GoString()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%10.3s"} {
		shown += fmt.Sprintf(verb, c.TelegramToken) + fmt.Sprintf(verb, c) + fmt.Sprintf(verb, &c)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "token", c.TelegramToken, "config", c)
	shown += log.String()
	for _, leak := range []string{testenv.Canary, fmt.Sprintf("%x", testenv.Canary), testenv.Canary[:3]} {
		if strings.Contains(shown, leak) {
			t.Errorf("%q is shown in %s", leak, shown)
		}
	}
	if !strings.Contains(shown, secret.Mask) || c.TelegramToken.Reveal() != testenv.Canary || secret.Text("").String() != "" {
		t.Error("a secret must show as ***, an empty one as nothing, and reveal itself when asked")
	}
}

// What the parts are told shows no secret either, however it is printed.
func TestSecrets_OfThePartsAreNeverShown(t *testing.T) {
	r := rig.NewStopped(t, opencode.VersionNew, func(c *config.Config) {
		c.TelegramProxy, c.TelegramWebhookSecret = "socks5://ada:proxy-canary@127.0.0.1:1080", rig.HookSecret
		c.TelegramWebhookURL = "https://hermes.example/hook"
	})
	o := plugin.Options{URLs: []string{"http://127.0.0.1:4097"}, Token: rig.LinkKey}
	servers := clients.DirectServers(r.Config, nil)
	if len(servers) != 1 || string(servers[0].Password) != rig.Password {
		t.Fatalf("the servers are %+v", servers)
	}
	for _, part := range []any{
		servers, servers[0],
		agent.Config{Servers: servers},
		servers[0].Client("", ""), *servers[0].Client("", ""), o, &o,
		servers[0].Password, o.Token,
		adapter.Config{Token: rig.TestToken, Proxy: r.Config.TelegramProxy},
	} {
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "part", part)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "part", part)
		shown := log.String()
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10.3s"} {
			shown += "\n" + fmt.Sprintf(verb, part)
		}
		rig.NoCanary(t, fmt.Sprintf("a print of %T", part), shown)
		for _, hidden := range []string{"canary", "CANARY"} {
			if strings.Contains(strings.ToLower(shown), fmt.Sprintf("%x", hidden)) {
				t.Errorf("a print of %T shows a secret in hexadecimal", part)
			}
		}
	}
}

func TestSecrets_FromFile(t *testing.T) {
	testenv.Isolate(t)
	path := testenv.WriteFile(t, "token", " "+testenv.GoodToken+"\n\n")
	t.Setenv("HERMES_TELEGRAM_TOKEN_FILE", path)
	t.Setenv("HERMES_TELEGRAM_USERS", "7")
	c, err := config.Load(config.Options{Serve: true})
	if err != nil || c.TelegramToken != testenv.GoodToken || len(c.Warnings) != 0 {
		t.Errorf("got %q, %v, %v", c.TelegramToken.Reveal(), err, c.Warnings)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	c, err = config.Load(config.Options{Serve: true})
	if err != nil || c.TelegramToken != testenv.GoodToken || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "0644") {
		t.Errorf("readable by others: got %v, %v", err, c.Warnings)
	}
}

func TestSecrets_FileMistakes(t *testing.T) {
	for _, name := range []string{"HERMES_TELEGRAM_TOKEN", "HERMES_TELEGRAM_WEBHOOK_SECRET", "HERMES_HOOK_TOKEN", "HERMES_OPENCODE_PASSWORD", "HERMES_STT_KEY"} {
		for _, test := range []struct{ path, also, want string }{
			{path: filepath.Join(t.TempDir(), "none"), want: name + "_FILE: cannot be read: there is no such file"},
			{path: t.TempDir(), want: name + "_FILE: cannot be read: that is a directory"},
			{path: testenv.WriteFile(t, "empty", " \n"), want: name + "_FILE: names a file that is empty"},
			{path: testenv.WriteFile(t, "large", strings.Repeat("a", config.MaxFile+1)), want: name + "_FILE: cannot be read: the file is larger"},
			{path: testenv.WriteFile(t, "both", "0123456789abcdef"), also: testenv.Canary, want: name + ": is set, and so is " + name + "_FILE"},
		} {
			testenv.Isolate(t)
			t.Setenv(name+"_FILE", test.path)
			t.Setenv(name, test.also)
			_, err := config.Load(config.Options{})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), testenv.Canary) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		}
	}
}
