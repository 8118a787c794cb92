package prometheus

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// family is the metrics of one name that were declared together.
type family struct {
	name, help string
	kind       kind
	fixed      string // the labels that all of them have, as written
	samples    func() []sample
}

// kind is a type of metric, in the words of the format.
type kind string

const (
	counterKind   kind = "counter"
	gaugeKind     kind = "gauge"
	histogramKind kind = "histogram"
	summaryKind   kind = "summary"
)

// sample is one line.
type sample struct {
	suffix string // of the name
	labels string // as written, beside the fixed ones
	value  float64
}

// one is the sample of a metric that is one number.
func one(v float64) []sample { return []sample{{value: v}} }

func (f family) families() []family { return []family{f} }

// write writes the family; a family without samples is not told at all.
func (f family) write(page *bytes.Buffer, head bool) {
	list := f.samples()
	if len(list) == 0 {
		return
	}
	if head {
		page.WriteString("# HELP " + f.name + " " + helpEscapes(f.help) + "\n# TYPE " + f.name + " " + string(f.kind) + "\n")
	}
	for _, s := range list {
		page.WriteString(f.name + s.suffix + braced(joined(f.fixed, s.labels)) + " " + number(s.value) + "\n")
	}
}

// Labels are names of labels with their values.
type Labels map[string]string

// written is how the labels are written, by name, without braces.
func (l Labels) written() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(l)) {
		list = append(list, label(name, l[name]))
	}
	return strings.Join(list, ",")
}

func label(name, value string) string {
	return name + `="` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(value) + `"`
}

func helpEscapes(s string) string { return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(s) }

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "," + b
}

func braced(labels string) string {
	if labels == "" {
		return ""
	}
	return "{" + labels + "}"
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
