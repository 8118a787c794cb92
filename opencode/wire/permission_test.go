package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"hermes/internal/question"
	"hermes/opencode/wire"
)

// toldOfCalls are things that OpenCode says of a call, and what is known of the ask then.
var toldOfCalls = []struct {
	name            string
	metadata, input string
	want            question.Permission
}{
	{"bash on 1.1.53: all is in the call", `{}`, `{"command":"ls","description":"list"}`, question.Permission{
		Command: "ls", Details: details("description", "list"),
	}},
	{"bash on 1.18.33: both name the command", `{"command":"ls"}`, `{"command":"ls","workdir":"/x"}`, question.Permission{
		Command: "ls", Details: details("workdir", "/x"),
	}},
	{"the ask and the call name different things", `{"url":"a"}`, `{"url":"b"}`, question.Permission{Details: details("url", "a", "url", "b")}},
	{"the same by another spelling", `{"filepath":"/a"}`, `{"filePath":"/a"}`, question.Permission{Details: details("filepath", "/a")}},
	{
		"a change: the diff shows what else is said", `{"filepath":"/a","diff":"+x"}`,
		`{"filePath":"/a","oldString":"","newString":"x","content":"x","replaceAll":true}`,
		question.Permission{Diff: "+x", Details: details("replaceAll", "true")},
	},
	{"a command with names that bash does not know", `{"command":"rm -rf ~"}`, `{"command":"ls","diff":"+x","patterns":["ls"],"parentDir":"/tmp"}`, question.Permission{
		Command: "rm -rf ~", Details: details("command", "ls", "diff", "+x", "parentDir", "/tmp", "patterns", `["ls"]`),
	}},
	{"the same on 1.1.53", `{}`, `{"command":"rm -rf ~","diff":"+x","Command":"ls"}`, question.Permission{
		Command: "rm -rf ~", Details: details("Command", "ls", "diff", "+x"),
	}},
	{"a change whose diff is not known (/api)", `null`, `{"path":"a","content":"x"}`, question.Permission{Details: details("content", "x", "path", "a")}},
	{"the patterns once more", `{"directories":["/o"],"patterns":["/o/*"],"parentDir":"/o","command":"touch /o/x"}`, `{}`, question.Permission{Command: "touch /o/x"}},
	{"a tool called in a loop", `{"tool":"glob","input":{"pattern":"*.md"}}`, `null`, question.Permission{
		Details: details("input", `{"pattern":"*.md"}`, "tool", "glob"),
	}},
	{"nothing", `{"a":null,"b":{},"c":[],"d":""}`, `{"a":" { } "}`, question.Permission{Details: details("a", " { } ")}},
	{"values of all kinds", `{"n":1e3,"b":false,"l":["x",2],"o":{"k":"v"}}`, `{}`, question.Permission{
		Details: details("b", "false", "l", `["x",2]`, "n", "1e3", "o", `{"k":"v"}`),
	}},
	{"a change that is too large for a link", `{"filepath":"/a","hermes.unsent":{"diff":300001,"files":1000000}}`, `{"content":"x"}`, question.Permission{
		Details: details("content", "x", "filepath", "/a", "unsent", "diff, 301 kB", "unsent", "files, 1000 kB"),
	}},
	{"a command that is too large for a link is not what the model wrote", `{"hermes.unsent":{"command":300000}}`, `{"command":"ls"}`, question.Permission{
		Details: details("command", "ls", "unsent", "command, 300 kB"),
	}},
	{"what a link has left out in another way", `{"hermes.unsent":["diff"]}`, `{}`, question.Permission{Details: details("unsent", `["diff"]`)}},
	{"a command that is no text", `{"command":["rm","-rf","/"],"diff":7}`, `{}`, question.Permission{Command: `["rm","-rf","/"]`, Diff: "7"}},
}

