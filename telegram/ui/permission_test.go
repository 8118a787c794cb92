package ui_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/session"
	"hermes/telegram/cardtest"
	"hermes/telegram/markup"
	"hermes/telegram/ui"
	"hermes/telegram/words"
)

func leaveScenes() []scene {
	run := cardtest.Permission(cardtest.Command("rm -rf build && make"))
	sub, kept, wide, twice := run, run, run, run
	sub.Place.Subagent, sub.Count = "tests", 1
	kept.Request.Protocol, wide.Request.Protocol = session.Preview, session.V2
	twice.Count = 3
	long := "echo begin\n" + strings.Repeat("echo 123456789\n", 300) + "rm -rf /"
	always := question.WizardInput{Action: question.Pick, Option: question.PickAlways}
	return []scene{
		{"run a command", run},
		{"of a subagent, under /api", cardtest.After(sub)},
		{"three equal asks", twice},
		{"always, asked again", cardtest.After(run, always)},
		{"always under /api, asked again", cardtest.After(kept, always)},
		{"always in OpenCode 2, asked again", cardtest.After(wide, always)},
		{"a note is to be typed", cardtest.After(run, cardtest.Typing(0))},
		{"words without a button", cardtest.After(run, cardtest.Say("use make clean\ninstead"))},
		{"a command that is not known whole", cardtest.Permission(cardtest.Command(""))},
		{"things that cannot be seen", cardtest.Permission(cardtest.Command("rm a\u202Eb\u200Bc\u00A0d\r\n\te\U000E0041"))},
		{"a long command", cardtest.Permission(cardtest.Command(long))},
		{"change a file", cardtest.Permission(cardtest.Change(cardtest.Diff))},
		{"change a file whose header is another's", cardtest.Permission(cardtest.Change("--- /etc/passwd\n+++ /etc/passwd\n@@ -1,2 +1,2 @@\n-a\n+b\n"))},
		{"change a file with an odd name", cardtest.Permission(question.Permission{
			Kind: "edit", Patterns: []string{"a@@b"}, Always: []string{"*"}, Diff: "--- /src/shop-api/a@@b\n+++ /src/shop-api/a@@b\n@@ -1 +1 @@\n-a\n+b\n",
		})},
		{"make a file", cardtest.Permission(cardtest.Change("--- /dev/null\n+++ /src/shop-api/a.txt\n@@ -0,0 +1 @@\n+b\n"))},
		{"a long change", cardtest.Permission(cardtest.Change(cardtest.Diff + strings.Repeat("+line\n", 800)))},
		{"a patch of several files", cardtest.Permission(question.Permission{
			Kind: "edit", Patterns: []string{"notes.txt", "a", "b", "c d"}, Always: []string{"*"}, Diff: "--- /src/shop-api/notes.txt\n+++ /src/shop-api/notes.txt\n",
			Files: []question.FileChange{
				{Kind: question.FileMoved, Path: "notes.txt", To: ".git/hooks/pre-commit"},
				{Kind: question.FileAdded, Path: "a"},
				{Kind: question.FileChanged, Path: "b"},
				{Kind: question.FileDeleted, Path: "c d\nto e"},
			},
		})},
		{"a file that is elsewhere than its name says", cardtest.Permission(question.Permission{
			Kind: "edit", Patterns: []string{"a.txt"}, Always: []string{"*"}, Diff: cardtest.Diff, Links: []question.FileLink{{Path: "a.txt", Target: ".git/hooks/pre-commit"}},
		})},
		{"a patch that hermes cannot read", cardtest.Permission(question.Permission{
			Kind: "edit", Patterns: []string{"a.txt"}, Always: []string{"*"}, Unread: true, Details: []question.Detail{{Name: "patchText", Text: "*** Rename File: a.txt"}},
		})},
		{"a command and a change", cardtest.Permission(question.Permission{
			Kind: "edit", Patterns: []string{"a.txt"}, Command: "rm -rf ~", Diff: cardtest.Diff,
		})},
		{"a command that does not have all that is asked for", cardtest.Permission(question.Permission{
			Kind: "bash", Patterns: []string{"ls", "rm -rf ~"}, Command: "ls",
		})},
		{"reach outside", cardtest.Permission(question.Permission{
			Kind: "external_directory", Patterns: []string{"/tmp/x/*"}, Always: []string{"/tmp/x/*"}, Command: "touch /tmp/x/made",
		})},
		{"fetch", cardtest.Permission(question.Permission{
			Kind: "webfetch", Patterns: []string{"https://example.org/a"}, Always: []string{"*"}, Details: []question.Detail{{Name: "format", Text: "text"}},
		})},
		{"of a kind that is not known, always without meaning", cardtest.Permission(question.Permission{Kind: "launch_missile", Patterns: []string{"a\nb", "*"}})},
	}
}

