package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"strings"
)

//go:embed static
var static embed.FS

var layout = template.Must(template.ParseFS(static, "static/layout.html"))

// entry is a line of the navigation.
type entry struct {
	Title, Address string
	Current        bool
}

// group is a part of the navigation.
type group struct {
	Name    string
	Entries []entry
}

func (s *site) navigation(from *page) []group {
	groups := []group{{Name: "Hermes"}, {Name: "Decisions"}, {Name: "The project"}}
	for _, name := range s.order {
		p, in := s.pages[name], 0
		switch {
		case strings.HasPrefix(name, "docs/design/"):
			in = 1
		case name != start && !strings.Contains(name, "/"):
			in = 2
		}
		groups[in].Entries = append(groups[in].Entries, entry{p.title, relative(s.place(from.name), s.place(name)), p == from})
	}
	return groups
}

// render is a page with all around it.
func (s *site) render(p *page) ([]byte, error) {
	body, err := p.body()
	if err != nil {
		return nil, err
	}
	lang := "en"
	if strings.HasSuffix(p.name, ".zh.md") {
		lang = "zh-CN"
	}
	var b bytes.Buffer
	err = layout.Execute(&b, map[string]any{
		"Lang": lang, "Title": p.title, "Root": strings.Repeat("../", strings.Count(s.place(p.name), "/")), "Groups": s.navigation(p),
		"Body": template.HTML(body), // of this repository's own documents
	})
	return b.Bytes(), err
}

// found is an entry of the search.
type found struct {
	Page    string `json:"page"`
	Heading string `json:"heading"`
	Address string `json:"address"`
	Text    string `json:"text"`
}

// writeStatic writes the style, the search and what it searches.
func (s *site) writeStatic(folder string) error {
	list := []found{}
	for _, name := range s.order {
		p := s.pages[name]
		for _, part := range p.parts {
			if part.Heading+part.Text == "" {
				continue
			}
			f := found{Page: p.title, Heading: part.Heading, Address: s.place(name), Text: strings.TrimSpace(part.Text)}
			if part.Anchor != "" {
				f.Address += "#" + part.Anchor
			}
			list = append(list, f)
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if err := writeFile(folder, "search-index.js", append(append([]byte("const searchIndex = "), text...), ";\n"...)); err != nil {
		return err
	}
	for _, name := range []string{"style.css", "search.js"} {
		text, err := fs.ReadFile(static, "static/"+name)
		if err != nil {
			return err
		}
		if err := writeFile(folder, name, text); err != nil {
			return err
		}
	}
	return nil
}
