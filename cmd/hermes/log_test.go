package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
)

// A struct with a pointer and a fmt verb are ways past a naive redactor.
type inner struct{ Text *string }

func TestLogShowsNoSecret(t *testing.T) {
	odd := secret(`p<"a>ss/` + "\t" + canary)
	c := config{TelegramToken: goodToken, OpenCodePassword: odd, HookToken: canary + "hook", TelegramProxy: "http://me:" + canary + "proxy@127.0.0.1:1"}
	raw := odd.Reveal()
	key := goodToken[strings.Index(goodToken, ":")+1:]
	for _, format := range []string{"text", "json"} {
		c.LogFormat = format
		var out strings.Builder
		log := newLogger(&out, c.LogLevel, c.LogFormat, newRedactor(c.secrets()...))
		log.With("with", raw).WithGroup("group").Info("message "+goodToken,
			"err", fmt.Errorf("post: %w", errors.New("https://api.telegram.org/bot"+goodToken+"/getMe")),
			"key", key,
			"query", url.QueryEscape(raw),
			"path", url.PathEscape(raw),
			"quoted", fmt.Sprintf("%q", raw),
			"struct", struct{ A, B string }{raw, goodToken},
			"pointer", inner{&raw},
			"bytes", []byte("plain"),
			"map", map[string]string{goodToken: raw},
			"stringer", &url.URL{Scheme: "https", Host: "h", Path: "/bot" + goodToken},
			slog.Group("deep", "hook", c.HookToken.Reveal(), "proxy", c.TelegramProxy.Reveal()),
			goodToken, "value",
		)
		for _, leak := range []string{canary, key, "p<", "p%3C"} {
			if strings.Contains(out.String(), leak) {
				t.Errorf("%s log shows %q: %s", format, leak, out.String())
			}
		}
		if !strings.Contains(out.String(), "message "+mask) {
			t.Errorf("%s log has lost its message: %s", format, out.String())
		}
	}
}

func TestLogLevelAndFormat(t *testing.T) {
	var out strings.Builder
	log := newLogger(&out, slog.LevelWarn, "json", newRedactor())
	log.Info("not this")
	log.Warn("this", "attempt", 3)
	if got := out.String(); strings.Contains(got, "not this") || !strings.Contains(got, `"level":"WARN","msg":"this","attempt":3}`) {
		t.Errorf("got %s", got)
	}
}

func TestRedactorTakesTheLongestFirst(t *testing.T) {
	r := newRedactor("abc", "abcdef", "")
	if got := r.text("abcdef abc ab"); got != "*** *** ab" {
		t.Errorf("got %q", got)
	}
}
