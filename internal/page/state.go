package page

import "time"

// State is all that the page shows at one moment. It is sent whole whenever it
// has changed. Its texts come from agents and from people: the page shows them as
// text and never as markup.
//
// What a [World] itself says is English here, in a Line or in the fields that say so; static/words.js has
// the other languages.
type State struct {
	Lang    string   `json:"lang"`    // one of [Languages]
	Title   string   `json:"title"`   // what asks here, in a few words; English
	Setup   string   `json:"setup"`   // the command that comes after the tour
	Advice  []Line   `json:"advice"`  // what the person has to do first; empty: nothing
	People  []Person `json:"people"`  // each with a phone
	Ways    []Way    `json:"ways"`    // what can be cut and restored
	Tour    []Step   `json:"tour"`    // the way through all of it; empty: there is none
	More    []Step   `json:"more"`    // what the agent can be made to ask; empty: it asks by itself
	Asks    []Ask    `json:"asks"`    // what the agent asked, oldest first
	Open    []Thread `json:"open"`    // what the store holds as owed, oldest first
	Journal []Entry  `json:"journal"` // the end of the store's journal, oldest first
	Log     []string `json:"log"`     // the end of hermes' log, oldest first
}

// Person is someone with a phone, whose chat with the bot is shown.
type Person struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Messages []Message `json:"messages"`
	Alerts   []Alert   `json:"alerts"`
}

// Message is a message as the chat shows it now.
type Message struct {
	ID       int       `json:"id"`
	Bot      bool      `json:"bot"`
	From     string    `json:"from"`
	At       time.Time `json:"at"`
	Text     string    `json:"text"`
	Marks    []Mark    `json:"marks"`
	Keys     [][]Key   `json:"keys"`
	Prompts  bool      `json:"prompts"` // the client opens its reply box
	ReplyTo  int       `json:"reply_to"`
	Edits    int       `json:"edits"`
	Reaction string    `json:"reaction"` // the bot's emoji under it; empty: none
	Document *Document `json:"document,omitempty"`
}

// Mark is a formatted stretch of a text. From and Length count UTF-16 units, as
// the Bot API and JavaScript do.
type Mark struct {
	Type   string `json:"type"`
	From   int    `json:"from"`
	Length int    `json:"length"`
}

// Key is a button of an inline keyboard.
type Key struct {
	Label string `json:"label"`
	Data  string `json:"data"`
	Style string `json:"style"` // success, danger, primary, or ""
}

// Document is a file in a message; [World.File] gives what is in it.
type Document struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// Alert is how a tap was acknowledged. Callback is what [World.Do] returned for
// the tap. An empty text only ends the button's spinning.
type Alert struct {
	Callback string `json:"callback"`
	Text     string `json:"text"`
	Box      bool   `json:"box"` // to be closed by the person, else it fades
}

// Line is a sentence in English. Its blanks {0}, {1} stand for the arguments, which are the same in
// every language.
type Line struct {
	Text string   `json:"text"`
	Args []string `json:"args"`
}

// Way is something between or at the ends that can be broken and mended.
type Way struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	State   string   `json:"state"` // in a word or two; English
	Up      bool     `json:"up"`
	Actions []Choice `json:"actions"`
}

// Choice is a button: the [Action] that it does, and its label in English. Beside the actions there are three
// that are the page's own: "go" goes to the phone of the person ID, "write" also puts a text into its message box, and
// "wait" does nothing: the label says what is awaited.
type Choice struct {
	Do    string `json:"do"`
	ID    string `json:"id"`
	Text  string `json:"text"`
	Label string `json:"label"`
}

// Step is a step of the tour, or something that the agent can be made to ask. Its texts are English.
type Step struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Text  string  `json:"text"` // of the tour: what it shows
	Hint  string  `json:"hint"` // what to do now
	Next  *Choice `json:"next"` // of the tour: the button that does it; nil: there is nothing to do here
	Done  bool    `json:"done"` // of the tour
	Asked int     `json:"asked"`
}

// Ask is a request of the agent, and what came of it on the agent's side.
type Ask struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	At       time.Time `json:"at"`
	Items    []Item    `json:"items"`
	State    string    `json:"state"` // waiting, received, dismissed, gone
	Received string    `json:"received"`
	Terminal bool      `json:"terminal"` // can be answered at the terminal now
}

// Item is one question of an Ask.
type Item struct {
	Header  string   `json:"header"`
	Text    string   `json:"text"`
	Options []string `json:"options"`
}

// Thread is a question that the store holds.
type Thread struct {
	ID      string `json:"id"`
	Title   Line   `json:"title"`
	Project string `json:"project"`
	State   Line   `json:"state"`
}

// Entry is one line of the journal.
type Entry struct {
	Number uint64    `json:"number"`
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"`
	Thread string    `json:"thread"`
	By     string    `json:"by"`
	Detail string    `json:"detail"`
	Hash   string    `json:"hash"` // its beginning
}

// Action is something that the person at the page does.
type Action struct {
	// Do is tap, say, ask, answer or dismiss (at the terminal), speak (a language), or what a
	// [Choice] says.
	Do      string `json:"do"`
	Person  int64  `json:"person"`   // tap, say
	Message int    `json:"message"`  // tap
	Label   string `json:"label"`    // tap
	Data    string `json:"data"`     // tap
	Text    string `json:"text"`     // say
	ReplyTo int    `json:"reply_to"` // say; 0: no reply
	ID      string `json:"id"`       // ask: of the Step; answer, dismiss: of the Ask; speak: the language; else of the Way
}
