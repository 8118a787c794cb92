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

	"hermes/internal/fields"
	"hermes/internal/question"
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

// The words on the buttons are part of the contract.
func TestTable_ButtonsAsPromised(t *testing.T) {
	w := words.For("en")
	got := strings.Join([]string{w.TypeAnswer, w.Dismiss, w.Back, w.Next, w.Done, w.Send, w.Permission.Once, w.Permission.Always, w.Permission.Reject, w.Permission.RejectNote}, "|")
	if want := "Type an answer|Dismiss|Back|Next|Done|Send|Allow once|Always allow|Reject|Reject, say why"; got != want {
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

// setLikeEnglish is what Chinese text does not have: narrow punctuation beside a Chinese character or a blank, and
// spaces between Chinese characters or beside full-width punctuation.
var setLikeEnglish = regexp.MustCompile(`(\p{Han}|%[sd])[,:;?!()]|[,:;?!()](\p{Han}|%[sd])|\p{Han} \p{Han}|\p{Han}\.|[，。：；？！、（）] | [，。：；？！、（）]`)

// The Chinese is set as Chinese is.
func TestTable_IsSetAsChinese(t *testing.T) {
	w := words.For("zh")
	all := texts("", reflect.ValueOf(w))
	if len(all) < 300 {
		t.Fatalf("found %d texts", len(all))
	}
	for name, text := range all {
		if m := setLikeEnglish.FindString(text); m != "" {
			t.Errorf("%s: %q is set like English: %q", name, text, m)
		}
	}
}

// Durations end in a Chinese character: it does not stand before a space and another one.
func TestTable_FitsDurations(t *testing.T) {
	w := words.For("zh")
	d := w.Duration(90 * time.Minute)
	formats := []string{
		w.Offline, w.Expired, w.NobodyReject, w.NobodyAsk, w.NobodyEnds, w.Form.Instead.Nobody, w.Hold.SentIn, w.Sessions.DoneIn, w.Sessions.LongTurns,
		w.Permission.Nobody, w.Permission.NobodyAsk, w.Permission.NobodyEnds, w.Team.Enough, w.Team.Unsent, w.Team.EnoughEnds, w.Team.UnsentEnds,
	}
	for _, e := range w.NobodyTook {
		formats = append(formats, e.One, e.Default, e.Each)
	}
	for _, format := range formats {
		if text := strings.Replace(format, "%s", d, 1); text == format || setLikeEnglish.MatchString(text) {
			t.Errorf("%q with %q: %q", format, d, text)
		}
	}
}

// texts are all texts of a table, by where they stand.
func texts(name string, v reflect.Value) map[string]string {
	all := map[string]string{}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			for at, text := range texts(name+"."+v.Type().Field(i).Name, v.Field(i)) {
				all[at] = text
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			for at, text := range texts(name+"."+key.String(), v.MapIndex(key)) {
				all[at] = text
			}
		}
	default:
		all[name] = v.String()
	}
	return all
}

// There are words for everything that can end an ask.
func TestTable_HasEveryEnd(t *testing.T) {
	for _, lang := range words.Languages() {
		w := words.For(lang)
		for _, e := range question.Expiries() {
			if _, ok := w.NobodyTook[e]; ok != e.Answers() {
				t.Errorf("%s: %q answers: %v; there are words for its answer: %v", lang, e, e.Answers(), ok)
			}
		}
		for _, k := range question.OutcomeKinds() {
			if _, ok := w.Ended[k]; ok == k.Decided() {
				t.Errorf("%s: %q was decided: %v; there are words for why nobody did: %v", lang, k, k.Decided(), ok)
			}
		}
	}
}

func limit(n float64) *float64 { return &n }

// What a field takes is said in a sentence's part, in each language.
func TestTable_Accepts(t *testing.T) {
	for _, c := range []struct {
		field  fields.Field
		en, zh string
	}{
		{fields.Field{Kind: fields.Integer, Min: limit(1), Max: limit(10)}, "a whole number from 1 to 10", "一个整数（1 到 10）"},
		{fields.Field{Kind: fields.Integer, Min: limit(3), Max: limit(3)}, "a whole number that is 3", "一个整数（必须是 3）"},
		{fields.Field{Kind: fields.Number, Min: limit(-0.5)}, "a number of at least -0.5", "一个数字（不小于 -0.5）"},
		{fields.Field{Kind: fields.Number, Max: limit(1e30)}, "a number of at most 1e30", "一个数字（不大于 1e30）"},
		{fields.Field{Kind: fields.String}, "text", "文字"},
		{fields.Field{Kind: fields.String, Min: limit(2), Max: limit(8), Pattern: "^a"}, "text of 2 to 8 characters that matches <^a>", "文字（2 到 8 个字符），须匹配 <^a>"},
		{fields.Field{Kind: fields.String, Format: fields.Email, Max: limit(80)}, "an e-mail address of at most 80 characters", "一个电子邮件地址（最多 80 个字符）"},
		{fields.Field{Kind: fields.Multiselect, Min: limit(2)}, "text", "文字"},
	} {
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			if got := words.For(lang).Accepts(c.field, func(p string) string { return "<" + p + ">" }); got != want {
				t.Errorf("%+v: %q, want %q", c.field, got, want)
			}
		}
	}
}

// Every format, and every kind of field that takes typed text, has its words.
func TestTable_NamesFields(t *testing.T) {
	options := []fields.Kind{fields.Boolean, fields.External, fields.Unknown}
	for _, lang := range words.Languages() {
		w := words.For(lang)
		for _, kind := range fields.Kinds() {
			if w.Form.Kinds[kind] == "" && !slices.Contains(options, kind) {
				t.Errorf("%s: no words for %s", lang, kind)
			}
		}
		for _, format := range fields.Formats() {
			if w.Form.Formats[format] == "" {
				t.Errorf("%s: no words for %s", lang, format)
			}
		}
	}
}
