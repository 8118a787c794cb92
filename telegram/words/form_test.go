package words_test

import (
	"slices"
	"testing"

	"hermes/internal/fields"
	"hermes/telegram/words"
)

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
