package botapi_test

import (
	"os"
	"regexp"
	"testing"

	"hermes/telegram/botapi"
)

// The closed set of reasons is whole where it is listed.
func TestReasons_AreAllListed(t *testing.T) {
	source, err := os.ReadFile("errors.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^\t(\w+) +Reason = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	listed := map[botapi.Reason]bool{}
	for _, r := range botapi.Reasons() {
		listed[r] = true
	}
	for _, d := range declared {
		if !listed[botapi.Reason(d[2])] {
			t.Errorf("Reasons has no %s", d[2])
		}
	}
	if len(declared) != len(listed) || len(listed) != len(botapi.Reasons()) {
		t.Errorf("%d reasons are declared, and %d listed", len(declared), len(botapi.Reasons()))
	}
}
