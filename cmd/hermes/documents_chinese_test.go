package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asciiInChinese is punctuation of ASCII directly behind a Chinese character, where Chinese has its
// own; spacedChinese a blank between two Chinese characters.
var (
	asciiInChinese = regexp.MustCompile(`\p{Han}[,;:?!()]`)
	spacedChinese  = regexp.MustCompile(`\p{Han} +\p{Han}`)
	han            = regexp.MustCompile(`\p{Han}`)
)

// README.zh.md is README.md in Chinese: it has the same sections, commands, links, tables and
// code, and its own punctuation.
func TestDocuments_ChineseReadme(t *testing.T) {
	english := parseDocument(t, "README.md", readFile(t, "README.md"))
	chinese := parseDocument(t, "README.zh.md", readFile(t, "README.zh.md"))
	if got, want := levels(chinese), levels(english); !slices.Equal(got, want) {
		t.Errorf("its headings are of the levels %v, README.md's %v", got, want)
	}
	for i, title := range chinese.headings() {
		if i > 0 && !han.MatchString(title) {
			t.Errorf("the heading %q is not Chinese", title)
		}
	}
	same(t, "blocks", commandsOf(chinese), commandsOf(english))
	same(t, "links", targets(chinese), targets(english))
	same(t, "code", distinct(chinese.spans()), distinct(english.spans()))
	if got, want := strings.Count(chinese.prose, "\n|"), strings.Count(english.prose, "\n|"); got != want {
		t.Errorf("its tables have %d rows, README.md's %d", got, want)
	}
	version := regexp.MustCompile(`\d+\.\d+\.\d+`)
	same(t, "versions", distinct(version.FindAllString(chinese.prose, -1)), distinct(version.FindAllString(english.prose, -1)))
	prose := codeSpan.ReplaceAllString(chinese.prose, "x")
	prose = pageLink.ReplaceAllString(prose, "]")
	for line := range strings.Lines(prose) {
		if found := asciiInChinese.FindString(line) + spacedChinese.FindString(line); found != "" {
			t.Errorf("%q has %q, which is no Chinese punctuation", strings.TrimSpace(line), found)
		}
	}
}

// levels are how deep the headings are, in their order.
func levels(d document) (depths []int) {
	for _, line := range regexp.MustCompile(`(?m)^#+ `).FindAllString(d.prose, -1) {
		depths = append(depths, len(line)-1)
	}
	return depths
}

// commandsOf are the blocks of commands, line by line.
func commandsOf(d document) (lines []string) {
	for _, block := range d.blocks {
		if block.language == "sh" {
			lines = append(lines, block.lines...)
		}
	}
	return lines
}

// targets are where the links lead, without those to the other language and to sections.
func targets(d document) []string {
	var links []string
	for _, found := range pageLink.FindAllStringSubmatch(d.prose, -1) {
		if to := found[1]; !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "README") {
			links = append(links, to)
		}
	}
	return distinct(links)
}

// distinct are the elements in order, each once.
func distinct(list []string) []string {
	list = slices.Sorted(slices.Values(list))
	return slices.Compact(list)
}

func same(t *testing.T, what string, chinese, english []string) {
	t.Helper()
	for _, one := range english {
		if !slices.Contains(chinese, one) {
			t.Errorf("README.zh.md lacks %s of README.md: %s", what, one)
		}
	}
	for _, one := range chinese {
		if !slices.Contains(english, one) {
			t.Errorf("README.zh.md has %s that README.md has not: %s", what, one)
		}
	}
}
