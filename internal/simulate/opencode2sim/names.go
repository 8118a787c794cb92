package opencode2sim

// names are the words that differ between the shapes (sections 2 to 5).
type names struct {
	admitted, promoted string // events of an input
	input, payload     string // keys of these events
	asked, replied     string // events of a permission
	reply              string // key of a permission reply
	call               string // key of a tool call's id in events, forms and permissions
	structured         string // key of a tool's typed result
	dismissed          string // error text of a question call that was dismissed
}

func namesOf(s Shape) names {
	if s == Release {
		return names{
			admitted: "session.inbox.enqueued", promoted: "session.inbox.delivered", input: "inboxID", payload: "payload",
			asked: "permission.asked", replied: "permission.replied", reply: "decision",
			call: "id", structured: "metadata", dismissed: "The user dismissed this question",
		}
	}
	return names{
		admitted: "session.input.admitted", promoted: "session.input.promoted", input: "inputID", payload: "data",
		asked: "permission.v2.asked", replied: "permission.v2.replied", reply: "reply",
		call: "callID", structured: "structured", dismissed: interrupted,
	}
}

// captures 04, 05, 08
const (
	interrupted     = "Tool execution interrupted"
	stepInterrupted = "Step interrupted"
)
