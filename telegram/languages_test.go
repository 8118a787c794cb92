package telegram

import (
	"testing"

	"hermes/internal/chat"
)

func TestLanguages_Table(t *testing.T) {
	l := languages{"auto", func(id chat.ID) string {
		if id == 7 {
			return "zh"
		}
		return ""
	}}
	if got := l.table(7, "zh-hans").Send; got != "发送" {
		t.Error(got)
	}
	if got := l.table(7, "").Send + l.table(8, "").Send; got != "发送Send" {
		t.Error(got)
	}
	if got := (languages{"en", l.ofChat}).table(7, "zh").Send; got != "Send" {
		t.Error(got)
	}
}