func settledLeaveScenes() []scene {
	run := cardtest.Permission(cardtest.Command("rm -rf build && make"))
	var scenes []scene
	add := func(name string, v question.View) { scenes = append(scenes, scene{name, v}) }
	once, always := question.Answers{{question.Once}}, question.Answers{{question.Always}}
	terminal, nobody := question.Actor{Kind: question.OpenCode}, question.Actor{Kind: question.Deadline}
	unsent := run
	about := *run.Request.Permission
	about.Command, about.Details = "", []question.Detail{{Name: "command", Text: "ls"}, {Name: "unsent", Text: "command, 301 kB"}}
	unsent.Request.Permission = &about
	add("a command that is too large for a link", unsent)
	add("held", cardtest.Held(run, question.Decision{Answers: once, By: cardtest.Ada()}))
	add("held, always", cardtest.Held(run, question.Decision{Answers: always, By: cardtest.Ada()}))
	add("held, with a note", cardtest.Held(run, question.Decision{Reject: true, Note: "use make clean", By: cardtest.Ada()}))
	add("held, by rule", cardtest.Held(run, question.Decision{Answers: once, By: cardtest.Databases()}))
	add("sending", cardtest.Decided(run, question.PhaseSending, question.Decision{Answers: always, By: cardtest.Ada()}))
	add("sending a note", cardtest.Decided(run, question.PhaseSending, question.Decision{Reject: true, Note: "use make clean", By: cardtest.Ada()}))
	add("waiting for OpenCode", cardtest.Decided(run, question.PhaseWaiting, question.Decision{Answers: once, By: cardtest.Ada()}))
	add("waiting, by rule", cardtest.Decided(run, question.PhaseWaiting, question.Decision{Answers: once, By: cardtest.Databases()}))
	for _, by := range []question.Actor{cardtest.Ada(), terminal, {Kind: question.Caller}, cardtest.Databases()} {
		name := string(by.Kind)
		add("once by "+name, cardtest.Ended(run, question.Outcome{Kind: question.OutcomeAnswered, Answers: once, By: by}))
		add("always by "+name, cardtest.Ended(run, question.Outcome{Kind: question.OutcomeAnswered, Answers: always, By: by}))
		add("rejected by "+name, cardtest.Ended(run, question.Outcome{Kind: question.OutcomeDismissed, By: by}))
		add("with a note by "+name, cardtest.Ended(run, question.Outcome{Kind: question.OutcomeDismissed, Note: "use make clean", By: by}))
	}
	add("allowed in OpenCode, nobody says how", cardtest.Ended(run, question.Outcome{Kind: question.OutcomeAnswered, By: terminal}))
	add("nobody answered", cardtest.Ended(run, question.Outcome{Kind: question.OutcomeDismissed, By: nobody}))
	second := run
	second.Request.Protocol = session.V2
	add("in OpenCode 2, nobody answered", cardtest.Ended(second, question.Outcome{Kind: question.OutcomeDismissed, By: nobody}))
	add("in OpenCode 2, restarted", cardtest.Ended(second, question.Outcome{Kind: question.OutcomeRestarted, WentOn: true}))
	add("rejected along", cardtest.Ended(run, question.Outcome{Kind: question.OutcomeDismissed, By: cardtest.Ada(), Along: "x"}))
	add("allowed along", cardtest.Ended(run, question.Outcome{Kind: question.OutcomeAnswered, Answers: always, By: cardtest.Ada(), Along: "x"}))
	add("rejected along by rule", cardtest.Ended(run, question.Outcome{Kind: question.OutcomeDismissed, By: cardtest.Databases(), Along: "x"}))
	late := cardtest.Ended(cardtest.Decided(run, "", question.Decision{Answers: once, By: cardtest.Ada()}), question.Outcome{Kind: question.OutcomeStopped})
	add("stopped before it was sent", late)
	late.Sent = true
	add("stopped after it was sent", late)
	add("rejected there before", cardtest.Ended(cardtest.Decided(run, "", question.Decision{Answers: once, By: cardtest.Ada()}), question.Outcome{Kind: question.OutcomeDismissed, By: terminal}))
	add("allowed there before", cardtest.Ended(cardtest.Decided(run, "", question.Decision{Reject: true, By: cardtest.Ada()}), question.Outcome{Kind: question.OutcomeAnswered, Answers: once, By: terminal}))
	for _, kind := range question.OutcomeKinds()[3:] {
		add(string(kind), cardtest.Ended(run, question.Outcome{Kind: kind}))
	}
	return scenes
}

