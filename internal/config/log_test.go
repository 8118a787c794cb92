package config_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"hermes/internal/config"
	"hermes/internal/secret"
	"hermes/internal/simulate/testenv"
)

// A struct with a pointer and a fmt verb are ways past a naive redactor.
type inner struct{ Text *string }

func TestLog_ShowsNoSecret(t *testing.T) {
	odd := secret.Text(`p<"a>ss/` + "\t" + testenv.Canary)
	c := config.Config{TelegramToken: testenv.GoodToken, OpenCodePassword: odd, HookToken: testenv.Canary + "hook", TelegramProxy: "http://me:" + testenv.Canary + "proxy@127.0.0.1:1"}
	raw := odd.Reveal()
	key := testenv.GoodToken[strings.Index(testenv.GoodToken, ":")+1:]
	for _, format := range []string{"text", "json"} {
		c.LogFormat = format
		var out strings.Builder
		log := secret.NewLogger(&out, c.LogLevel, c.LogFormat, secret.NewRedactor(c.Secrets()...))
		log.With("with", raw).WithGroup("group").Info("message "+testenv.GoodToken,
			"err", fmt.Errorf("post: %w", errors.New("https://api.telegram.org/bot"+testenv.GoodToken+"/getMe")),
			"key", key,
			"query", url.QueryEscape(raw),
			"path", url.PathEscape(raw),
			"quoted", fmt.Sprintf("%q", raw),
			"struct", struct{ A, B string }{raw, testenv.GoodToken},
			"pointer", inner{&raw},
			"bytes", []byte("plain"),
			"map", map[string]string{testenv.GoodToken: raw},
			"stringer", &url.URL{Scheme: "https", Host: "h", Path: "/bot" + testenv.GoodToken},
			slog.Group("deep", "hook", c.HookToken.Reveal(), "proxy", c.TelegramProxy.Reveal()),
			testenv.GoodToken, "value",
		)
		for _, leak := range []string{testenv.Canary, key, "p<", "p%3C"} {
			if strings.Contains(out.String(), leak) {
				t.Errorf("%s log shows %q: %s", format, leak, out.String())
			}
		}
		if !strings.Contains(out.String(), "message "+secret.Mask) {
			t.Errorf("%s log has lost its message: %s", format, out.String())
		}
	}
}

func TestLog_LevelAndFormat(t *testing.T) {
	var out strings.Builder
	log := secret.NewLogger(&out, slog.LevelWarn, "json", secret.NewRedactor())
	log.Info("not this")
	log.Warn("this", "attempt", 3)
	if got := out.String(); strings.Contains(got, "not this") || !strings.Contains(got, `"level":"WARN","msg":"this","attempt":3}`) {
		t.Errorf("got %s", got)
	}
}

func TestLog_RedactorTakesTheLongestFirst(t *testing.T) {
	r := secret.NewRedactor("abc", "abcdef", "")
	if got := r.Text("abcdef abc ab"); got != "*** *** ab" {
		t.Errorf("got %q", got)
	}
}
