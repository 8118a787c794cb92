package opencodesim

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"net/http"
	"strconv"
	"strings"
)

type messageJSON struct {
	Info  messageInfo `json:"info"`
	Parts []*part     `json:"parts"`
}

func (m *message) json() messageJSON {
	parts := m.parts
	if parts == nil {
		parts = []*part{}
	}
	return messageJSON{m.info, parts}
}

// text is its text parts, joined by lines.
func (m *message) text() string {
	var texts []string
	for _, p := range m.parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	return joinLines(texts)
}

// listMessages lists the latest messages of a session, oldest first. 1.1.53 says of a session
// that does not exist that it has none.
func (s *Simulator) listMessages(r *http.Request) answer {
	list := []messageJSON{}
	if !s.is.modern && s.sessions[r.PathValue("session")] == nil {
		return ok(list)
	}
	all := s.session(r).messages
	if n, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil && n < len(all) {
		all = all[len(all)-n:]
	}
	for _, m := range all {
		list = append(list, m.json())
	}
	return ok(list)
}

func (s *Simulator) getMessage(r *http.Request) answer {
	ses, id := s.session(r), r.PathValue("message")
	m := ses.message(id)
	if m == nil {
		return notFound("Message not found: " + id)
	}
	return ok(m.json())
}

func (s *Simulator) promptAsync(r *http.Request) answer {
	var o map[string]any
	read(r, &o)
	list, isList := o["parts"].([]any)
	if !isList {
		return invalid()
	}
	p := promptFrom(o, list)
	p.Session = r.PathValue("session")
	inst := s.instanceFor(r)
	p.Directory = inst.dir
	ses := s.reachable(p.Session, inst)
	if ses == nil && s.is.modern {
		return s.is.sessionNotFound(p.Session)
	}
	if ses != nil && s.knowsAgent(inst, p) && s.seesImages(inst, p) {
		s.takePrompt(ses, p)
	}
	return done() // 1.1.53: also for a session that does not exist
}

// takePrompt stores or queues a prompt or starts a turn with it. On 1.1.53 it
// runs in the instance that the request reached, on newer versions in the
// session's own.
func (s *Simulator) takePrompt(ses *session, p Prompt) {
	if s.is.modern {
		p.Directory = ses.info.Directory
	}
	s.prompts = append(s.prompts, p)
	if stored := ses.message(p.MessageID); stored != nil && len(p.parts) == 0 {
		p.Text = stored.text()
	}
	inst := s.instance(p.Directory)
	switch {
	case p.NoReply || !s.is.startsTurn(ses, p):
		s.storePrompt(ses, inst, p)
	case ses.turn != nil:
		ses.queue = append(ses.queue, queued{p, s.storePrompt(ses, inst, p)})
	default:
		message := s.storePrompt(ses, inst, p)
		if s.knowsModel(ses, inst) {
			s.follow(s.beginTurn(ses, inst, message), p)
		}
	}
}

// startsTurn is false for a message id that was answered already, and, on 1.1.53,
// for one that does not sort after the session's last message. An answer that ended in
// an error is none.
func (is behaviour) startsTurn(ses *session, p Prompt) bool {
	if p.MessageID == "" || len(ses.messages) == 0 {
		return true
	}
	if ses.message(p.MessageID) != nil {
		last := ses.messages[len(ses.messages)-1].info
		return ses.turn == nil && (last.Role == "user" || last.Error != nil)
	}
	return is.modern || p.MessageID > ses.messages[len(ses.messages)-1].info.ID
}

func promptFrom(o map[string]any, list []any) Prompt {
	p := Prompt{}
	p.MessageID, _ = o["messageID"].(string)
	p.NoReply, _ = o["noReply"].(bool)
	p.Agent, _ = o["agent"].(string)
	if m, ok := o["model"].(map[string]any); ok {
		p.model.ProviderID, _ = m["providerID"].(string)
		p.model.ModelID, _ = m["modelID"].(string)
		p.Model = p.model.ProviderID + "/" + p.model.ModelID
	}
	var texts []string
	for _, item := range list {
		given := partFrom(item)
		switch given.Type {
		case "text":
			texts = append(texts, given.Text)
		case "file":
			p.Files = append(p.Files, File{given.Filename, given.Mime, given.data()})
		}
		p.parts = append(p.parts, given)
	}
	p.Text = joinLines(texts)
	return p
}

func partFrom(item any) part {
	o, _ := item.(map[string]any)
	text := func(key string) string { v, _ := o[key].(string); return v }
	return part{
		ID: text("id"), Type: text("type"), Text: text("text"), Name: text("name"),
		Mime: text("mime"), Filename: text("filename"), URL: text("url"),
	}
}

// data is what is in a file part's address.
func (p part) data() []byte {
	_, encoded, _ := strings.Cut(p.URL, ";base64,")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil
	}
	return raw
}

// expand is what OpenCode writes into the prompt for a part: a text file's content
// (which 1.1.53 garbles, as it takes the address for data too), and that an agent
// mentioned is to be called.
func (is behaviour) expand(p part) []string {
	switch {
	case p.Type == "agent":
		return []string{" Use the above message and context to generate a prompt and call the task tool with subagent: " + p.Name}
	case p.Type != "file" || p.Mime != "text/plain":
		return nil
	}
	content := string(p.data())
	if !is.modern {
		content = "u\ufffdZ\ufffd\ufffdm\ufffd\ufffdZ\ufffdv\u06b1\ufffd" + content
	}
	return []string{`Called the Read tool with the following input: {"filePath":"` + p.Filename + `"}`, content}
}

// seesImages reports whether newer versions can decode a prompt's images. If not, the
// prompt is not even stored.
func (s *Simulator) seesImages(inst *instance, p Prompt) bool {
	for _, f := range p.Files {
		if _, err := png.Decode(bytes.NewReader(f.Data)); s.is.modern && f.Mime == "image/png" && err != nil {
			s.bus.publishFailure(inst, p.Session, "ImageDecodeError: Image could not be decoded")
			return false
		}
	}
	return true
}

// follow does what a prompt says, with its files. A file of a type that no model reads
// breaks the session: this turn fails, and so does every other.
func (s *Simulator) follow(t *turn, p Prompt) {
	text := p.Text
	for _, given := range p.parts {
		text += after(s.is.expand(given))
		switch family, _, _ := strings.Cut(given.Mime, "/"); {
		case given.Type != "file", family == "image", family == "audio", family == "video", given.Mime == "application/pdf", given.Mime == "text/plain":
		case family == "text" && s.is.modern:
			text += "\n" + string(given.data())
		default:
			t.ses.broken = "'file part media type " + given.Mime + "' functionality not supported."
		}
	}
	if t.ses.broken != "" {
		s.breakOff(t)
		return
	}
	s.run(t, text)
}

func after(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "\n" + strings.Join(lines, "\n")
}

// breakOff ends a turn with an error.
func (s *Simulator) breakOff(t *turn) {
	why := t.ses.broken
	if !s.is.modern {
		why = "AI_UnsupportedFunctionalityError: " + why
	}
	t.assistant.info.Error = &sessionFail{"UnknownError", map[string]string{"message": why}}
	s.publishMessage(t.inst, t.assistant)
	s.bus.publishError(t, t.assistant.info.Error)
	s.endTurn(t)
}
