package session

// StreamChunk is what a followed session does just now: it speaks, or it calls a tool.
type StreamChunk struct {
	Message MessageID
	Part    string
	Tool    string // its name; empty: the session speaks
	Title   string // of a tool call: what it works on, in one short line as OpenCode has it
	Ended   bool   // of a tool call
	Text    string // the end of what the session says in this part, at most MaxStreamChunk bytes; "…" before it if there was more
}

// MaxStreamChunk bounds the text of a Spoken: what one message of a chat can show.
const MaxStreamChunk = 4 << 10
