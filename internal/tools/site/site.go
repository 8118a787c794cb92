package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// site is what is written: pages by their paths in the repository, and the files that they lead to.
type site struct {
	files fs.FS // the repository
	pages map[string]*page
	order []string            // of the pages, as the navigation has them
	whole map[string]struct{} // files that are copied
}

const (
	start = "README.md"
	index = "docs/README.md"
)

// read takes in README.md, CONTRIBUTING.md, CHANGELOG.md, their translations and all below docs.
func read(repository fs.FS) (*site, error) {
	s := &site{files: repository, pages: map[string]*page{}, whole: map[string]struct{}{}}
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/design/*.md"} {
		found, err := fs.Glob(repository, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	for _, name := range names {
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return nil, err
		}
		s.pages[name] = parse(name, text)
	}
	if s.pages[start] == nil || s.pages[index] == nil {
		return nil, errors.New("there is no " + start + " or no " + index)
	}
	s.sort(names)
	for _, name := range names {
		s.pages[name].relink(s)
	}
	return s, nil
}

// sort has first what the index leads to, in its order, and then the rest by name.
func (s *site) sort(names []string) {
	s.order = []string{start, index}
	for _, to := range append(s.pages[index].targets(), names...) {
		if s.pages[to] != nil && !slices.Contains(s.order, to) {
			s.order = append(s.order, to)
		}
	}
}

// place is where a page or a file lies in the site.
func (s *site) place(name string) string {
	switch {
	case s.pages[name] == nil:
		return name + ".txt" // browsers show it, whatever it is
	case path.Base(name) == "README.md":
		return path.Join(path.Dir(name), "index.html")
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

// address is what a link in one file of the repository to another one becomes; false: the site does not have it.
func (s *site) address(from, to string) (string, bool) {
	info, err := fs.Stat(s.files, to)
	if err != nil || info.IsDir() {
		return "", false
	}
	if s.pages[to] == nil {
		s.whole[to] = struct{}{}
	}
	return relative(s.place(from), s.place(to)), true
}

// relative is the way from one file of the site to another one.
func relative(from, to string) string {
	up, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(up)
}

// write makes the folder and all in it.
func (s *site) write(folder string) error {
	for _, name := range s.order {
		text, err := s.render(s.pages[name])
		if err == nil {
			err = writeFile(folder, s.place(name), text)
		}
		if err != nil {
			return err
		}
	}
	for name := range s.whole {
		text, err := fs.ReadFile(s.files, name)
		if err == nil {
			err = writeFile(folder, s.place(name), text)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(s.writePictures(folder), s.writeStatic(folder))
}

func (s *site) writePictures(folder string) error {
	names, err := fs.Glob(s.files, "docs/*.png")
	for _, name := range names {
		text, broken := fs.ReadFile(s.files, name)
		err = errors.Join(err, broken, writeFile(folder, name, text))
	}
	return err
}

func writeFile(folder, name string, text []byte) error {
	to := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
