//go:build !race

package daemon_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"hermes/internal/simulate/rig"
)

// holding is how much hermes holds, by the names of what holds it.
type holding struct {
	entries    map[string]int // of maps, lists and channels in memory, by where they are
	records    map[string]int // in the database, by bucket
	heap       map[string]int // bytes in use after a collection, by the function of hermes that allocated them
	goroutines map[string]int // by the function of hermes that they began with
	files      map[string]int // open ones, by name
	file       int            // bytes of the database
}

// sampleHeap has one of so many bytes noted that are allocated from here to the end of the test, with who allocated it.
func sampleHeap(t *testing.T, bytes int) {
	before := runtime.MemProfileRate
	runtime.MemProfileRate = bytes
	t.Cleanup(func() { runtime.MemProfileRate = before })
}

func look(r *rig.Rig) holding {
	r.T.Helper()
	h := holding{entries: map[string]int{}, heap: heapInUse(), goroutines: goroutines(), files: openFiles(r.T)}
	census{h.entries, map[uintptr]bool{}}.count(reflect.ValueOf(r.Daemon), "daemon")
	h.records, h.file = records(r)
	return h
}

// heapInUse leaves out what the stand-ins and the tests hold.
func heapInUse() map[string]int {
	for range 3 { // the profile is as of two collections ago, and pools are emptied in two
		runtime.GC()
	}
	all := make([]runtime.MemProfileRecord, 20_000)
	n, _ := runtime.MemProfile(all, false)
	inUse := map[string]int{}
	for _, record := range all[:n] {
		if function := innermost(record.Stack()); function != "" {
			inUse[function] += scaled(record)
		}
	}
	return inUse
}

// scaled is what a record of samples stands for: an object is sampled the more likely the larger it is.
func scaled(r runtime.MemProfileRecord) int {
	if r.InUseObjects() <= 0 {
		return 0
	}
	size := float64(r.InUseBytes()) / float64(r.InUseObjects())
	return int(float64(r.InUseBytes()) / (1 - math.Exp(-size/float64(runtime.MemProfileRate))))
}

func goroutines() map[string]int {
	all := make([]runtime.StackRecord, 10_000)
	n, _ := runtime.GoroutineProfile(all)
	count := map[string]int{}
	for _, g := range all[:n] {
		if function := outermost(g.Stack()); function != "" {
			count[function]++
		}
	}
	return count
}

// innermost is the function of hermes that is furthest in on a stack; none where a stand-in or a test is.
func innermost(stack []uintptr) string {
	return ofHermes(stack, func(first, _ string) string { return first })
}

// outermost is the function of hermes that a goroutine began with; none where it is a stand-in's or a test's.
func outermost(stack []uintptr) string {
	return ofHermes(stack, func(_, last string) string { return last })
}

// module is hermes' own path.
var module = strings.TrimSuffix(reflect.TypeFor[rig.Killer]().PkgPath(), "/internal/simulate/rig")

func ofHermes(stack []uintptr, choose func(first, last string) string) string {
	first, last := "", ""
	for frames := runtime.CallersFrames(stack); ; {
		frame, more := frames.Next()
		if first == "" && strings.Contains(frame.Function, "/simplelru.") {
			first = frame.Function // what a recent.Map holds has a most
		}
		if strings.HasPrefix(frame.Function, module+"/") {
			first, last = cmp.Or(first, frame.Function), frame.Function
		}
		if !more {
			break
		}
	}
	function := choose(first, last)
	if strings.HasPrefix(function, module+"/internal/simulate/") || strings.Contains(function, "_test.") {
		return ""
	}
	return function
}

func openFiles(t *testing.T) map[string]int {
	t.Helper()
	open := map[string]int{}
	const all = "/proc/self/fd/"
	entries, err := os.ReadDir(all)
	if err != nil {
		return nil // this system has no such list
	}
	for _, e := range entries {
		if name, err := os.Readlink(all + e.Name()); err == nil {
			kind, _, _ := strings.Cut(name, ":") // a pipe has a number of its own
			open[kind]++
		}
	}
	return open
}

