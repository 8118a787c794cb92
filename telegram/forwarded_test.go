package telegram

import (
	"fmt"
	"testing"

	"hermes/internal/question"
)

// What was not written by its sender is known as such in every form that the Bot API has.
func TestForwardedMessages(t *testing.T) {
	for field, want := range map[string]bool{
		``:                       false,
		`"forward_origin":null,`: false,
		`"via_bot":null,`:        false,
		`"forward_origin":{"type":"user","date":1,"sender_user":{"id":66}},`: true,
		`"forward_origin":{"type":"hidden_user","sender_user_name":"x"},`:    true,
		`"forward_origin":{"type":"of tomorrow"},`:                           true,
		`"forward_date":1700000000,"forward_from":{"id":66},`:                true,
		`"via_bot":{"id":99,"is_bot":true},`:                                 true,
	} {
		for kind, content := range map[question.InputKind]string{
			question.Typed: `"text":"/start 1"`, question.Attached: `"caption":"1","photo":[{"file_id":"f","width":1,"height":1}]`,
		} {
			raw := fmt.Sprintf(`{"update_id":1,"message":{"message_id":5,"date":1700000000,"chat":{"id":7,"type":"private"},"from":{"id":7,"first_name":"Ada"},%s%s}}`, field, content)
			in, err := read(question.Update{ID: 1, Raw: []byte(raw)}, 0)
			if err != nil || in.Kind != kind || in.Forwarded != want {
				t.Errorf("%s %s: %+v, %v", field, content, in, err)
			}
		}
	}
}
