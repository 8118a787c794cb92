package words_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/telegram/words"
)

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