// records counts the database's records by bucket, in a copy, as hermes has the file.
func records(r *rig.Rig) (byBucket map[string]int, size int) {
	r.T.Helper()
	data, err := os.ReadFile(r.Config.DB)
	if err != nil {
		r.T.Fatal(err)
	}
	copied := r.Config.DB + ".copy"
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		r.T.Fatal(err)
	}
	db, err := bbolt.Open(copied, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		r.T.Fatal(err)
	}
	defer db.Close()
	byBucket = map[string]int{}
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			byBucket[string(name)] = b.Stats().KeyN
			return nil
		})
	})
	if err != nil {
		r.T.Fatal(err)
	}
	return byBucket, len(data)
}

// census counts what the maps, lists and channels hold that a value leads to, by their names: the way that leads there. Nothing is
// followed that is not hermes' own.
type census struct {
	entries map[string]int
	seen    map[uintptr]bool // pointers that were followed
}

func (c census) count(v reflect.Value, where string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !c.seen[v.Pointer()] {
			c.seen[v.Pointer()] = true
			c.count(v.Elem(), where)
		}
	case reflect.Interface:
		if !v.IsNil() {
			c.count(v.Elem(), where)
		}
	case reflect.Struct:
		c.countFields(v, where)
	case reflect.Map:
		c.entries[where] += v.Len()
		for iter := v.MapRange(); iter.Next(); {
			c.count(iter.Value(), where+"[]")
		}
	case reflect.Slice:
		c.entries[where] += v.Len()
		for i := range v.Len() {
			c.count(v.Index(i), where+"[]")
		}
	case reflect.Chan:
		c.entries[where] += v.Len()
	}
}

func (c census) countFields(v reflect.Value, where string) {
	path := v.Type().PkgPath()
	switch {
	case v.FieldByName("most").IsValid() && v.FieldByName("at").IsValid():
		c.countBounded(v.FieldByName("at"), int(v.FieldByName("most").Int()), where)
	case strings.HasSuffix(path, "/simplelru"): // a recent.Map
		c.countBounded(v.FieldByName("items"), int(v.FieldByName("size").Int()), where)
	case path != module && !strings.HasPrefix(path, module+"/"), strings.HasPrefix(path, module+"/internal/simulate/"):
	default:
		for i := range v.NumField() {
			c.count(v.Field(i), where+"."+v.Type().Field(i).Name)
		}
	}
}

// countBounded counts a bounded map, as those of package recent are, only as far as it has more than its most: it may fill up in
// any time.
func (c census) countBounded(entries reflect.Value, most int, where string) {
	c.entries[where] += max(0, entries.Len()-most)
	for iter := entries.MapRange(); iter.Next(); {
		value := iter.Value()
		if value.Kind() == reflect.Pointer && value.Elem().FieldByName("Value").IsValid() { // an entry of a recent.Map
			value = value.Elem().FieldByName("Value")
		}
		c.count(value, where+"[]")
	}
}

// total is the sum of a map's numbers.
func total(m map[string]int) (sum int) {
	for _, n := range m {
		sum += n
	}
	return sum
}

// String is for a log: the sums alone.
func (h holding) String() string {
	return fmt.Sprintf("%d KiB of heap, %d goroutines, %d open files, %d KiB of database with %d records, %d entries of maps and lists",
		total(h.heap)>>10, total(h.goroutines), total(h.files), h.file>>10, total(h.records), total(h.entries))
}

// grownSince names what has grown most, a line each.
func (h holding) grownSince(before holding) string {
	kinds := map[string][2]map[string]int{
		"entries": {before.entries, h.entries}, "records": {before.records, h.records},
		"bytes": {before.heap, h.heap}, "goroutines": {before.goroutines, h.goroutines},
	}
	var text strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		was, is := kinds[kind][0], kinds[kind][1]
		names := slices.SortedFunc(maps.Keys(is), func(a, b string) int { return is[b] - was[b] - is[a] + was[a] })
		for _, name := range names[:min(5, len(names))] {
			if is[name] > was[name] {
				fmt.Fprintf(&text, "%s: from %d %s to %d\n", name, was[name], kind, is[name])
			}
		}
	}
	return text.String()
}
