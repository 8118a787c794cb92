package main

import (
	"testing"

	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
)

// Commands of each group differ by what Telegram drops, makes a space of, or does not show. On the phone
// no two of them look the same.
func TestLetters_NoTwoCommandsLookTheSame(t *testing.T) {
	for _, group := range [][]string{
		{"printf 'a b'", "printf 'a\tb'", "printf 'a␉b'", "printf 'a  b'", "printf 'a\u00A0b'", "printf 'a[U+00A0]b'", "printf 'a\x01b'"},
		{"rm x", "rm x\u0333", "rm x\u033F", "rm x\u030A", "rm x\u200B", "rm x[U+200B]", "rm x\uE000", "rm x\u0378", "rm x\u202E", "rm x\uFE0F"},
		{"echo a\nb", "echo a\r\nb", "echo a␤b", "echo a\u2028b"},
	} {
		rig.Play(t, nil, func(r *rig.Rig) {
			onPhone := map[string]string{}
			for _, command := range group {
				dir := r.Opencode.Directory()
				r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "fix checkout flow"), rig.BashPermission(command))
				r.Wait(5e9)
				text := r.Last().Text
				if other, ok := onPhone[text]; ok {
					t.Errorf("on the phone %q looks like %q:\n%s", command, other, text)
				}
				onPhone[text] = command
			}
		})
	}
}

// A change keeps its indentation on the phone.
func TestLetters_ChangeKeepsItsIndentation(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		dir := r.Opencode.Directory()
		r.Opencode.AskPermission(dir, r.Opencode.NewSession(dir, "fix checkout flow"), opencode.Permission{
			Permission: "edit", Patterns: []string{"a.go"}, Always: []string{"*"},
			Metadata: map[string]any{"filepath": "/src/a.go", "diff": "--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n func f() {\n-\tif x {\n+    if x {\n \t\treturn\n"},
		})
		r.Wait(5e9)
		r.WantScreen(" func f() {\n-␉   if x {\n+    if x {\n ␉   ␉   return")
	})
}

// What is read, and not judged, keeps its columns: Telegram makes one space of a tab.
func TestLetters_ReadTextKeepsItsColumns(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(opencode.Question{Question: "Which?\n\tfirst\n\t\tsecond\nx\u0333", Header: "Layout"})
		r.WantScreen("Which?\n    first\n        second\nx[U+0333]")
	})
}
