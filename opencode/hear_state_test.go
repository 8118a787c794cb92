package opencode

import (
	"fmt"
	"testing"
)

// What may have ended a request is told first, then what the session does.
func TestHear_State(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`{"type":"session.idle","properties":{"sessionID":"ses_1"}}`, "[touched ses_1 ][rested ses_1 ]"},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"idle"}}}`, "[touched ses_1 ][rested ses_1 ]"},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"busy"}}}`, "[worked ses_1 ]"},
		{
			`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","attempt":1,"message":"Too many requests","next":5}}}`,
			"[worked ses_1 ][retried ses_1 Too many requests]",
		},
		{
			`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"ProviderModelNotFoundError","data":{"modelID":"x"}}}}`,
			"[touched ses_1 ][failed ses_1 ProviderModelNotFoundError]",
		},
		{
			`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"UnknownError","data":{"message":"no such thing"}}}}`,
			"[touched ses_1 ][failed ses_1 no such thing]",
		},
		{
			`{"type":"session.error","properties":{"sessionID":"ses_1","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}}}`,
			"[touched ses_1 ]",
		},
		{`{"type":"session.error","properties":{"error":{"name":"UnknownError"}}}`, "[touched  ]"},
		{`{"type":"session.status","properties":{"status":{"type":"busy"}}}`, ""},
		{`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"asleep"}}}`, ""},
	} {
		got := ""
		for _, e := range hearRaw(t, test.raw) {
			got += fmt.Sprint([]any{e.Kind, e.Session, e.Text})
		}
		if got != test.want {
			t.Errorf("%s\nis heard as %s\nwant        %s", test.raw, got, test.want)
		}
	}
}
