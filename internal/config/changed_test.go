package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every setting that has a value in the configuration is compared: those that end in File are where another
// one's value comes from.
func TestChanged(t *testing.T) {
	c := reflect.TypeFor[Config]()
	s := reflect.TypeFor[settings]()
	for i := range s.NumField() {
		name := s.Field(i).Name
		if _, ok := c.FieldByName(name); !ok && !strings.HasSuffix(name, "File") {
			t.Errorf("Config has no field %s, so a change of it would not be seen", name)
		}
	}
	a := Config{TelegramToken: "canary", QuestionTTL: time.Minute}
	if got := Changed(a, a); len(got) != 0 {
		t.Errorf("of the same: %v", got)
	}
	b := a
	b.TelegramToken, b.QuestionTTL, b.OpenCodeURLs, b.Warnings = "other", 0, []string{"http://127.0.0.1:4096"}, Mistakes{"x"}
	if got := Changed(a, b); !slices.Equal(got, []string{"HERMES_TELEGRAM_TOKEN", "HERMES_OPENCODE_URLS", "HERMES_QUESTION_TTL"}) {
		t.Errorf("got %v", got)
	}
}
