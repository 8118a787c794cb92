package question

// Spoken is what a followed session does just now: it speaks, or it calls a tool.
type Spoken struct {
	Message MessageID
	Part    string
	Tool    string // its name; empty: the session speaks
	Title   string // of a tool call: what it works on, in one short line as OpenCode has it
	Ended   bool   // of a tool call
	Text    string // the end of what the session says in this part, at most MaxSpoken bytes; "…" before it if there was more
}

// MaxSpoken bounds the text of a Spoken: what one message of a chat can show.
const MaxSpoken = 4 << 10
