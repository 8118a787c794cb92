// Package handbook has the documents of this version in the program: the pages in docs, but for that on the code, without pictures and
// without the decisions in docs/design.
package handbook

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// packed is an object of texts by their names in JSON, compressed. TestPages_AreCurrent makes it of the files in docs.
//
//go:embed pages.json.gz
var packed []byte

// Page is one document.
type Page struct {
	Name  string // of its file, without .md
	Title string // its first heading
	Text  string // Markdown
}

// Pages are all of them, sorted by name.
func Pages() []Page {
	var texts map[string]string
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil || json.NewDecoder(r).Decode(&texts) != nil {
		return nil // it is in the program, and a test reads it
	}
	var all []Page
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		all = append(all, Page{name, titleOf(texts[name]), texts[name]})
	}
	return all
}

func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// Hit is a part of a page in which words were found.
type Hit struct {
	Page    string // its name
	Heading string // above it
	Text    string // a paragraph, a row of a table or a line of code, as it is read
}

// Search finds what has all the words, in any case, or stands under a heading that has them with it. The best pages come first: those whose
// title or headings have a word.
func Search(pages []Page, words []string) []Hit {
	var named, others []Hit
	for _, p := range pages {
		hits := p.search(words)
		if hasAll(p.Title+" "+p.Name, words) {
			named = append(named, hits...)
			continue
		}
		others = append(others, hits...)
	}
	return append(named, others...)
}

func (p Page) search(words []string) (hits []Hit) {
	heading := ""
	for _, b := range blocksOf(p.Text) {
		if b.kind == headed {
			heading = plain(b.text)
			continue
		}
		for _, text := range b.parts() {
			if hasAll(heading+" "+text, words) && hasAny(text, words) {
				hits = append(hits, Hit{p.Name, heading, text})
			}
		}
	}
	return hits
}

func hasAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !contains(text, w) })
}

func hasAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return contains(text, w) })
}

func contains(text, word string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(word))
}
