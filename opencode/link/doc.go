// Package link is hermes' end of the link to the plugin that runs inside OpenCode.
//
// A plain OpenCode TUI listens on no port (measured on 1.1.53 and 1.18.33), so the plugin dials out. It opens a link,
// forwards events, and long-polls for calls that it makes with OpenCode's in-process client (but see docs/design/proof.md):
//
//	GET  /v1/link                                → 200 {"name":"<of the token>"}
//	POST /v1/link               Hello            → 200 {"link":"<id>","poll":25,"remote":false}
//	GET  /v1/link/{id}/calls    ?after=<call id> → 200 {"calls":[…]}, or 204 when there was none for poll seconds
//	POST /v1/link/{id}/results  one result       → 204
//	POST /v1/link/{id}/events   {"events":[…]}   → 204, after every event has been handled
//
// Refusals are {"error":"<one sentence>"}: 400 malformed, 410 unknown link (the plugin opens again),
// 413 too large, 426 another protocol number, 429 too much of this token, 503 full or stopping; and, by Access, 401 and 403.
//
// A token belongs to one machine, or to one OpenCode configuration on it. It opens these paths and nothing else; links of other
// tokens are out of its reach, and each token has a quota of its own.
//
// Calls of a link are numbered from 1. "after" is the highest number that the plugin has seen: calls above it that were handed
// out before did not arrive, and are handed out again. So a call is carried out at most once, however often a poll breaks.
//
// A request whose connection breaks before its answer may be made once more, though it was carried out: a link that is opened twice
// is replaced, calls and results are numbered, and events come twice as a whole batch, in order.
//
// A plugin from 1.3.0 on adds "follow" to its polls, the number of the list of followed sessions that it has; if that is not the
// one in force, the answer has "follow":{"rev":2,"sessions":["ses_…"]} beside the calls. Of those sessions it sends events of the
// type hermes.spoke: what they say and which tools they call, for display. Of other sessions only an ask takes along what is said (1.6.0).
//
// Fields and events that this hermes does not know are ignored. Plugins before 1.9.0 send what they list in their hello, or in an event
// hermes.listed behind it, and an event tool.execute.before ahead of question.asked; some send "looks" and "agent" (1.5.0 and later).
//
// A plugin from 1.7.0 on adds "links" to the asks to edit that have some, in events, lists and answers: which of the files are
// elsewhere than their names say, as an object of names and places, without symbolic links; "?" where nobody can tell.
//
// A plugin from 1.8.0 on adds "url" to its hello, where its OpenCode listens.
//
// A plugin from 1.6.0 on adds "said" to the events question.asked and permission.asked: the end, of at most 1,200 characters, of what the
// agent wrote last before it asked.
//
// The service of OpenCode 2 on another machine is reached by a process that stands beside it (opencode/relay), as no plugin of that line can answer
// for it. Its hello has "kind":"service" and the protocol number ServiceProtocol, so that a hermes from before refuses it. Such a link is one
// connection to the service's event stream: its events are those of that stream, in order and without a gap, the first of them
// server.connected, and hermes.alive for each of the stream's heartbeats; hermes.disconnected ends the stream, and nothing but the end of the
// link follows it. Its calls are for all directories of the service.
//
// Nothing here survives a restart of hermes: the plugin gets 410 and opens again, and hermes lists what waits of every new link.
package link

// The numbers of the protocols of the plugin and of the process beside the service of OpenCode 2. Whoever changes what a link says so that an
// older end would read it wrongly raises the number, and has hermes take the one before it as well: a hub is updated first, and its machines
// when it suits them (docs/machines.md).
const (
	Protocol        = 1
	ServiceProtocol = 2
)

// Kind is what has opened a link.
type Kind string

// The kinds of links.
const (
	Plugin  Kind = ""        // the plugin inside an OpenCode 1.x, for one directory
	Service Kind = "service" // the process beside the service of OpenCode 2, for all directories
)

// protocol is the number that a link of this kind speaks.
func (k Kind) protocol() int {
	if k == Service {
		return ServiceProtocol
	}
	return Protocol
}

// MaxBody is the most bytes of one request's body, and of one result.
const MaxBody = 8 << 20

const (
	maxLinks = 4096 // links open at once, per Hub, unless Config.Links says otherwise
	maxCalls = 1000 // calls queued or awaiting a result, per Link
	maxBatch = 32   // calls in the answer to one poll
)

// Hello is what the plugin says when it opens a link. All of it but Token is the plugin's word.
type Hello struct {
	// Token is the id of the link whose token the plugin has. It is empty for the API's, which plugins have that were installed before
	// links had tokens of their own.
	Token string `json:"-"`

	Kind      Kind   `json:"kind,omitempty"`
	Protocol  int    `json:"protocol"`
	Plugin    string `json:"plugin"`    // the plugin's own version; of a Service: that of hermes there
	Instance  string `json:"instance"`  // random, one per initialisation of the plugin; of a Service one per start of it
	Process   string `json:"process"`   // random, one per OpenCode process; of a Service: the same one for ever
	PID       int    `json:"pid"`       // on Host, of OpenCode
	URL       string `json:"url"`       // where that process listens; empty: nowhere, or a plugin before 1.8.0
	Local     bool   `json:"-"`         // it came from this machine, by no proxy that says so
	Host      string `json:"host"`      // host name
	Directory string `json:"directory"` // of the OpenCode instance, byte for byte as its requests need it; empty for a Service
	Resolved  string `json:"resolved"`  // the same without symbolic links; "?": it leads nowhere now; empty: a plugin before 1.4.0
	Version   string `json:"version"`   // OpenCode's; empty if it could not be asked
	Time      int64  `json:"time"`      // by the clock of Host, in milliseconds; 0: a plugin before 1.2.0
}
