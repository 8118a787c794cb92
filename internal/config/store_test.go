package config_test

import (
	"strings"
	"testing"

	"hermes/internal/secret"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

const shared = "HERMES_TELEGRAM_TOKEN=" + testenv.GoodToken + "\nHERMES_TELEGRAM_USERS=42\nHERMES_HOOK_TOKEN=0123456789abcdef\nHERMES_STORE="

func TestStore_URLs(t *testing.T) {
	for _, store := range []string{
		"postgres://db.example/hermes",
		"postgresql://hermes:secret@db.example:5433/hermes?sslmode=verify-full",
		"postgres://hermes@one.example:5432,two.example:5433/hermes?target_session_attrs=read-write",
		"postgres://hermes@[::1]:5432,[::2]/hermes",
		"postgres://hermes:p%40ss%2Fword@db.example/hermes",
		"postgres:///hermes?host=/run/postgresql",
	} {
		testenv.Isolate(t)
		c, err := rig.LoadFile(t, shared+store+"\n")
		if err != nil || c.Store.Reveal() != store {
			t.Errorf("%s: %q, %v", store, c.Store.Reveal(), err)
		}
	}
}

// What a driver says of a URL may have it whole or in parts, as it is or as it is spelled there.
func TestStore_PasswordIsSecret(t *testing.T) {
	testenv.Isolate(t)
	c, err := rig.LoadFile(t, shared+"postgres://hermes:can%40ary@one.example,two.example/hermes?password=other-canary\n")
	if err != nil {
		t.Fatal(err)
	}
	redact := secret.NewRedactor(c.Secrets()...)
	for _, text := range []string{"cannot parse `" + c.Store.Reveal() + "`", "password can@ary", "password can%40ary", "password=other-canary"} {
		if got := redact.Text(text); strings.Contains(got, "ary") {
			t.Errorf("shown: %s", got)
		}
	}
}

func TestStore_FileOfTheDatabaseIsNotUsed(t *testing.T) {
	testenv.Isolate(t)
	c, err := rig.LoadFile(t, shared+"postgres://db.example/hermes\nHERMES_DB=/var/lib/hermes/hermes.db\n")
	if err != nil || len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], "HERMES_DB: is not used") {
		t.Errorf("%v, %v", c.Warnings, err)
	}
}