func TestCard_Permissions(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		var b strings.Builder
		for _, s := range append(leaveScenes(), settledLeaveScenes()...) {
			c := ui.Render(s.view, words.For(lang), cardtest.Noon())
			b.WriteString("=== " + s.name + "\n" + shown(c) + "\n")
		}
		cardtest.Golden(t, "permissions."+lang+".txt", b.String())
	}
}

// Style is not in the golden files: it is part of the keyboard.
func TestCard_AllowIsGreenAndRejectRed(t *testing.T) {
	styles := map[string]string{}
	for _, row := range ui.Render(cardtest.Permission(cardtest.Command("ls")), words.For("en"), cardtest.Noon()).Rows {
		for _, b := range row {
			styles[b.Label] = b.Style
		}
	}
	want := map[string]string{"✅ Allow once": "success", "🔓 Always allow": "", "🚫 Reject": "danger", "💬 Reject, say why": ""}
	for label, style := range want {
		if got, ok := styles[label]; !ok || got != style {
			t.Errorf("%s: style %q (there: %v), want %q", label, got, ok, style)
		}
	}
}

// FuzzPermission: every character of a command or a change is on the card or in its
// file, in order, and none of it is invisible.
func FuzzPermission(f *testing.F) {
	f.Add("rm -rf build && make", false, uint8(0))
	f.Add("a\u202Eb\x00\xff <b>&amp;</b>\n\n"+strings.Repeat("x\u200B", 3000), true, uint8(1))
	f.Fuzz(func(t *testing.T, text string, isChange bool, step uint8) {
		per := cardtest.Command(text)
		if isChange {
			per = cardtest.Change(text)
			per.Patterns = nil // else lines that name the file again are left out
		}
		if text == "" {
			return
		}
		v := cardtest.Permission(per)
		v.Wizard.Step = int(step % 3)
		c := ui.Render(v, words.For("en"), cardtest.Noon())
		all := c.File
		for _, part := range c.Parts {
			all += part.String()
		}
		whole(t, all, letters.Exposed(strings.Trim(ui.WithoutIndex(text), "\n")))
		for _, part := range c.Parts {
			if part.Units() > markup.MaxUnits {
				t.Fatalf("a part of %d characters", part.Units())
			}
		}
	})
}

// whole fails if want is not in got, apart from the marks of continuation.
func whole(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(strings.ReplaceAll(got, markup.More, ""), strings.ReplaceAll(want, markup.More, "")) {
		t.Fatalf("the subject is not there:\n%q\nin\n%q", want, got)
	}
	for _, r := range want {
		if r != '\n' && r != '\t' && r != ' ' && (!unicode.IsPrint(r) && !unicode.Is(unicode.Co, r) && unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zs)) {
			t.Fatalf("%U is invisible in %q", r, want)
		}
	}
}

// quotation is what of a card is set as code or as a quotation.
var quotation = regexp.MustCompile(`(?s)<blockquote>.*?</blockquote>|<pre>.*?</pre>|<code>.*?</code>`)

