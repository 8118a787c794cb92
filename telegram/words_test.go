package telegram

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// Both languages say everything, with the same blanks to fill.
func TestWordsAreComplete(t *testing.T) {
	compareWords(t, reflect.ValueOf(english()), reflect.ValueOf(chinese()))
}

func compareWords(t *testing.T, en, zh reflect.Value) {
	for i := range en.NumField() {
		if en.Field(i).Kind() == reflect.Struct {
			compareWords(t, en.Field(i), zh.Field(i))
			continue
		}
		name, e, z := en.Type().Field(i).Name, en.Field(i).String(), zh.Field(i).String()
		if e == "" || z == "" {
			t.Errorf("%s: English %q, Chinese %q", name, e, z)
		}
		for _, blank := range []string{"%s", "%d", "%"} {
			if strings.Count(e, blank) != strings.Count(z, blank) {
				t.Errorf("%s: English has %d of %s, Chinese %d", name, strings.Count(e, blank), blank, strings.Count(z, blank))
			}
		}
	}
}

// The words on the buttons are part of the contract.
func TestButtonWords(t *testing.T) {
	w := english()
	got := strings.Join([]string{w.typeAnswer, w.dismiss, w.back, w.next, w.done, w.send, w.may.once, w.may.always, w.may.reject, w.may.rejectNote}, "|")
	if want := "Type an answer|Dismiss|Back|Next|Done|Send|Allow once|Always allow|Reject|Reject with a note"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.HasPrefix(w.doneCount, w.done) {
		t.Errorf("%q does not begin with %q", w.doneCount, w.done)
	}
}

func TestWordsFor(t *testing.T) {
	for lang, want := range map[string]string{
		"": "Send", "en": "Send", "de-DE": "Send", "zha": "Send",
		"zh": "发送", "zh-hans": "发送", "zh_TW": "发送", "ZH-CN": "发送",
	} {
		if got := wordsFor(lang).send; got != want {
			t.Errorf("%q: got %s, want %s", lang, got, want)
		}
	}
}

func TestDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 45 * time.Second: "45 s", 30 * time.Minute: "30 min", 90 * time.Second: "2 min",
		time.Hour: "1 h", 90 * time.Minute: "1 h 30 min", 50 * time.Hour: "2 days 2 h", 72 * time.Hour: "3 days",
	} {
		if got := english().span(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
