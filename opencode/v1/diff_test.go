package v1

import "testing"

func TestDiff_PatchOf(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"one\ntwo\n", "one\nTWO\nthree\n", "@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+three\n"},
		{"", "new\n", "@@ -0,0 +1,1 @@\n+new\n"},
		{"old\n", "", "@@ -1,1 +0,0 @@\n-old\n"},
		{"a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nE\nf\ng\nh\ni\n", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"},
		{"x\nx\n", "x\nx\nx\n", "@@ -1,2 +1,3 @@\n x\n x\n+x\n"},
	} {
		got := unifiedDiff([]fileDiff{{File: "f.txt", Before: test.before, After: test.after}})
		if want := "--- f.txt\n+++ f.txt\n" + test.want; got != want {
			t.Errorf("%q to %q:\n%swant\n%s", test.before, test.after, got, want)
		}
	}
}

func TestDiff_UnifiedKeepsPatches(t *testing.T) {
	got := unifiedDiff([]fileDiff{{Patch: "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+1"}, {File: "b", After: "2"}})
	if want := "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+1\n--- b\n+++ b\n@@ -0,0 +1,1 @@\n+2\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
