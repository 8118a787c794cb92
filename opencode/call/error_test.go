package call

import "testing"

func TestReasons(t *testing.T) {
	for status, want := range map[int]struct {
		reason    Reason
		temporary bool
	}{
		302: {Refused, false}, 400: {Refused, false}, 401: {Unauthorized, true}, 403: {Unauthorized, true},
		404: {NotFound, false}, 409: {Refused, false}, 500: {Broken, true}, 503: {Broken, true},
	} {
		e := &Error{Op: "reply", Reason: reasonOf(status), Status: status}
		if e.Reason != want.reason || e.Temporary() != want.temporary {
			t.Errorf("%d: %s, temporary %v", status, e.Reason, e.Temporary())
		}
	}
	if !(&Error{Reason: Unreachable}).Temporary() || !(&Error{Reason: NotOpenCode}).Temporary() {
		t.Error("what cannot be reached now may be reached later")
	}
}