// toldOfEdits are what OpenCode says of changes of several files, and what is known of the ask then. The first are as 1.1.53
// and 1.18.34 send them, the others as in the source of what they name.
var toldOfEdits = []struct {
	name            string
	patterns        []string
	metadata, input string
	want            question.Permission
}{
	{
		"moved",
		[]string{"notes.txt"},
		`{"filepath":"notes.txt","diff":"+x","files":[{"filePath":"/shop/notes.txt","relativePath":".git/hooks/pre-commit","type":"move","patch":"+x","movePath":"/shop/.git/hooks/pre-commit"}]}`,
		`{"patchText":"*** Begin Patch\n*** Update File: notes.txt\n*** Move to: .git/hooks/pre-commit\n*** End Patch"}`,
		question.Permission{Diff: "+x", Files: moved("notes.txt", ".git/hooks/pre-commit")},
	},
	{
		"added, changed and deleted",
		[]string{"docs/a", "b", "c"},
		`{"diff":"+x","files":[{"filePath":"/shop/docs/a","relativePath":"docs/a","type":"add"},{"filePath":"/shop/b","relativePath":"b","type":"update"},{"filePath":"/shop/c","relativePath":"c","type":"delete"}]}`, `{}`,
		question.Permission{Diff: "+x", Files: []question.FileChange{
			{Kind: question.FileAdded, Path: "docs/a"}, {Kind: question.FileChanged, Path: "b"}, {Kind: question.FileDeleted, Path: "c"},
		}},
	},
	{
		"moved out of the project, on Windows",
		[]string{"a.txt"},
		`{"diff":"+x","files":[{"filePath":"C:\\shop\\a.txt","relativePath":"../b.txt","type":"move","movePath":"C:\\b.txt"}]}`, `{}`,
		question.Permission{Diff: "+x", Files: moved("a.txt", `C:\b.txt`)},
	},
	{
		"of a type that is not known",
		[]string{"a"},
		`{"diff":"+x","files":[{"filePath":"/shop/a","type":"link"}]}`, `{}`,
		question.Permission{Diff: "+x", Unread: true, Details: details("files", `[{"filePath":"/shop/a","type":"link"}]`)},
	},
	{
		"moved to nowhere",
		[]string{"a"},
		`{"diff":"+x","files":[{"filePath":"/shop/a","type":"move"}]}`, `{}`,
		question.Permission{Diff: "+x", Unread: true, Details: details("files", `[{"filePath":"/shop/a","type":"move"}]`)},
	},
	{
		"2.x: the head of the patch names what was moved",
		[]string{"a", "lib/b"},
		`{"diff":"+x","files":[{"file":"lib/b","status":"modified","patch":"Index: /shop/a\n===\n--- /shop/a\t\n+++ /shop/a\t\n@@"},{"file":"c","status":"modified","patch":"--- /shop/c\n"},{"file":"d","status":"deleted"}]}`, `{}`,
		question.Permission{Diff: "+x", Files: append(moved("a", "lib/b"), question.FileChange{Kind: question.FileChanged, Path: "c"}, question.FileChange{Kind: question.FileDeleted, Path: "d"})},
	},
	{
		"2.x: a patch without a head, but the call has it",
		[]string{"a"},
		`{"diff":"+x","files":[{"file":"b","status":"modified"}]}`, `{"patchText":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n*** End Patch"}`,
		question.Permission{Diff: "+x", Files: moved("a", "b")},
	},
	{
		"/api: the patch is all that is known",
		[]string{"a", "b"},
		`null`, `{"patchText":"*** Begin Patch\n*** Add File: a\n+x\n*** Delete File:  b \n*** End Patch"}`,
		question.Permission{
			Files:   []question.FileChange{{Kind: question.FileAdded, Path: "a"}, {Kind: question.FileDeleted, Path: "b"}},
			Details: details("patchText", "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File:  b \n*** End Patch"),
		},
	},
	{
		"/api: a change of one file",
		[]string{"a"},
		`null`, `{"path":"a","content":"x"}`,
		question.Permission{Details: details("content", "x", "path", "a")},
	},
	{
		"2.x: files and patch are too large for the link",
		[]string{"a", "b"},
		`{"filepath":"a, b","diff":"+x"}`, `{}`,
		question.Permission{Diff: "+x", Unread: true},
	},
	{
		"2.x: the list of files is too large for the link",
		[]string{"a"},
		`{"filepath":"/shop/a","diff":"+x","hermes.unsent":{"files":300000}}`, `{"content":"x"}`,
		question.Permission{Diff: "+x", Unread: true, Details: details("unsent", "files, 300 kB")},
	},
	{
		"2.x: the change is too large for the link",
		[]string{"a"},
		`{"filepath":"/shop/a","hermes.unsent":{"diff":300001}}`, `{"path":"a"}`,
		question.Permission{Details: details("filepath", "/shop/a", "path", "a", "unsent", "diff, 301 kB")},
	},
	{
		"a change of one file", []string{"a"}, `{"filepath":"/shop/a","diff":"+x"}`, `{"filePath":"a","content":"x"}`, question.Permission{Diff: "+x"},
	},
	{
		"/api: a call that is not known", []string{"a"}, `null`, `null`, question.Permission{Unread: true},
	},
	{
		"a patch that another tool ignores",
		[]string{"a"},
		`{"diff":"+x"}`, `{"filePath":"/a","patchText":"*** Begin Patch\n*** Delete File: b\n*** End Patch"}`,
		question.Permission{Diff: "+x", Unread: true, Details: details("patchText", "*** Begin Patch\n*** Delete File: b\n*** End Patch")},
	},
	{
		"a patch of another kind",
		[]string{"a"},
		`{"diff":"+x"}`, `{"patchText":"--- a\n+++ b"}`,
		question.Permission{Diff: "+x", Unread: true, Details: details("patchText", "--- a\n+++ b")},
	},
}

