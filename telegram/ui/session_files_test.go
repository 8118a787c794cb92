package ui_test

import (
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/session"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

func TestMegabytes(t *testing.T) {
	for size, want := range map[int64]string{1: "0.1 MB", session.MaxFiles: "8 MB", session.MaxFiles + 1: "8.1 MB", 20 << 20: "20 MB", 12_400_000: "11.9 MB"} {
		if got := ui.Megabytes(size); got != want {
			t.Errorf("%d is %q, want %q", size, got, want)
		}
	}
}

// What is wrong with a file is said in both languages, with its name as its sender wrote it.
func TestFiles_InWords(t *testing.T) {
	f := chat.File{Name: "a\u202egpj.exe\n<b>", Size: 9 << 20}
	unknown := f
	unknown.Size = 0
	for _, tell := range []ui.Prompt{
		{Status: remote.PromptTooLarge, File: f},
		{Status: remote.PromptTooLarge, File: unknown},
		{Status: remote.PromptFileGone, File: f},
		{Status: remote.PromptFetching, File: f},
	} {
		for _, lang := range []string{"en", "zh"} {
			got := tell.Text()(reader(lang)).Parts[0].String()
			if strings.Contains(got, "%") || strings.ContainsAny(got, "\u202e\n") || !strings.Contains(got, "gpj.exe <b>") {
				t.Errorf("%s: %q", lang, got)
			}
		}
	}
}

// What is said in a long recording is one file: a hundred messages of it would hold up the
// questions behind them for minutes.
func TestFiles_LongRecordings(t *testing.T) {
	for n, filed := range map[int]bool{ui.LongRunes: false, ui.LongRunes + 1: true} {
		text := strings.Repeat("é", n)
		for _, lang := range words.Languages() {
			w, got := words.For(lang), ui.Heard(text)(reader(lang))
			if (got.File == text && got.FileName == "voice.txt") != filed || len(got.Parts) > 10 || (len(got.Parts) == 1) != filed {
				t.Errorf("%d: a file %q of %d bytes, and %d messages", n, got.FileName, len(got.File), len(got.Parts))
			}
			if first := got.Parts[0].String(); !strings.HasPrefix(first, "🎤 ") || filed && !strings.Contains(first, w.Sessions.InFile) {
				t.Errorf("%d: %.99q", n, first)
			}
		}
	}
}

// A chat that takes no files is asked as well whether what was said is the answer.
func TestFiles_LongRecordingThatMayBeTheAnswer(t *testing.T) {
	w := words.For("en")
	got := ui.HeardAnswer(strings.Repeat("é", ui.LongRunes+1))(reader("en"))
	for what, m := range map[string]ui.Body{"with a file": got, "without": *got.Unfiled} {
		if last := m.Parts[len(m.Parts)-1].String(); !strings.HasSuffix(last, w.Files.IsItSaid) || len(m.Rows) != 1 {
			t.Errorf("%s: %.99q, %d rows of buttons", what, last, len(m.Rows))
		}
	}
}
