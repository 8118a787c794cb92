package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

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

// builder makes the tree of a file from the parser's expressions.
type builder struct {
	parser   unstable.Parser
	breaks   []int // offsets of the line ends
	root     *table
	at       *table // where the next keys belong
	mistakes *mistakeList
}

// parseTree reads the file up to where it stops being TOML. whole: it is TOML to its end.
func parseTree(text []byte, wrong *mistakeList) (root *table, whole bool) {
	b := &builder{root: &table{line: 1}, mistakes: wrong}
	b.at = b.root
	for i, c := range text {
		if c == '\n' {
			b.breaks = append(b.breaks, i)
		}
	}
	b.parser.Reset(text)
	for b.parser.NextExpression() {
		b.addExpression(b.parser.Expression())
	}
	return b.root, b.checkTOML(text)
}

// checkTOML reports whether the whole file is TOML. Single expressions do not show every
// fault, so the library reads the file once more.
func (b *builder) checkTOML(text []byte) bool {
	var fault *toml.DecodeError
	err, line := toml.Unmarshal(text, &map[string]any{}), 1
	if errors.As(err, &fault) {
		line, _ = fault.Position()
	}
	if err != nil && !b.mistakes.onLine(line) {
		b.mistakes.add(line, "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	return err == nil
}

func (b *builder) addExpression(n *unstable.Node) {
	switch n.Kind {
	case unstable.KeyValue:
		b.setKey(b.at, n)
	case unstable.Table, unstable.ArrayTable:
		b.at = b.openTable(n)
	}
}

// openTable finds the table that a header names, and makes what is missing on the way. It
// leaves it to the library to report what TOML forbids.
func (b *builder) openTable(n *unstable.Node) *table {
	t, names, line := b.root, keyNames(n), b.lineAt(n.Child().Raw)
	for _, name := range names[:len(names)-1] {
		t = t.innerTable(name, line)
	}
	last := names[len(names)-1]
	if n.Kind == unstable.Table {
		return t.innerTable(last, line)
	}
	p := t.get(last)
	if p == nil {
		p = &pair{last, line, value{kind: isList, line: line}}
		t.keys = append(t.keys, p)
	}
	next := &table{line: line}
	p.value.list = append(p.value.list, value{kind: isTable, line: line, table: next})
	return next
}

func (b *builder) setKey(t *table, n *unstable.Node) {
	names, line := keyNames(n), b.lineAt(n.Child().Next().Raw)
	for _, name := range names[:len(names)-1] {
		t = t.innerTable(name, line)
	}
	last := names[len(names)-1]
	if p := t.get(last); p != nil {
		b.mistakes.add(line, "%s is given twice; the first is on line %d", last, p.line)
		return
	}
	t.keys = append(t.keys, &pair{last, line, b.readValue(n.Value(), line)})
}

// readValue reads a value; line is that of its key, for what has no line of its own.
func (b *builder) readValue(n *unstable.Node, line int) value {
	if n.Raw.Length > 0 {
		line = b.lineAt(n.Raw)
	}
	v := value{kind: isOther, line: line, text: string(n.Data)}
	switch n.Kind {
	case unstable.String:
		v.kind = isText
	case unstable.Bool:
		v.kind, v.flag = isFlag, v.text == "true"
	case unstable.Integer:
		number, err := strconv.ParseInt(v.text, 0, 64)
		if err == nil {
			v.kind, v.number = isNumber, number
		}
	case unstable.Array:
		v.kind = isList
		for it := n.Children(); it.Next(); {
			v.list = append(v.list, b.readValue(it.Node(), line))
		}
	case unstable.InlineTable:
		v.kind, v.table = isTable, &table{line: line}
		for it := n.Children(); it.Next(); {
			b.setKey(v.table, it.Node())
		}
	}
	return v
}

func (b *builder) lineAt(r unstable.Range) int {
	return sort.SearchInts(b.breaks, int(r.Offset)) + 1
}

func keyNames(n *unstable.Node) []string {
	var names []string
	for it := n.Key(); it.Next(); {
		names = append(names, string(it.Node().Data))
	}
	return names
}

// Mistakes are what is wrong with a file, one line of text each, by the file's lines:
// "rules.toml:12: …". They may show what the file says.
type Mistakes []string

// Error is all of them, one a line.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

// visibleRune replaces what would harm a terminal or break the line.
func visibleRune(c rune) rune {
	if !unicode.IsGraphic(c) {
		return unicode.ReplacementChar
	}
	return c
}

// mistakeList collects mistakes in any order.
type mistakeList []mistake

type mistake struct {
	line int
	text string
}

func (n *mistakeList) add(line int, format string, args ...any) {
	*n = append(*n, mistake{line, fmt.Sprintf(format, args...)})
}

// onLine reports whether something is wrong on the line.
func (n mistakeList) onLine(line int) bool {
	return slices.ContainsFunc(n, func(one mistake) bool { return one.line == line })
}

// asError returns them as [Mistakes], sorted by line; nil if there are none.
func (n mistakeList) asError(name string) error {
	if len(n) == 0 {
		return nil
	}
	slices.SortStableFunc(n, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	var m Mistakes
	for _, one := range n {
		m = append(m, fmt.Sprintf("%s:%d: %s", name, one.line, strings.Map(visibleRune, one.text)))
	}
	return m
}
