package patch_test

import (
	"fmt"
	"strings"
	"testing"

	"hermes/internal/patch"
)

// shown is what is known of files, a line for each.
func shown(files []patch.File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s +%d -%d", f.Name, f.Added, f.Removed)
		if f.Was != "" {
			fmt.Fprintf(&b, " was %s", f.Was)
		}
		for word, is := range map[string]bool{" new": f.New, " deleted": f.Deleted, " binary": f.Binary} {
			if is {
				b.WriteString(word)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

func TestFiles(t *testing.T) {
	for name, c := range map[string]struct {
		diff, want string
	}{
		"nothing":                         {"", ""},
		"under its index":                 {lines("Index: a.txt", "=======", "--- a.txt\t2026-11-22", "+++ a.txt\t2026-11-22", "@@ -1,3 +1,4 @@ func x()", " 1", "-2", "+3", "+4", " 5"), "a.txt +2 -1\n"},
		"one line":                        {lines("--- note.txt", "+++ note.txt", "@@ -1 +1 @@", "-a", "+b"), "note.txt +1 -1\n"},
		"two hunks":                       {lines("--- a", "+++ a", "@@ -1 +1 @@", "-a", "+b", "@@ -9 +9 @@", "-c", "+d"), "a +2 -2\n"},
		"no newline at the end":           {lines("--- a", "+++ a", "@@ -1,2 +1,2 @@", " x", "-a", `\ No newline at end of file`, "+b", `\ No newline at end of file`), "a +1 -1\n"},
		"carriage returns":                {lines("--- a\r", "+++ a\r", "@@ -1,2 +1,2 @@\r", " x\r", "-a\r", "+b\r"), "a +1 -1\n"},
		"empty lines without their space": {lines("--- a", "+++ a", "@@ -1,3 +1,3 @@", "", "-a", "+b", ""), "a +1 -1\n"},
		"lines that look like names":      {lines("--- a", "+++ a", "@@ -1,2 +1,2 @@", "--- old", "+++ new", " x", "--- b", "+++ b", "@@ -1 +1 @@", "-1", "+2"), lines("a +1 -1", "b +1 -1")},
		"a new and a deleted file of OpenCode": {
			lines("--- a", "+++ a", "@@ -0,0 +1,2 @@", "+1", "+2", "--- b", "+++ b", "@@ -1 +0,0 @@", "-1"), lines("a +2 -0 new", "b +0 -1 deleted"),
		},
		"a new and a deleted file of git": {
			lines("diff --git a/x b/x", "new file mode 100644", "index 0000000..1", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+1",
				"diff --git a/y b/y", "deleted file mode 100644", "--- a/y", "+++ /dev/null", "@@ -1 +0,0 @@", "-1"),
			lines("x +1 -0 new", "y +0 -1 deleted"),
		},
		"a new file of git that is empty": {lines("diff --git a/x b/x", "new file mode 100644", "index 0000000..e69de29"), "x +0 -0 new\n"},
		"renamed":                         {lines("diff --git a/old name b/new name", "similarity index 100%", "rename from old name", "rename to new name"), "new name +0 -0 was old name\n"},
		"renamed and changed": {
			lines("diff --git a/o b/n", "similarity index 90%", "rename from o", "rename to n", "--- a/o", "+++ b/n", "@@ -1 +1 @@", "-1", "+2"), "n +1 -1 was o\n",
		},
		"binary": {
			lines("diff --git a/p.png b/p.png", "index 1..2 100644", "Binary files a/p.png and b/p.png differ", "diff --git a/q b/q", "GIT binary patch", "literal 1", "Ic${MZ000310RR91", "", "literal 0", "HcmV?d00001", ""),
			lines("p.png +0 -0 binary", "q +0 -0 binary"),
		},
		"another mode":                 {lines("diff --git a/x b/x", "old mode 100644", "new mode 100755"), "x +0 -0\n"},
		"a quoted name":                {lines(`diff --git "a/\303\244.txt" "b/\303\244.txt"`, `--- "a/\303\244.txt"`, `+++ "b/\303\244.txt"`, "@@ -1 +1 @@", "-1", "+2"), "ä.txt +1 -1\n"},
		"a directory that is called b": {lines("--- b/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2"), "b/x +1 -1\n"},
		"no diff":                      {"something else\n", ""},
		"a head that is none":          {lines("--- a", "+++ a", "@@ what @@", "+x"), ""},
		"a hunk that is cut":           {lines("--- a", "+++ a", "@@ -1,50 +1,50 @@", " 1", "-2", "+3"), ""},
		"lines behind a hunk":          {lines("--- a", "+++ a", "@@ -1 +1 @@", "-2", "+3", "+4"), "a +1 -1\n"},
	} {
		if got := shown(patch.Files(c.diff)); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}

// Whatever a diff is, no more lines are counted than it has.
func FuzzFiles(f *testing.F) {
	f.Add("--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n-a\n+b\n")
	f.Add("diff --git a/x b/x\nBinary files differ\n")
	f.Fuzz(func(t *testing.T, diff string) {
		n := 0
		for _, file := range patch.Files(diff) {
			n += file.Added + file.Removed
		}
		if n > strings.Count(diff, "\n")+1 {
			t.Fatalf("%d changed lines in\n%s", n, diff)
		}
	})
}
