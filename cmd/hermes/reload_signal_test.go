package main

import (
	"io"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/internal/simulate/testenv"
)

// A real SIGHUP takes over the rules, and the log's level from the configuration file, names what needs a restart, takes over
// nothing from a file with mistakes, and ends nothing; SIGTERM does.
func TestReload_HangUp(t *testing.T) {
	testenv.Isolate(t)
	bot := telegram.New(telegram.Options{Token: rig.TestToken})
	api := httptest.NewServer(bot)
	defer api.Close()
	defer bot.Close()
	rules := testenv.WriteFile(t, "rules.toml", rig.TeamRules)
	settings := "HERMES_TELEGRAM_TOKEN=" + rig.TestToken + "\nHERMES_RULES=" + rules + "\nHERMES_LISTEN=127.0.0.1:0\nHERMES_TELEGRAM_API_URL=" + api.URL +
		"\nHERMES_DB=" + filepath.Join(t.TempDir(), "hermes.db") + "\n"
	path := testenv.WriteFile(t, "hermes.env", settings)
	log, ended := &lineLog{grown: make(chan struct{}, 1)}, make(chan int, 1)
	go func() {
		ended <- run([]string{"serve", "--config", path}, streams{in: strings.NewReader(""), out: io.Discard, err: log})
	}()
	log.await(t, "hermes is running")
	rewrite(t, path, settings+"HERMES_LOG_LEVEL=loud\n")
	send(t, syscall.SIGHUP)
	log.await(t, "the configuration was not taken over")
	rewrite(t, rules, strings.Replace(rig.TeamRules, `"leads"`, `"chiefs"`, 1))
	rewrite(t, path, settings+"HERMES_LOG_LEVEL=debug\nHERMES_UNDO=10s\n")
	send(t, syscall.SIGHUP)
	log.await(t, "settings=[HERMES_UNDO]")
	log.await(t, "the rules were taken over")
	log.await(t, "chiefs")
	if !strings.Contains(log.String(), "the log has another level") {
		t.Errorf("the level was not taken over:\n%s", log.String())
	}
	rewrite(t, path, settings+"HERMES_LOG_LEVEL=error\n")
	before := len(log.String())
	send(t, syscall.SIGHUP)
	send(t, syscall.SIGTERM)
	if code := <-ended; code != 0 {
		t.Errorf("hermes serve exits with %d:\n%s", code, log.String())
	}
	rig.NoCanary(t, "the log", log.String()[before:])
}

func send(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(syscall.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

// lineLog is a log that can be waited for.
type lineLog struct {
	testenv.LockedBuffer
	grown chan struct{}
}

func (l *lineLog) Write(p []byte) (int, error) {
	n, err := l.LockedBuffer.Write(p)
	select {
	case l.grown <- struct{}{}:
	default:
	}
	return n, err
}

// await returns when the log says it.
func (l *lineLog) await(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(l.String(), text) {
		select {
		case <-l.grown:
		case <-t.Context().Done():
			t.Fatalf("the log does not say %q:\n%s", text, l.String())
		}
	}
}
