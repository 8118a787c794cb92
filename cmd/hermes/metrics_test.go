package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	telegram "hermes/internal/simulate/telegramsim"
)

func TestMetrics(t *testing.T) {
	play(t, nil, func(r *rig) {
		_, call := r.ask(database())
		if text := r.measured(); !strings.Contains(text, "hermes_questions_open 1\n") {
			t.Errorf("with a question open:\n%s", text)
		}
		r.telegram.FailNext("editMessageText", telegram.Fault{Kind: telegram.BadGateway})
		r.tap("2.")
		r.wait(time.Minute)
		r.got(call, []string{"PostgreSQL (Recommended)"})
		text := r.measured()
		for _, want := range []string{
			"hermes_questions_open 0\n", "hermes_servers 1\n", "hermes_links 0\n", "hermes_telegram_up 1\n",
			`hermes_journal_entries_total{kind="asked"} 1`, `hermes_journal_entries_total{kind="answered"} 1`,
			`hermes_journal_entries_total{kind="confirmed"} 1`,
			`hermes_telegram_call_seconds_count{method="editMessageText",status="502"} 1`,
			`hermes_telegram_call_seconds_count{method="answerCallbackQuery",status="200"} 1`,
			"hermes_unreadable_records 0\n", "hermes_store_commit_seconds_count ", "hermes_build_info{version=", "go_goroutines ", "process_resident_memory_bytes ",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s is not there:\n%s", want, text)
			}
		}
		for _, never := range []string{"SQLite", "shop-api", "Ada", "getUpdates", "opencode.test"} {
			if strings.Contains(text, never) {
				t.Errorf("%s is told", never)
			}
		}
	})
}

// measured is GET /metrics.
func (r *rig) measured() string {
	r.t.Helper()
	code, text := r.request("GET", "/metrics", "")
	if code != http.StatusOK {
		r.t.Errorf("GET /metrics gives %d %s", code, text)
	}
	if code, _ := r.request("GET", "/metrics", "", "Authorization", ""); code != http.StatusUnauthorized {
		r.t.Errorf("GET /metrics without the token gives %d", code)
	}
	return text
}
