package daemon_test

import (
	"slices"
	"testing"

	"hermes/internal/config"
	"hermes/internal/simulate/testenv"
	"hermes/telegram/words"
)

// HERMES_LANG takes the languages that hermes speaks, and auto.
func TestConfig_Languages(t *testing.T) {
	for lang, want := range map[string]bool{"auto": true, "de": false, "EN": false} {
		if slices.Contains(words.Languages(), lang) {
			t.Fatalf("%q is an example of what is no language", lang)
		}
		if got := takesLang(t, lang); got != want {
			t.Errorf("HERMES_LANG=%s is taken: %v", lang, got)
		}
	}
	for _, lang := range words.Languages() {
		if !takesLang(t, lang) {
			t.Errorf("HERMES_LANG=%s is refused", lang)
		}
	}
}

func takesLang(t *testing.T, lang string) bool {
	t.Helper()
	c, err := config.Load(config.Options{File: testenv.WriteFile(t, "hermes.env", "HERMES_LANG="+lang+"\n")})
	return err == nil && c.Lang == lang
}
