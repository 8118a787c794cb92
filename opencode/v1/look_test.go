package v1

import (
	"testing"

	"hermes/internal/event"
	"hermes/internal/question"
)

// The texts are what the binaries told the model.
func TestFailedQuestion(t *testing.T) {
	asked := question.Request{ID: "que_1"}
	for text, want := range map[string]event.FindingKind{
		"The user dismissed this question":                              event.FoundDismissed, // 1.14 and later
		"Error: The user dismissed this question":                       event.FoundDismissed, // 1.1.53
		`QuestionRejectedError({"_tag":"QuestionRejectedError"})`:       event.FoundDismissed, // 1.2.27
		"Tool execution aborted":                                        event.FoundStopped,
		`grep: QuestionRejectedError({"_tag":"QuestionRejectedError"})`: event.FoundStopped, // what a tool says
	} {
		if got := failedQuestion(asked, text); got.Kind != want {
			t.Errorf("%s: %v, want %v", text, got.Kind, want)
		}
	}
}

func TestRefusedPermission(t *testing.T) {
	const plain = "The user rejected permission to use this specific tool call."
	for text, want := range map[string]struct {
		note    string
		refused bool
	}{
		plain:             {"", true},
		"Error: " + plain: {"", true}, // 1.1.53
		"The user rejected permission to use this specific tool call with the following feedback: use \"make\" <b>": {`use "make" <b>`, true},
		`PermissionRejectedError({"_tag":"PermissionRejectedError"})`:                                               {"", true}, // 1.2.27
		`PermissionCorrectedError({"feedback":"use \"make\" <b>","_tag":"PermissionCorrectedError"})`:               {`use "make" <b>`, true},
		`PermissionCorrectedError({"feedback":`:                                                                     {"", true},
		`DeniedError: PermissionRejectedError({})`:                                                                  {"", false},
		"Tool execution aborted": {"", false},
	} {
		if got, ok := refusedPermission(text); ok != want.refused || got.Note != want.note {
			t.Errorf("%s: %+v %v, want %+v", text, got, ok, want)
		}
	}
}
