package question

// Size is about how many bytes an ask takes, in memory or in the database: those of its texts.
func (r Request) Size() int {
	n := len(r.Context)
	for _, item := range r.Items {
		n += len(item.Header) + len(item.Text)
		for _, o := range item.Options {
			n += len(o.ID) + len(o.Label) + len(o.Description)
		}
		if f := item.Field; f != nil {
			n += len(f.Pattern) + len(f.URL)
			for _, text := range f.Default {
				n += len(text)
			}
		}
	}
	return n + r.Permission.size()
}

func (p *Permission) size() (n int) {
	if p == nil {
		return 0
	}
	n = len(p.Command) + len(p.Diff)
	for _, list := range [][]string{p.Patterns, p.Always, p.Paths()} {
		for _, text := range list {
			n += len(text)
		}
	}
	for _, d := range p.Details {
		n += len(d.Name) + len(d.Text)
	}
	return n
}
