package sessionview_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/card"
	"hermes/telegram/sessionview"
	"hermes/telegram/words"
)

func TestMegabytes(t *testing.T) {
	for size, want := range map[int64]string{1: "0.1 MB", session.MaxFiles: "8 MB", session.MaxFiles + 1: "8.1 MB", 20 << 20: "20 MB", 12_400_000: "11.9 MB"} {
		if got := sessionview.Megabytes(size); got != want {
			t.Errorf("%d is %q, want %q", size, got, want)
		}
	}
}

// What is wrong with a file is said in both languages, with its name as its sender wrote it.
func TestFiles_InWords(t *testing.T) {
	f := chat.File{Name: "a\u202egpj.exe\n<b>", Size: 9 << 20}
	unknown := f
	unknown.Size = 0
	for _, tell := range []remote.Message{
		{Kind: remote.TellTooLarge, File: f},
		{Kind: remote.TellTooLarge, File: unknown},
		{Kind: remote.TellFileGone, File: f},
		{Kind: remote.TellFetching, File: f},
	} {
		for _, lang := range []string{"en", "zh"} {
			got := sessionview.Render(tell, words.For(lang), time.Now()).Parts[0].String()
			if strings.Contains(got, "%") || strings.ContainsAny(got, "\u202e\n") || !strings.Contains(got, "gpj.exe <b>") {
				t.Errorf("%s: %q", lang, got)
			}
		}
	}
}

// What is said in a long recording is one file: a hundred messages of it would hold up the
// questions behind them for minutes.
func TestFiles_LongRecordings(t *testing.T) {
	for n, filed := range map[int]bool{card.LongRunes: false, card.LongRunes + 1: true} {
		text := strings.Repeat("é", n)
		for _, w := range []words.Table{words.For("en"), words.For("zh")} {
			got := sessionview.Render(remote.Message{Kind: remote.TellHeard, Text: text}, w, time.Now())
			if (got.File == text && got.FileName == "voice.txt") != filed || len(got.Parts) > 10 || (len(got.Parts) == 1) != filed {
				t.Errorf("%d: a file %q of %d bytes, and %d messages", n, got.FileName, len(got.File), len(got.Parts))
			}
			if first := got.Parts[0].String(); !strings.HasPrefix(first, "🎤 ") || filed && !strings.Contains(first, w.Sessions.InFile) {
				t.Errorf("%d: %.99q", n, first)
			}
		}
	}
}

func TestFiles_AreNoAnswer(t *testing.T) {
	for lang, want := range map[string]string{"en": "❗ That is not an answer. Tap a button, or reply with text.", "zh": "❗ 这不是答案。请点按钮，或用文字回复。"} {
		if got := sessionview.Render(remote.Message{Kind: remote.TellNoAnswer}, words.For(lang), time.Now()).Parts[0].String(); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}
