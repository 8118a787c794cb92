package pending

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hermes/internal/storage"
)

// Every time of every record is stored as record promises: the same instant in UTC,
// whatever zone and clock reading it came with.
func TestRecord_AllTimesAreUTC(t *testing.T) {
	at := time.Now().In(time.FixedZone("here", 5*3600+1800))
	visited := map[reflect.Type]bool{}
	check := func(r any) { utcIn(t, reflect.ValueOf(r), at, reflect.TypeOf(r).Name(), visited) }

	c := timed[storage.Change](at)
	check(threadToRecord(c.Threads[0]))
	check(chatToRecord(c.Chats[0]))
	check(topicToRecord(c.Topics[0]))
	check(entryToRecord(c.Entries[0]))
	check(queuedPromptToRecord(c.Prompts[0]))
	check(watchToRecord(c.TurnWatches[0]))
	check(chatSettingsToRecord(c.ChatSettings[0]))
	check(saidToRecord(c.MessageRefs[0]))
	check(toldToRecord(c.ToldTurns[0]))
	check(invitationToRecord(c.Paired.Invitations[0]))
	check(guestToRecord(c.Paired.Guests[0]))
	check(groupToRecord(c.Paired.Groups[0]))
	check(linkToRecord(timed[Link](at)))
	check(linkCodeToRecord(c.LinkCodes[0]))

	now := map[string]bool{"asideRecord": true, "unreadableRecord": true} // dated where they are stored, by utc(time.Now())
	for _, name := range recordsWithTimes(t) {
		seen := now[name]
		for v := range visited {
			seen = seen || v.Name() == name
		}
		if !seen {
			t.Errorf("no time of %s was looked at", name)
		}
	}
}

// timed is a T whose every time is at; lists have one element, pointers lead somewhere.
func timed[T any](at time.Time) (v T) {
	setTimes(reflect.ValueOf(&v).Elem(), at)
	return v
}

func setTimes(v reflect.Value, at time.Time) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(at))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			setTimes(v.Field(i), at)
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		setTimes(v.Index(0), at)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setTimes(v.Elem(), at)
	}
}

// utcIn fails the test for each time in v that is not the instant at, in UTC.
func utcIn(t *testing.T, v reflect.Value, at time.Time, where string, visited map[reflect.Type]bool) {
	t.Helper()
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		if got := v.Interface().(time.Time); got != at.Round(0).UTC() {
			t.Errorf("%s is %#v", where, got)
		}
	case v.Kind() == reflect.Struct:
		visited[v.Type()] = true
		for i := range v.NumField() {
			utcIn(t, v.Field(i), at, where+"."+v.Type().Field(i).Name, visited)
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for i := range v.Len() {
			utcIn(t, v.Index(i), at, where+"[]", visited)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		utcIn(t, v.Elem(), at, where, visited)
	}
}

// recordsWithTimes are the types of this package that are stored and have a time in
// them, by the source: a new one has to be looked at, too.
func recordsWithTimes(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if ok && (spec.Name.Name == "record" || strings.HasSuffix(spec.Name.Name, "Record")) && strings.Contains(sourceOf(spec.Type), "time.Time") {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	if len(names) < 15 {
		t.Fatalf("only %q were found", names)
	}
	return names
}

func sourceOf(n ast.Node) string {
	var b strings.Builder
	_ = format.Node(&b, token.NewFileSet(), n)
	return b.String()
}
