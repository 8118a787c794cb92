package main

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// page is a document. Its HTML is taken as it is, as it is this repository's.
type page struct {
	name   string // its path in the repository
	title  string
	source []byte
	tree   ast.Node
	parts  []part
}

// part is what stands under a heading, for the search.
type part struct {
	Heading, Anchor, Text string
}

func markdown() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithUnsafe()))
}

func parse(name string, source []byte) *page {
	p := &page{name: name, source: source}
	p.tree = markdown().Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	p.parts = []part{{}}
	for n := p.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			anchor, _ := id.([]byte)
			p.parts = append(p.parts, part{Heading: p.textOf(n), Anchor: string(anchor)})
			if h.Level == 1 && p.title == "" {
				p.title = p.textOf(n)
			}
			continue
		}
		p.parts[len(p.parts)-1].Text += p.textOf(n) + " "
	}
	return p
}

// textOf is what people read of a part of the page.
func (p *page) textOf(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch t := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				b.Write(t.Value(p.source))
				if t.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock:
			if entering {
				for i := range t.Lines().Len() {
					line := t.Lines().At(i)
					b.Write(line.Value(p.source))
				}
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// targets are the files of the repository that the page leads to, in order.
func (p *page) targets() (all []string) {
	p.eachLink(func(l *ast.Link) {
		if to, _ := p.resolve(string(l.Destination)); to != "" {
			all = append(all, to)
		}
	})
	return all
}

func (p *page) eachLink(do func(*ast.Link)) {
	var links []*ast.Link
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			links = append(links, l)
		}
		return ast.WalkContinue, nil
	})
	for _, l := range links {
		do(l)
	}
}

// resolve is the file of the repository that a link leads to, "" for another site or the page itself, and the anchor in it.
func (p *page) resolve(link string) (file, anchor string) {
	to, anchor, _ := strings.Cut(link, "#")
	if to == "" || strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return "", anchor
	}
	return path.Join(path.Dir(p.name), to), anchor
}

// relink has links lead to what is in the site. Of one to a folder, only the text stays.
func (p *page) relink(s *site) {
	p.eachLink(func(l *ast.Link) {
		file, anchor := p.resolve(string(l.Destination))
		if file == "" {
			return
		}
		to, ok := s.address(p.name, file)
		if !ok {
			for child := l.FirstChild(); child != nil; child = l.FirstChild() {
				l.Parent().InsertBefore(l.Parent(), l, child)
			}
			l.Parent().RemoveChild(l.Parent(), l)
			return
		}
		if anchor != "" {
			to += "#" + anchor
		}
		l.Destination = []byte(to)
	})
}

var (
	emptyHead = regexp.MustCompile(`<thead>\s*<tr>(\s*<th></th>)+\s*</tr>\s*</thead>`)
	wide      = strings.NewReplacer(
		"<table>", `<div class="wide" role="region" aria-label="Table" tabindex="0"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`,
	)
)

// body is the page in HTML. What may be wider than the screen can be scrolled with the keyboard, too.
func (p *page) body() (string, error) {
	var b bytes.Buffer
	if err := markdown().Renderer().Render(&b, p.source, p.tree); err != nil {
		return "", err
	}
	return wide.Replace(emptyHead.ReplaceAllString(b.String(), "")), nil
}

// anchors makes the names of headings as GitHub does.
type anchors map[string]int

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Generate implements parser.IDs.
func (a anchors) Generate(heading []byte, _ ast.NodeKind) []byte {
	id := strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(string(heading)), ""), " ", "-")
	n := a[id]
	a[id]++
	if n > 0 {
		id += "-" + strconv.Itoa(n)
	}
	return []byte(id)
}

// Put implements parser.IDs.
func (a anchors) Put(id []byte) { a[string(id)]++ }
