package opencodesim

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
)

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
