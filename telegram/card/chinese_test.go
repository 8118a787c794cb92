package card_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the parts of Chinese cards are put together to has no spaces of English.
func TestCards_AreSetAsChinese(t *testing.T) {
	files, err := filepath.Glob("testdata/*.zh.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no Chinese cards: %v", err)
	}
	stray := regexp.MustCompile(`[\p{Han}”] [\p{Han}“]|[。，：；？！] [\p{L}\p{N}“"]`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if m := stray.FindString(line); m != "" {
				t.Errorf("%s: %q has %q", file, line, m)
			}
		}
	}
}
