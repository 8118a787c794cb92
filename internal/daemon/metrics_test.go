package daemon_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
)

func TestMetrics(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		_, call := r.Ask(rig.DatabaseQuestion())
		if text := r.Metrics(); !strings.Contains(text, "hermes_questions_open 1\n") {
			t.Errorf("with a question open:\n%s", text)
		}
		r.Telegram.FailNext("editMessageText", telegram.Fault{Kind: telegram.BadGateway})
		r.Tap("2.")
		r.Wait(time.Minute)
		r.WantAnswers(call, []string{"PostgreSQL (Recommended)"})
		text := r.Metrics()
		for _, want := range []string{
			"hermes_questions_open 0\n", "hermes_servers 1\n", "hermes_links 0\n", "hermes_telegram_up 1\n",
			`hermes_journal_entries_total{kind="asked"} 1`, `hermes_journal_entries_total{kind="answered"} 1`,
			`hermes_journal_entries_total{kind="confirmed"} 1`,
			`hermes_telegram_call_seconds_count{method="editMessageText",status="502"} 1`,
			`hermes_telegram_call_seconds_count{method="answerCallbackQuery",status="200"} 1`,
			"hermes_unreadable_records 0\n", "hermes_http_connections 1\n", "hermes_http_connections_max ", "hermes_links_max ", "hermes_store_commit_seconds_count ", "hermes_build_info{version=", "go_goroutines ", "process_resident_memory_bytes ",
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
