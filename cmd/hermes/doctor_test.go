package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// The whole command, over sockets: what it reads, what it prints, how it exits.
func TestDoctor(t *testing.T) {
	testenv.Isolate(t)
	api := telegram.New(telegram.Options{Token: rig.TestToken})
	api.AddUser(telegram.User{ID: rig.Ada, FirstName: "Ada"})
	s := httptest.NewServer(api)
	defer s.Close()
	file := testenv.WriteFile(t, "hermes.env", "HERMES_TELEGRAM_TOKEN=987654321:AAwrongCANARYwrongCANARYwrongCANARYwr\nHERMES_TELEGRAM_USERS=42\nHERMES_TELEGRAM_API_URL="+s.URL+
		"\nHERMES_LISTEN=127.0.0.1:0\nHERMES_LANG=fr\nHERMES_COLOUR=x\n")
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HERMES_SERVICE_HOST", "10.0.0.1")
	code, out, errs := hermes("doctor", "--config", file, "--config-dir", t.TempDir())
	for _, want := range []string{
		"fail  configuration  HERMES_LANG: is not auto, en or zh -> correct it in " + file,
		"fail  configuration  HERMES_COLOUR: is not a variable of hermes",
		"warn  configuration  " + file + ": other users of this machine may read it (mode 0644) -> chmod 600 it",
		"warn  configuration  HERMES_SERVICE_HOST: is not a variable of hermes and is ignored",
		"fail  token          Telegram refuses it (401 Unauthorized) -> copy it again from @BotFather",
		"skip  chat           42: Telegram does not take the token\n",
		"fail  hermes         no hermes runs at http://127.0.0.1:0",
		"fail  plugin         it is not installed",
		"skip  service        ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if code != exitFailure || !strings.HasPrefix(errs, "hermes: 5 of 15 checks failed") {
		t.Errorf("exit %d, %q", code, errs)
	}
	rig.NoCanary(t, "the report", out+errs)
	if code, out, _ = hermes("doctor", "--json", "--config", file, "--config-dir", t.TempDir()); code != exitFailure || !json.Valid([]byte(out)) {
		t.Errorf("with --json: %d, %s", code, out)
	}
	for _, wrong := range [][]string{{"--wait", "5s"}, {"--wait", "0s", "--round-trip"}, {"now"}} {
		if code, _, errs = hermes(append([]string{"doctor"}, wrong...)...); code != exitUsage || errs == "" {
			t.Errorf("%q: %d, %q", wrong, code, errs)
		}
	}
}
