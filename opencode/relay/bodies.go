package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"hermes/internal/pattern"
)

// errContent: the body of a call is not one that hermes sends.
var errContent = errors.New("hermes link run does not allow this call's content")

// none is for calls without a body.
func none(raw json.RawMessage) (sent, error) {
	if len(raw) > 0 && string(raw) != "null" {
		return sent{}, errContent
	}
	return sent{}, nil
}

// checked is a body that can say whether it is what hermes sends.
type checked interface{ check() error }

// taken is for calls with a body of this type: every field of it is known, and fits.
func taken[B checked](raw json.RawMessage) (sent, error) {
	var b B
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	if d.Decode(&b) != nil || d.Decode(new(json.RawMessage)) != io.EOF || b.check() != nil {
		return sent{}, errContent
	}
	text, err := encode(b)
	if err != nil {
		return sent{}, errContent
	}
	c := sent{json: text}
	switch b := any(b).(type) {
	case newCommand:
		c.command = &b
	case newSession:
		c.directory = b.Location.Directory
	}
	return c, nil
}

// The names of agents, models and commands, and the ids that hermes makes.
var (
	nameForm    = pattern.Whole(`[^\x00-\x1f\x7f]{1,200}`)
	sessionForm = pattern.Whole(sessionID)
	messageForm = pattern.Whole(messageID)
	wordForm    = pattern.Whole(`once|always|reject`)
	// A file must be in its address: OpenCode would read any other from this machine.
	fileForm = pattern.Whole(`data:[a-z0-9.+-]{1,100}/[a-z0-9.+-]{1,100};base64,[A-Za-z0-9+/]*={0,2}`)
)

// all is nil if everything holds.
func all(holds ...bool) error {
	for _, one := range holds {
		if !one {
			return errContent
		}
	}
	return nil
}

// fits reports whether a text has a form, or is absent.
func fits(form pattern.Pattern, text string) bool { return text == "" || form.Match(text) }

// formAnswer fills in a form.
type formAnswer struct {
	Answer map[string]any `json:"answer"`
}

func (b formAnswer) check() error {
	if b.Answer == nil {
		return errContent
	}
	for _, value := range b.Answer {
		if !isAnswer(value) {
			return errContent
		}
	}
	return nil
}

// isAnswer reports whether a field can have the value: a text, a number, a flag, or texts.
func isAnswer(value any) bool {
	switch value := value.(type) {
	case string, json.Number, bool:
		return true
	case []any:
		for _, one := range value {
			if _, ok := one.(string); !ok {
				return false
			}
		}
		return true
	}
	return false
}

// decision decides a permission: its word has two names.
type decision struct {
	Reply    string `json:"reply,omitempty"`
	Decision string `json:"decision,omitempty"`
	Message  string `json:"message,omitempty"`
}

func (b decision) check() error {
	return all(b.Reply != "" || b.Decision != "", fits(wordForm, b.Reply), fits(wordForm, b.Decision), b.Reply == "" || b.Decision == "" || b.Reply == b.Decision)
}

type newSession struct {
	ID       string `json:"id"`
	Location struct {
		Directory string `json:"directory"` // without one it would be in a person's home
	} `json:"location"`
}

func (b newSession) check() error {
	return all(sessionForm.Match(b.ID), b.Location.Directory != "")
}

type newPrompt struct {
	ID     string       `json:"id"`
	Text   string       `json:"text"`
	Files  []promptFile `json:"files,omitempty"`
	Agents []agentName  `json:"agents,omitempty"`
	Resume *bool        `json:"resume,omitempty"`
}

type promptFile struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

type agentName struct {
	Name string `json:"name"`
}

func (b newPrompt) check() error {
	for _, f := range b.Files {
		if !fileForm.Match(f.URI) || len(f.Name) > 1000 {
			return errContent
		}
	}
	for _, a := range b.Agents {
		if !nameForm.Match(a.Name) {
			return errContent
		}
	}
	return all(messageForm.Match(b.ID), len(b.Files) <= 100, len(b.Agents) <= 100)
}

// newCommand runs a command of OpenCode's own. Its name and its text have two names each.
type newCommand struct {
	ID        string `json:"id"`
	Command   string `json:"command"`
	Arguments string `json:"arguments"`
	Name      string `json:"name"`
	Text      string `json:"text"`
}

func (b newCommand) check() error {
	return all(messageForm.Match(b.ID), nameForm.Match(b.Command), b.Name == b.Command, b.Text == b.Arguments)
}

type agentChoice struct {
	Agent string `json:"agent"`
}

func (b agentChoice) check() error { return all(nameForm.Match(b.Agent)) }

type modelChoice struct {
	Model struct {
		Provider string `json:"providerID"`
		ID       string `json:"id"`
	} `json:"model"`
}

func (b modelChoice) check() error {
	return all(nameForm.Match(b.Model.Provider), nameForm.Match(b.Model.ID))
}

// pathSession is the session in a path; the path has one.
func pathSession(path string) string {
	rest := strings.TrimPrefix(path, "/api/session/")
	session, _, _ := strings.Cut(rest, "/")
	return session
}

// notAllowed says which value of a query is not allowed.
func notAllowed(name string) error {
	return fmt.Errorf("hermes link run does not allow this value of %.40q", name)
}
