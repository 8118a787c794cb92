package patch_test

import (
	"fmt"
	"strings"
	"testing"

	"hermes/internal/patch"
)

// shown is what is known of files, a head and the hunks of each.
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
		b.WriteString("\n" + f.Hunks)
	}
	return b.String()
}

func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

// numbered is unchanged lines.
func numbered(from, to int) (list []string) {
	for n := from; n <= to; n++ {
		list = append(list, fmt.Sprint(" line ", n))
	}
	return list
}

func TestFiles(t *testing.T) {
	whole := append(append(append([]string{"Index: a.txt", "=======", "--- a.txt\t2026-11-22", "+++ a.txt\t2026-11-22", "@@ -1,40 +1,41 @@ func x()"}, numbered(1, 9)...), "-line 10", "+LINE 10"),
		append(append(numbered(11, 20), "+more"), numbered(21, 40)...)...)
	for name, c := range map[string]struct {
		diff, want string
	}{
		"nothing": {"", ""},
		"the whole file around two changes": {lines(whole...), lines(
			"a.txt +2 -1", "@@ -7,7 +7,7 @@ func x()", " line 7", " line 8", " line 9", "-line 10", "+LINE 10", " line 11", " line 12", " line 13",
			"@@ -18,6 +18,7 @@ func x()", " line 18", " line 19", " line 20", "+more", " line 21", " line 22", " line 23",
		)},
		"two changes that are close": {lines("--- a", "+++ a", "@@ -1,8 +1,8 @@", "-a", "+b", " 1", " 2", " 3", " 4", " 5", " 6", "-c", "+d"), lines(
			"a +2 -2", "@@ -1,8 +1,8 @@", "-a", "+b", " 1", " 2", " 3", " 4", " 5", " 6", "-c", "+d",
		)},
		"two changes that are one line too far": {lines("--- a", "+++ a", "@@ -1,9 +1,9 @@", "-a", "+b", " 1", " 2", " 3", " 4", " 5", " 6", " 7", "-c", "+d"), lines(
			"a +2 -2", "@@ -1,4 +1,4 @@", "-a", "+b", " 1", " 2", " 3", "@@ -6,4 +6,4 @@", " 5", " 6", " 7", "-c", "+d",
		)},
		"one line": {lines("--- note.txt", "+++ note.txt", "@@ -1 +1 @@", "-a", "+b"), lines("note.txt +1 -1", "@@ -1 +1 @@", "-a", "+b")},
		"no newline at the end, before and after": {
			lines("--- a", "+++ a", "@@ -1,2 +1,2 @@", " x", "-a", `\ No newline at end of file`, "+b", `\ No newline at end of file`),
			lines("a +1 -1", "@@ -1,2 +1,2 @@", " x", "-a", `\ No newline at end of file`, "+b", `\ No newline at end of file`),
		},
		"no newline at an end that is far": {
			lines("--- a", "+++ a", "@@ -1,6 +1,6 @@", "-a", "+b", " 1", " 2", " 3", " 4", " 5", `\ No newline at end of file`),
			lines("a +1 -1", "@@ -1,4 +1,4 @@", "-a", "+b", " 1", " 2", " 3"),
		},
		"carriage returns": {
			lines("--- a\r", "+++ a\r", "@@ -1,2 +1,2 @@\r", " x\r", "-a\r", "+b\r"), lines("a +1 -1", "@@ -1,2 +1,2 @@", " x\r", "-a\r", "+b\r"),
		},
		"empty lines without their space": {
			lines("--- a", "+++ a", "@@ -1,3 +1,3 @@", "", "-a", "+b", ""), lines("a +1 -1", "@@ -1,3 +1,3 @@", "", "-a", "+b", ""),
		},
		"lines that look like names": {
			lines("--- a", "+++ a", "@@ -1,2 +1,2 @@", "--- old", "+++ new", " x", "--- b", "+++ b", "@@ -1 +1 @@", "-1", "+2"),
			lines("a +1 -1", "@@ -1,2 +1,2 @@", "--- old", "+++ new", " x", "b +1 -1", "@@ -1 +1 @@", "-1", "+2"),
		},
		"a new and a deleted file of OpenCode": {
			lines("--- a", "+++ a", "@@ -0,0 +1,2 @@", "+1", "+2", "--- b", "+++ b", "@@ -1 +0,0 @@", "-1"),
			lines("a +2 -0 new", "@@ -0,0 +1,2 @@", "+1", "+2", "b +0 -1 deleted", "@@ -1 +0,0 @@", "-1"),
		},
		"a new and a deleted file of git": {
			lines("diff --git a/x b/x", "new file mode 100644", "index 0000000..1", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+1",
				"diff --git a/y b/y", "deleted file mode 100644", "--- a/y", "+++ /dev/null", "@@ -1 +0,0 @@", "-1"),
			lines("x +1 -0 new", "@@ -0,0 +1 @@", "+1", "y +0 -1 deleted", "@@ -1 +0,0 @@", "-1"),
		},
		"a new file of git that is empty": {lines("diff --git a/x b/x", "new file mode 100644", "index 0000000..e69de29"), "x +0 -0 new\n"},
		"renamed": {
			lines("diff --git a/old name b/new name", "similarity index 100%", "rename from old name", "rename to new name"), "new name +0 -0 was old name\n",
		},
		"renamed and changed": {
			lines("diff --git a/o b/n", "similarity index 90%", "rename from o", "rename to n", "--- a/o", "+++ b/n", "@@ -1 +1 @@", "-1", "+2"),
			lines("n +1 -1 was o", "@@ -1 +1 @@", "-1", "+2"),
		},
		"binary": {
			lines("diff --git a/p.png b/p.png", "index 1..2 100644", "Binary files a/p.png and b/p.png differ", "diff --git a/q b/q", "GIT binary patch", "literal 3", "Kc${Nk"),
			lines("p.png +0 -0 binary", "q +0 -0 binary"),
		},
		"another mode":                 {lines("diff --git a/x b/x", "old mode 100644", "new mode 100755"), "x +0 -0\n"},
		"a quoted name":                {lines(`diff --git "a/\303\244.txt" "b/\303\244.txt"`, `--- "a/\303\244.txt"`, `+++ "b/\303\244.txt"`, "@@ -1 +1 @@", "-1", "+2"), lines("ä.txt +1 -1", "@@ -1 +1 @@", "-1", "+2")},
		"a directory that is called b": {lines("--- b/x", "+++ b/x", "@@ -1 +1 @@", "-1", "+2"), lines("b/x +1 -1", "@@ -1 +1 @@", "-1", "+2")},
		"no diff":                      {"something else\n", " +0 -0\nsomething else\n"},
		"a head that is none":          {lines("--- a", "+++ a", "@@ what @@", "+x"), lines("a +0 -0", "@@ what @@", "+x")},
		"a hunk that is cut":           {lines("--- a", "+++ a", "@@ -1,50 +1,50 @@", " 1", "-2", "+3"), lines("a +1 -1", "@@ -1,2 +1,2 @@", " 1", "-2", "+3")},
		"lines behind a hunk":          {lines("--- a", "+++ a", "@@ -1 +1 @@", "-2", "+3", "+4"), lines("a +1 -1", "@@ -1 +1 @@", "-2", "+3", "+4")},
	} {
		if got := shown(patch.Files(c.diff, 3)); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}

func TestFiles_Huge(t *testing.T) {
	var b strings.Builder
	b.WriteString("--- a\n+++ a\n@@ -1,300000 +1,300000 @@\n")
	for n := range 300_000 {
		if n == 150_000 {
			b.WriteString("-x\n+y\n")
			continue
		}
		b.WriteString(" unchanged\n")
	}
	files := patch.Files(b.String(), 3)
	if len(files) != 1 || !strings.HasPrefix(files[0].Hunks, "@@ -149998,7 +149998,7 @@\n") || strings.Count(files[0].Hunks, "\n") != 9 {
		t.Errorf("got %d files, %.200s", len(files), files[0].Hunks)
	}
}

func TestFile_TagIsOfItsName(t *testing.T) {
	a, b := patch.File{Name: "a", Added: 1}, patch.File{Name: "b"}
	if a.Tag() != (patch.File{Name: "a"}).Tag() || a.Tag() == b.Tag() || len(a.Tag()) != 8 {
		t.Errorf("%q, %q", a.Tag(), b.Tag())
	}
}

// Whatever a diff is, no line of it that was added or removed is left out of the short form, and the parts are the diff.
func FuzzFiles(f *testing.F) {
	f.Add("--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n-a\n+b\n")
	f.Add("diff --git a/x b/x\nBinary files differ\n")
	f.Fuzz(func(t *testing.T, diff string) {
		files, whole, short := patch.Files(diff, 3), "", ""
		for _, file := range files {
			whole, short = whole+file.Whole, short+file.Hunks
			n := 0
			for _, line := range strings.Split(file.Hunks, "\n") {
				if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
					n++
				}
			}
			if n < file.Added+file.Removed {
				t.Fatalf("%d of %d changed lines in\n%s", n, file.Added+file.Removed, file.Hunks)
			}
		}
		if len(short) > 2*len(diff)+100 || len(whole) > len(diff)+1 {
			t.Fatalf("%d bytes became %d and %d", len(diff), len(whole), len(short))
		}
	})
}
