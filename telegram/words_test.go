package telegram

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/internal/question"
)

// Both languages say everything, with the same blanks to fill.
func TestWordsAreComplete(t *testing.T) {
	for _, wrong := range compareWords("", reflect.ValueOf(english()), reflect.ValueOf(chinese())) {
		t.Error(wrong)
	}
}

// compareWords says what one of the tables lacks, or has otherwise. It knows every kind of field that there is.
func compareWords(name string, en, zh reflect.Value) (wrong []string) {
	switch en.Kind() {
	case reflect.Struct:
		for i := range en.NumField() {
			wrong = append(wrong, compareWords(name+"."+en.Type().Field(i).Name, en.Field(i), zh.Field(i))...)
		}
	case reflect.Map:
		if en.Len() == 0 {
			wrong = append(wrong, name+" is empty")
		}
		for _, key := range slices.Concat(en.MapKeys(), zh.MapKeys()) {
			if e, z := en.MapIndex(key), zh.MapIndex(key); !e.IsValid() || !z.IsValid() {
				wrong = append(wrong, fmt.Sprintf("%s[%v] is in one language alone", name, key))
			}
		}
		for _, key := range en.MapKeys() {
			if z := zh.MapIndex(key); z.IsValid() {
				wrong = append(wrong, compareWords(fmt.Sprintf("%s[%v]", name, key), en.MapIndex(key), z)...)
			}
		}
	case reflect.String:
		return compareTexts(name, en.String(), zh.String())
	default:
		wrong = append(wrong, name+" is a "+en.Kind().String()+", which this test does not compare")
	}
	return wrong
}

func compareTexts(name, en, zh string) (wrong []string) {
	if en == "" || zh == "" {
		wrong = append(wrong, fmt.Sprintf("%s: English %q, Chinese %q", name, en, zh))
	}
	for _, blank := range []string{"%s", "%d", "%"} {
		if n, m := strings.Count(en, blank), strings.Count(zh, blank); n != m {
			wrong = append(wrong, fmt.Sprintf("%s: English has %d of %s, Chinese %d", name, n, blank, m))
		}
	}
	words := regexp.MustCompile(`%[sd]|/[a-z]+|[A-Z][A-Za-z]*|\bid\b|HERMES_\w+`).ReplaceAllString(en, "") // names are the same
	if en == zh && regexp.MustCompile(`[a-z]{2}`).MatchString(words) {
		wrong = append(wrong, fmt.Sprintf("%s: %q in both languages", name, en))
	}
	return wrong
}

// The comparison finds what is missing, at any depth.
func TestCompareWordsFinds(t *testing.T) {
	for name, break_ := range map[string]func(*words){
		".send:":                        func(w *words) { w.send = "" },
		".byPerson:":                    func(w *words) { w.byPerson = "%s" },
		".reply:":                       func(w *words) { w.reply = english().reply },
		".may.holder:":                  func(w *words) { w.may.holder = "" },
		".remote.reasons[too-large] is": func(w *words) { delete(w.remote.reasons, question.ReasonTooLarge) },
		".remote.reasons[too-large]:":   func(w *words) { w.remote.reasons[question.ReasonTooLarge] = "" },
		".remote.reasons[new] is":       func(w *words) { w.remote.reasons["new"] = "x" },
		".files.matters[voice]:":        func(w *words) { w.files.matters[question.Voice] = "%s" },
		".remote.levels[] is in":        func(w *words) { delete(w.remote.levels, question.LevelQuestions) },
	} {
		w := chinese()
		break_(&w)
		wrong := compareWords("", reflect.ValueOf(english()), reflect.ValueOf(w))
		others := slices.DeleteFunc(slices.Clone(wrong), func(s string) bool { return strings.HasPrefix(s, name) })
		if len(wrong) == 0 || len(others) > 0 {
			t.Errorf("%s: %q", name, wrong)
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
