package v1

import (
	"fmt"

	"hermes/internal/session"
	"hermes/opencode/prompt"
)

// encodeParts are the prompt's parts as OpenCode takes them, with ids of their own so that
// they are not added twice.
func (d *Driver) encodeParts(p session.Prompt) ([]map[string]any, error) {
	list, size := make([]map[string]any, 0, len(p.Parts)), 0
	for n, part := range p.Parts {
		if size += len(part.Data); size > session.MaxFiles {
			return nil, refusal("prompt", session.ErrTooLarge)
		}
		w, err := d.encodePart(part)
		if err != nil {
			return nil, refusal("prompt", err)
		}
		w["id"] = prompt.PartID(p.ID, n+1)
		list = append(list, w)
	}
	return list, nil
}

func (d *Driver) encodePart(p session.Part) (map[string]any, error) {
	switch {
	case p.Agent != "":
		return map[string]any{"type": "agent", "name": p.Agent}, nil
	case p.Data == nil:
		return textPart(p.Text), nil
	}
	kind, err := prompt.MediaType(p)
	switch {
	case err != nil:
		return nil, err
	case kind == prompt.PlainText && !d.dataTexts: // 1.1.53 reads the address of the data as a part of the data
		return textPart(fmt.Sprintf("<file name=%q>\n%s\n</file>", p.Name, p.Data)), nil
	}
	return map[string]any{
		"type": "file", "mime": kind, "filename": p.Name,
		"url": prompt.DataURL(kind, p.Data),
	}, nil
}

func textPart(text string) map[string]any { return map[string]any{"type": "text", "text": text} }
