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
	{"a patch", `{"filepath":"a, b","diff":"+x","files":[{"diff":"+x"}]}`, `{"patchText":"*** Begin Patch"}`, question.Permission{Diff: "+x"}},
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
