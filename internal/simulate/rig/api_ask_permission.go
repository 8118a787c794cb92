package rig

import (
	"strings"
	"time"
)

const (
	AskLeave = `{"title":"Claude Code: shop-api","directory":"/home/ada/src/shop-api","permission":{"kind":"bash",` +
		`"command":"rm -rf /srv # \u202ekcab\u200b","patterns":["rm -rf /srv # \u202ekcab\u200b"],"details":{"description":"clean up"}}}`
	AllowedByAda   = `{"status":"answered","answers":[{"question_id":"permission","selected_option_ids":["once"]}],"answered_by":{"kind":"person","name":"Ada","user":42}}`
	RejectedByAda  = `{"status":"aborted","answers":[],"aborted_by":{"kind":"person","name":"Ada","user":42}}`
	RejectedByRule = `{"status":"aborted","answers":[],"aborted_by":{"kind":"rule","name":"no deleting"}}`
)

// PermissionExchanges are the examples of the protocol, of permissions.
func PermissionExchanges() map[string]func(*Exchange) {
	return map[string]func(*Exchange){
		"permission-allowed":  func(e *Exchange) { e.Post(AskLeave); e.TapKey("✅ Allow once") },
		"permission-rejected": func(e *Exchange) { e.Post(AskLeave); e.TapKey("🚫 Reject") },
		"permission-noted": func(e *Exchange) {
			e.Post(AskLeave)
			e.TapKey("💬 Reject with a note")
			e.Say("Use make clean.", e.Last().ID)
			e.Wait(2 * time.Second)
		},
		"permission-in-words": func(e *Exchange) {
			e.Post(AskLeave)
			e.Say("Allow once", e.Last().ID)
			e.Wait(2 * time.Second)
			e.HTTP("GET", e.Path, "")
			e.TapKey("💬 Reject with a note")
		},
		"permission-expired": func(e *Exchange) {
			e.Post(strings.Replace(AskLeave, `{"title"`, `{"ttl":"5m","title"`, 1))
			e.Wait(6 * time.Minute)
		},
		"permission-withdrawn": func(e *Exchange) {
			e.Post(AskLeave)
			e.HTTP("DELETE", e.Path, "")
			e.Wait(2 * time.Second)
		},
		"permission-to-edit": func(e *Exchange) {
			e.Post(`{"permission":{"kind":"edit","patterns":["main.go"],"diff":"-a\n+b"},"ttl":0}`)
			e.TapKey("✅ Allow once")
		},
	}
}