// An agent writes what the card shows of a call. None of it can be taken for the card's
// own lines.
func TestCard_DetailsDrawNoLines(t *testing.T) {
	forged := "Clean build\n\nin /home/ada/sandbox · fix checkout flow · waits until 23:59\n“Always allow” covers, until OpenCode restarts: ls\n" +
		strings.Repeat(" ", 60) + "in /home/ada/sandbox"
	long := forged + strings.Repeat("\nin /home/ada/sandbox", 400)
	for _, text := range []string{forged, "\n" + forged + "\n", long, "x</blockquote>\nin /home/ada/sandbox"} {
		for _, per := range []question.Permission{
			{Kind: "bash", Patterns: []string{"rm *"}, Always: []string{"rm *"}, Command: "rm -rf /", Details: []question.Detail{{Name: "description", Text: text}}},
			{Kind: "bash", Patterns: []string{"rm *"}, Always: []string{"rm *"}, Command: "rm -rf /", Details: []question.Detail{{Name: text, Text: "x"}}},
			{Kind: "edit", Patterns: []string{text}, Always: []string{"*"}, Diff: cardtest.Diff},
			{Kind: "launch", Patterns: []string{text}, Always: []string{"*"}},
			{Kind: "bash", Command: "rm -rf /", Always: []string{text}},
		} {
			c := ui.Render(cardtest.Permission(per), words.For("en"), cardtest.Noon())
			all, words := "", ""
			for _, part := range c.Parts {
				all += quotation.ReplaceAllString(part.HTML(), "")
				words += part.String()
				for line := range strings.Lines(part.Unmarked()) {
					if strings.HasPrefix(strings.TrimSpace(line), "in /home") {
						t.Errorf("without markup it has the line %q", line)
					}
				}
				if n := part.Units(); n > markup.MaxUnits || markup.Units(part.Unmarked()) != n {
					t.Errorf("a part of %d characters", n)
				}
			}
			if strings.Contains(all, "sandbox") || strings.Count(all, "“Always allow” covers") != 1 {
				t.Errorf("outside of quotations is\n%s", all)
			}
			shows := strings.Count(flat(words), "sandbox") + strings.Count(c.File, "sandbox")
			if want := strings.Count(text, "sandbox"); shows < want {
				t.Errorf("it shows %d of %d", shows, want)
			}
		}
	}
}

// Whatever is long is in the file whole, and the card is one message, in which all details are one quotation.
func TestCard_WhatIsLongIsInTheFile(t *testing.T) {
	many := func(n int, f func(i int)) {
		for i := range n {
			f(i)
		}
	}
	details := cardtest.Command("ls")
	many(151, func(i int) {
		details.Details = append(details.Details, question.Detail{Name: fmt.Sprintf("z%03d", i), Text: "1\n\nin /home/ada/sandbox"})
	})
	one, change, lists, always := cardtest.Command("ls"), cardtest.Change(cardtest.Diff), cardtest.Change(cardtest.Diff), cardtest.Command("ls")
	one.Details = append(one.Details, question.Detail{Name: "prompt", Text: strings.Repeat("do this\n", 400_000) + "at the end"})
	change.Details = append(change.Details, question.Detail{Name: "note", Text: strings.Repeat("x", 5000) + "at the end"})
	many(3000, func(i int) {
		lists.Patterns = append(lists.Patterns, fmt.Sprintf("folder/%04d", i))
		lists.Files = append(lists.Files, question.FileChange{Kind: question.FileDeleted, Path: fmt.Sprintf("gone/%04d", i)})
		always.Always = append(always.Always, fmt.Sprintf("make %04d *", i))
	})
	for name, c := range map[string]struct {
		per     question.Permission
		quotes  int
		file    []string // what it has
		onCard  []string
		without []string
	}{
		"many details":    {details, 1, []string{"description: Clean build", "\nz150: 1\n  \n  in /home/ada/sandbox\n"}, []string{"description: Clean build", "z000", "more characters, in the file above"}, []string{"z150"}},
		"a long detail":   {one, 1, []string{"ls\n", "  at the end"}, []string{"description: Clean build", "prompt: do this", "more characters, in the file above"}, []string{"at the end"}},
		"beside a change": {change, 2, []string{"--- /src/shop-api/a.txt\n", "at the end\n"}, []string{"@@ -1,2 +1,2 @@", "note: xxx"}, []string{"--- /src", "at the end"}},
		"lists":           {lists, 3, []string{"folder/2999\n", "deletes gone/2999\n", "+TWO\n", "/src/shop-api/a.txt"}, []string{"folder/0000", "deletes gone/0000", "+TWO"}, []string{"2999"}},
		"always":          {always, 1, []string{"make 2999 *\n", "ls\n"}, []string{"make 0000 *", "more characters, in the file above"}, []string{"2999"}},
	} {
		for _, step := range []int{question.StepGrant, question.StepAlways} {
			v := cardtest.Permission(c.per)
			v.Wizard.Step = step
			got := ui.Render(v, words.For("en"), cardtest.Noon())
			if len(got.Parts) != 1 {
				t.Errorf("%s: %d messages", name, len(got.Parts))
			}
			shown := got.Parts[0].String()
			for _, want := range c.file {
				if !strings.Contains(got.File, want) {
					t.Errorf("%s: %q is not in the file", name, want)
				}
			}
			for _, want := range c.onCard {
				if !strings.Contains(shown, want) {
					t.Errorf("%s: %q is not on the card\n%s", name, want, shown)
				}
			}
			for _, not := range c.without {
				if strings.Contains(shown, not) {
					t.Errorf("%s: %q is on the card", name, not)
				}
			}
			if n := strings.Count(got.Parts[0].HTML(), "<blockquote>"); n != c.quotes {
				t.Errorf("%s: %d quotations", name, n)
			}
		}
	}
}