func moved(from, to string) []question.FileChange {
	return []question.FileChange{{Kind: question.FileMoved, Path: from, To: to}}
}

// Every file of an edit is named, or it is said that hermes cannot read which they are; then nothing is left out.
func TestPermission_FilesOfAnEdit(t *testing.T) {
	for _, c := range toldOfEdits {
		p := question.Permission{Kind: "edit", Patterns: c.patterns}
		wire.AddMetadata(&p, object(t, c.metadata))
		if c.input != "null" {
			wire.AddInput(&p, object(t, c.input))
		}
		if len(p.Details) == 0 {
			p.Details = nil
		}
		c.want.Kind, c.want.Patterns = p.Kind, p.Patterns
		if !reflect.DeepEqual(p, c.want) {
			t.Errorf("%s: known is %+v\nwant %+v", c.name, p, c.want)
		}
	}
}

// What names a file in a patch is read as OpenCode's parsers read it, and whatever may name one for another parser is not read.
func TestPermission_Patches(t *testing.T) {
	read := map[string][]question.FileChange{
		"*** Update File: a\n*** Move to: b\n@@\n-x\n+*** Delete File: c": moved("a", "b"),
		"*** Update File: a\n@@\n x\n*** End of File\n*** Delete File: c": {{Kind: question.FileChanged, Path: "a"}, {Kind: question.FileDeleted, Path: "c"}},
		"*** Add File:a\r\n+x\r": {{Kind: question.FileAdded, Path: "a"}},
		"*** Delete File: a\n*** End Patch\u0085\n*** Delete File: b": nil,
		"*** Update File: a\n@@\n*** Move to: b":                      nil,
		"*** Move to: b":                                              nil,
		"  *** Delete File: a":                                        nil,
		"*** Add File: \n+x":                                          nil,
		"*** Rename File: a":                                          nil,
		"*** Delete File: a\n*** x: b":                                nil,
		"":                                                            nil,
	}
	for patch, want := range read {
		p := question.Permission{Kind: "edit"}
		raw, err := json.Marshal("cat <<EOF\n*** Begin Patch\n" + patch + "\n*** End Patch\nEOF")
		if err != nil {
			t.Fatal(err)
		}
		wire.AddInput(&p, map[string]json.RawMessage{"patchText": raw})
		if !reflect.DeepEqual(p.Files, want) || p.Unread != (want == nil) {
			t.Errorf("%q: files %+v, unread %v; want %+v", patch, p.Files, p.Unread, want)
		}
	}
}

func object(t *testing.T, raw string) (said map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &said); err != nil {
		t.Fatal(err)
	}
	return said
}

func details(pairs ...string) (list []question.Detail) {
	for n := 0; n < len(pairs); n += 2 {
		list = append(list, question.Detail{Name: pairs[n], Text: pairs[n+1]})
	}
	return list
}

// What OpenCode says of an ask and what the model wrote are kept apart.
func TestPermission_MetadataAndInput(t *testing.T) {
	for _, c := range toldOfCalls {
		var p question.Permission
		wire.AddMetadata(&p, object(t, c.metadata))
		wire.AddInput(&p, object(t, c.input))
		if len(p.Details) == 0 {
			p.Details = nil
		}
		if !reflect.DeepEqual(p, c.want) {
			t.Errorf("%s: known is %+v\nwant %+v", c.name, p, c.want)
		}
	}
}
