package words_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/simulate/closedset"
	"hermes/telegram/words"
)

// Every language says everything that the first one says, with the same blanks to fill, and in words of its own.
func TestTable_IsComplete(t *testing.T) {
	all := words.Languages()
	if len(all) < 2 || all[0] != "en" {
		t.Fatalf("the languages are %q", all)
	}
	for _, tag := range all[1:] {
		for _, wrong := range compareTables("", reflect.ValueOf(words.For(all[0])), reflect.ValueOf(words.For(tag))) {
			t.Errorf("%s: %s", tag, wrong)
		}
	}
}

// compareTables says what one of the tables lacks, or has otherwise. It knows every kind of field that there is.
func compareTables(name string, first, other reflect.Value) (wrong []string) {
	switch first.Kind() {
	case reflect.Struct:
		for i := range first.NumField() {
			wrong = append(wrong, compareTables(name+"."+first.Type().Field(i).Name, first.Field(i), other.Field(i))...)
		}
	case reflect.Map:
		if first.Len() == 0 {
			wrong = append(wrong, name+" is empty")
		}
		for _, key := range slices.Concat(first.MapKeys(), other.MapKeys()) {
			if first.MapIndex(key).IsValid() != other.MapIndex(key).IsValid() {
				wrong = append(wrong, fmt.Sprintf("%s[%v] is in one of both languages alone", name, key))
			}
		}
		for _, key := range first.MapKeys() {
			if text := other.MapIndex(key); text.IsValid() {
				wrong = append(wrong, compareTables(fmt.Sprintf("%s[%v]", name, key), first.MapIndex(key), text)...)
			}
		}
	case reflect.String:
		return compareTexts(name, first.String(), other.String())
	default:
		wrong = append(wrong, name+" is a "+first.Kind().String()+", which this test does not compare")
	}
	return wrong
}

func compareTexts(name, first, other string) (wrong []string) {
	if first == "" || other == "" {
		wrong = append(wrong, fmt.Sprintf("%s: %q, and in the first language %q", name, other, first))
	}
	for _, blank := range []string{"%s", "%d", "%"} {
		if n, m := strings.Count(first, blank), strings.Count(other, blank); n != m {
			wrong = append(wrong, fmt.Sprintf("%s: %d of %s, and %d in the first language", name, m, blank, n))
		}
	}
	words := regexp.MustCompile(`%[sd]|/[a-z]+|[A-Z][A-Za-z]*|\bid\b|HERMES_\w+`).ReplaceAllString(first, "") // names are the same
	if first == other && regexp.MustCompile(`[a-z]{2}`).MatchString(words) {
		wrong = append(wrong, fmt.Sprintf("%s: %q, as in the first language", name, first))
	}
	return wrong
}

// What the comparison must find, at any depth: a text that is missing, that has other blanks, or that is not translated.
func TestTable_ComparisonFindsWhatIsWrong(t *testing.T) {
	english := words.For("en")
	for name, spoil := range map[string]func(*words.Table){
		".Send:":                          func(w *words.Table) { w.Send = "" },
		".ByPerson:":                      func(w *words.Table) { w.ByPerson = "%s" },
		".Reply:":                         func(w *words.Table) { w.Reply = english.Reply },
		".Permission.Holder:":             func(w *words.Table) { w.Permission.Holder = "" },
		".Sessions.Live.Away:":            func(w *words.Table) { w.Sessions.Live.Away = english.Sessions.Live.Away },
		".Sessions.Reasons[too-large] is": func(w *words.Table) { delete(w.Sessions.Reasons, remote.ReasonTooLarge) },
		".Sessions.Reasons[too-large]:":   func(w *words.Table) { w.Sessions.Reasons[remote.ReasonTooLarge] = "" },
		".Sessions.Reasons[agent]:": func(w *words.Table) {
			w.Sessions.Reasons[remote.ReasonAgent] = english.Sessions.Reasons[remote.ReasonAgent]
		},
		".Sessions.Reasons[new] is":         func(w *words.Table) { w.Sessions.Reasons["new"] = "x" },
		".Files.Matters[voice]:":            func(w *words.Table) { w.Files.Matters[chat.Voice] = "%s" },
		".Sessions.Levels[questions] is in": func(w *words.Table) { delete(w.Sessions.Levels, remote.LevelQuestions) },
		".Menu[abort]:":                     func(w *words.Table) { w.Menu["abort"] = english.Menu["abort"] },
		".Admission.RemovedGroup:":          func(w *words.Table) { w.Admission.RemovedGroup = "" },
	} {
		w := words.For("zh")
		spoil(&w)
		wrong := compareTables("", reflect.ValueOf(english), reflect.ValueOf(w))
		others := slices.DeleteFunc(slices.Clone(wrong), func(s string) bool { return strings.HasPrefix(s, name) })
		if len(wrong) == 0 || len(others) > 0 {
			t.Errorf("%s: %q", name, wrong)
		}
	}
}

// The words on the buttons are part of the contract.
func TestTable_ButtonsAsPromised(t *testing.T) {
	w := words.For("en")
	got := strings.Join([]string{w.TypeAnswer, w.Dismiss, w.Back, w.Next, w.Done, w.Send, w.Permission.Once, w.Permission.Always, w.Permission.Reject, w.Permission.RejectNote}, "|")
	if want := "Type an answer|Dismiss|Back|Next|Done|Send|Allow once|Always allow|Reject|Reject with a note"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.HasPrefix(w.DoneCount, w.Done) {
		t.Errorf("%q does not begin with %q", w.DoneCount, w.Done)
	}
}

func TestFor(t *testing.T) {
	for lang, want := range map[string]string{
		"": "Send", "en": "Send", "de-DE": "Send", "zha": "Send",
		"zh": "发送", "zh-hans": "发送", "zh_TW": "发送", "ZH-CN": "发送",
	} {
		if got := words.For(lang).Send; got != want {
			t.Errorf("%q: got %s, want %s", lang, got, want)
		}
	}
}

func TestTable_Duration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 45 * time.Second: "45 s", 30 * time.Minute: "30 min", 90 * time.Second: "2 min",
		time.Hour: "1 h", 90 * time.Minute: "1 h 30 min", 50 * time.Hour: "2 days 2 h", 72 * time.Hour: "3 days",
	} {
		if got := words.For("en").Duration(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

// What the Bot API takes as a command and what it does.
func TestTable_Menu(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	for _, tag := range words.Languages() {
		menu := words.For(tag).Menu
		if len(menu) == 0 || len(menu) > 100 {
			t.Errorf("%s: %d commands", tag, len(menu))
		}
		for command, text := range menu {
			if n := utf8.RuneCountInString(text); !name.MatchString(command) || n < 1 || n > 256 {
				t.Errorf("%s: /%s is described in %d characters", tag, command, n)
			}
		}
	}
}

// Whatever a person can do something about has a text, and so has every level.
func TestTable_HasEveryReasonAndLevel(t *testing.T) {
	w := words.For("en").Sessions
	for _, reason := range closedset.Constants(t)["remote.Reason"] {
		if w.Reasons[remote.Reason(reason)] == "" {
			t.Errorf("the reason %q has no text", reason)
		}
	}
	for _, level := range closedset.Constants(t)["remote.Level"] {
		if w.Levels[remote.Level(level)] == "" {
			t.Errorf("the level %q has no text", level)
		}
	}
}
