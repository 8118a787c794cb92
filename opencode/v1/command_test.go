package v1

import (
	"encoding/json"
	"testing"
)

func TestCommand_WhichCommandsTakeAText(t *testing.T) {
	for template, want := range map[string]bool{
		"`$ARGUMENTS`": true, "No place": true, "$1 and $2": true, "Run `git show $ARGUMENTS`, then go!": true, "mail@$1": true, "": true,
		"!`date` @AGENTS.md $ARGUMENTS": true, "@docs/a, $1": true, "@docs/a $1": true, "@docs/a`$1`": true, "`@$1": true,
		"!`echo $ARGUMENTS`": false, "!`date`\n!`a\nb $12`": false, "Stop!`$1` and `x`": false,
		"@$1": false, "@docs/$ARGUMENTS.md": false, "(@~/$1": false, "@a.$1": false, "@.$1": false, "@../$1": false, "\n@x$1": false, "@@$1": false,
	} {
		raw, err := json.Marshal(template)
		if err != nil {
			t.Fatal(err)
		}
		if got := (commandInfo{Template: raw}).takesText(); got != want {
			t.Errorf("%q takes a text: %v", template, got)
		}
	}
	yes, no := true, false
	for list, want := range map[string]bool{`{}`: false, `{"template":{}}`: false, `{"template":null}`: false, `{"text":true}`: true, `{"template":"$1","text":false}`: false} {
		var w commandInfo
		if err := json.Unmarshal([]byte(list), &w); err != nil || w.takesText() != want {
			t.Errorf("%s takes a text: %v %v", list, w.takesText(), err)
		}
	}
	if !(commandInfo{Text: &yes}).takesText() || (commandInfo{Text: &no}).takesText() {
		t.Error("what the plugin says does not count")
	}
}
