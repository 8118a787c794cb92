package page_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var entryForm = regexp.MustCompile(`"((?:[^"\\]|\\.)*)": "((?:[^"\\]|\\.)*)"`)

// entries are the Chinese words, by the English ones.
func entries(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, m := range entryForm.FindAllStringSubmatch(readStatic(t, "words.js"), -1) {
		if all[m[1]] != "" {
			t.Errorf("%q is there twice", m[1])
		}
		all[m[1]] = m[2]
	}
	return all
}

func readStatic(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("static/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the page and its scripts say has words in Chinese.
func TestWords_AreComplete(t *testing.T) {
	all := entries(t)
	for file, form := range map[string]string{
		"page.html": `data-t(?:-label|-placeholder)?="([^"]+)"`,
		"page.js":   `\bt\("([^"]+)"|"data-t(?:-label|-placeholder)?": "([^"]+)"`,
		"phone.js":  `\bt\("([^"]+)"|"data-t(?:-label|-placeholder)?": "([^"]+)"`,
		"tour.js":   `\bt\((?:step\.asked \? )?"([^"]+)"(?: : "([^"]+)")?`,
		"dom.js":    `\bt\("([^"]+)"`,
	} {
		found := 0
		for _, m := range regexp.MustCompile(form).FindAllStringSubmatch(readStatic(t, file), -1) {
			for _, text := range m[1:] {
				if text == "" {
					continue
				}
				if found++; all[text] == "" {
					t.Errorf("%s says %q, which words.js does not have", file, text)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s says nothing that was found", file)
		}
	}
}

// The Chinese is set as Chinese is: full-width punctuation, no spaces around it, the same blanks.
func TestWords_AreSetAsChinese(t *testing.T) {
	wrong := regexp.MustCompile(`\p{Han} ?[,.:;?!()] ?|[,:;?!()]\p{Han}|\p{Han} \p{Han}|[，。：；？！、“”（）] | [，。：；？！、“”（）]`)
	blank := regexp.MustCompile(`\{\d\}`)
	for english, chinese := range entries(t) {
		if english != "{0}" && !regexp.MustCompile(`\p{Han}`).MatchString(chinese) {
			t.Errorf("%q has no Chinese: %q", english, chinese)
		}
		if m := wrong.FindString(chinese); m != "" {
			t.Errorf("%q is set like English: %q", chinese, m)
		}
		for _, b := range blank.FindAllString(english, -1) {
			if !strings.Contains(chinese, b) {
				t.Errorf("%q lacks %s", chinese, b)
			}
		}
	}
}
