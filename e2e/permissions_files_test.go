//go:build e2e

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
)

// fileScenes play edits that change other files than those that OpenCode asks for.
func fileScenes() []scene {
	return []scene{
		{"a patch moves, adds and deletes", patched, quick},
		{"a file that is a link", throughLink, quick},
	}
}

// patch has the agent apply a patch. A terminal offers files where somebody types an @, and takes an ! for a command.
func patch(lines ...string) string {
	text := "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"
	return "TASK " + patcher + " " + strings.ReplaceAll(tool("apply_patch", map[string]string{"patchText": text}), "@", `\u0040`)
}

// write puts a file into the project, as people do.
func (w *window) write(name, content string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(content), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// link makes a symbolic link in the project.
func (w *window) link(name, target string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// patched: OpenCode asks for notes.txt alone, and its diff names nothing else.
func patched(d *desk) {
	d.here.write("notes.txt", "#!/bin/sh\nhello\n")
	d.here.write("empty.txt", "")
	d.here.ask("patch it", patch("*** Update File: notes.txt", "*** Move to: .git/hooks/pre-commit", "@@", "-hello", "+hallo",
		"*** Add File: docs/new.txt", "+new", "*** Delete File: empty.txt"))
	card := d.phone.cardWith("pre-commit")
	d.phone.reads(card, "🔐 Change a file · shop-api\nnotes.txt\ndocs/new.txt\nempty.txt\n"+
		"moves notes.txt to .git/hooks/pre-commit\nadds docs/new.txt\ndeletes empty.txt\n")
	d.phone.reads(card, "\n-hello\n+hallo\n")
	d.here.noFile(".git/hooks/pre-commit")
	d.phone.tap(card, "✅ Allow once")
	d.here.awaitFile(".git/hooks/pre-commit")
	d.here.awaitFile("docs/new.txt")
	d.phone.reads(card, "Allowed once by Ada")
	d.phone.reads(card, "moves notes.txt to .git/hooks/pre-commit\n")
	d.phone.ends[card] = settled(d.phone.message(card).Text)
}

// throughLink: the plugin, which is where the files are, says where a link leads.
func throughLink(d *desk) {
	d.here.link("docs/readme.md", "../.git/hooks/post-commit")
	d.here.ask("write the readme", tool("write", map[string]string{"filePath": d.here.path("docs/readme.md"), "content": "touch it\n"}))
	card := d.phone.cardWith("docs/readme.md")
	if d.way != direct {
		d.phone.reads(card, "\ndocs/readme.md → .git/hooks/post-commit\n")
	}
	d.here.noFile(".git/hooks/post-commit")
	d.phone.tap(card, "✅ Allow once")
	d.here.awaitFile(".git/hooks/post-commit")
	d.phone.reads(card, "Allowed once by Ada")
	d.phone.ends[card] = settled(d.phone.message(card).Text)
}