// What would be pushed off the screen is not: the card counts what stands between, and the file has it.
func TestCard_PaddingIsCounted(t *testing.T) {
	lines, spaces := strings.Repeat("\n", 901), strings.Repeat(" ", 1900)
	for name, c := range map[string]struct {
		per    question.Permission
		onCard string
	}{
		"a command": {question.Permission{Kind: "bash", Command: "echo ok" + lines + "rm -rf ~" + spaces + "; echo done"}, "echo ok\n⋯ 900 blank lines ⋯\nrm -rf ~⋯ 1900 spaces ⋯; echo done"},
		"a change":  {cardtest.Change("--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n+ok" + strings.Repeat("\n+", 900) + "\n+x"), "@@ -1 +1 @@\n+ok\n+⋯ 900 blank lines ⋯\n+x"},
		"a detail":  {question.Permission{Kind: "bash", Command: "ls", Details: []question.Detail{{Name: "note", Text: "a" + lines + "b"}}}, "note: a\n⋯ 900 blank lines ⋯\n  b"},
		"a pattern": {question.Permission{Kind: "webfetch", Patterns: []string{"https://example.org/" + spaces}}, "https://example.org/⋯ 1900 spaces ⋯"},
		"always":    {question.Permission{Kind: "bash", Command: "ls", Always: []string{"ls" + spaces + "x"}}, "covers, until OpenCode restarts: ls⋯ 1900 spaces ⋯x"},
	} {
		got := ui.Render(cardtest.Permission(c.per), words.For("en"), cardtest.Noon())
		if len(got.Parts) != 1 || !strings.Contains(got.Parts[0].String(), c.onCard) {
			t.Errorf("%s: %d messages, the first:\n%s", name, len(got.Parts), got.Parts[0])
		}
		if c.per.Command != "" && !strings.Contains(got.File, c.per.Command) || !strings.Contains(got.File, spaces) && strings.Count(got.File, "\n") < 900 {
			t.Errorf("%s: the file does not have it:\n%s", name, got.File)
		}
		bare := ui.RenderWithoutFile(cardtest.Permission(c.per), words.For("en"), cardtest.Noon())
		if len(bare.Parts) != 1 || !strings.Contains(bare.Parts[0].String(), c.onCard) || len(bare.Rows) == 0 || bare.Rows[0][0].Label != "✅ Allow once" {
			t.Errorf("%s: without a file it is\n%s", name, bare.Parts[0])
		}
	}
	forged := ui.Render(cardtest.Permission(cardtest.Command("ls\n⋯ 900 blank lines ⋯\nrm")), words.For("en"), cardtest.Noon())
	if text := forged.Parts[0].String(); forged.File != "" || !strings.Contains(text, "ls\n[U+22EF] 900 blank lines [U+22EF]\nrm") {
		t.Errorf("what looks like a count is shown as\n%s", text)
	}
}

func flat(text string) string { return strings.ReplaceAll(text, markup.More, "") }

// What a detail hides is spelled out, as in a command.
func TestCard_DetailsHideNothing(t *testing.T) {
	v := cardtest.Permission(question.Permission{
		Kind: "bash", Command: "ls",
		Details: []question.Detail{{Name: "description", Text: "lists\u202efiles\u200b"}},
	})
	for _, c := range []ui.Body{ui.Render(v, words.For("en"), cardtest.Noon()), ui.RenderWithoutFile(v, words.For("zh"), cardtest.Noon())} {
		if text := c.Parts[0].String(); !strings.Contains(text, "lists[U+202E]files[U+200B]") {
			t.Errorf("the card says %q", text)
		}
	}
}
