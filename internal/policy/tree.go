package policy

import "slices"

// table is a table of the file, with the lines of everything.
type table struct {
	line int
	keys []*pair
}

type pair struct {
	key   string
	line  int
	value value
}

// value is one of: a text, a number, a flag, a list, a table. Dates and fractions are not
// among them.
type value struct {
	kind   kind
	line   int
	text   string
	number int64
	flag   bool
	list   []value
	table  *table
}

type kind string

const (
	isText   kind = "text"
	isNumber kind = "number"
	isFlag   kind = "true or false"
	isList   kind = "list"
	isTable  kind = "table"
	isOther  kind = "something else"
)

func (t *table) get(key string) *pair {
	i := slices.IndexFunc(t.keys, func(p *pair) bool { return p.key == key })
	if i < 0 {
		return nil
	}
	return t.keys[i]
}

// innerTable is the table of this name, or the last one of that list.
func (t *table) innerTable(name string, line int) *table {
	p := t.get(name)
	if p == nil {
		p = &pair{name, line, value{kind: isTable, line: line, table: &table{line: line}}}
		t.keys = append(t.keys, p)
	}
	switch list := p.value.list; {
	case p.value.table != nil:
		return p.value.table
	case len(list) > 0 && list[len(list)-1].table != nil:
		return list[len(list)-1].table
	}
	return &table{line: line} // no table: the library says so
}
