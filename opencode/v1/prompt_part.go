package v1

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif"  // for readable
	_ "image/jpeg" // for readable
	_ "image/png"  // for readable
	"strings"
	"unicode/utf8"

	"hermes/internal/session"
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
		w["id"] = partID(p.ID, n+1)
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
	kind, err := mediaTypeOf(p)
	switch {
	case err != nil:
		return nil, err
	case kind == plainText && !d.dataTexts: // 1.1.53 reads the address of the data as a part of the data
		return textPart(fmt.Sprintf("<file name=%q>\n%s\n</file>", p.Name, p.Data)), nil
	}
	return map[string]any{
		"type": "file", "mime": kind, "filename": p.Name,
		"url": "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(p.Data),
	}, nil
}

func textPart(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

const plainText = "text/plain"

// mediaTypeOf is the media type that a file is sent as. Of images, sound, video and PDF
// OpenCode tells a model that cannot read them that it was given one; of any other type
// it says nothing, and every further turn of that session fails (measured on 1.1.53 and
// 1.18.33 with application/zip, on 1.1.53 with text/markdown and application/json).
func mediaTypeOf(p session.Part) (string, error) {
	kind, _, _ := strings.Cut(strings.ToLower(p.Mime), ";")
	kind = strings.TrimSpace(kind)
	family, _, _ := strings.Cut(kind, "/")
	switch {
	case kind == "application/pdf", family == "audio", family == "video", isWholeImage(kind, p.Data):
		return kind, nil
	case utf8.Valid(p.Data) && !strings.ContainsRune(string(p.Data), 0):
		return plainText, nil
	}
	return "", session.ErrFile
}

// maxPixels bounds an image, so that to look at it takes no more than some memory.
const maxPixels = 50_000_000

// isWholeImage reports whether the data is a whole image. A prompt with one that it cannot
// read is lost in 1.18.33 without a word, and what is in WebP's is not known here.
func isWholeImage(kind string, data []byte) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/gif":
		size, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || size.Width*size.Height > maxPixels {
			return false
		}
		_, _, err = image.Decode(bytes.NewReader(data))
		return err == nil
	case "image/webp":
		return len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
	}
	return false
}

// joinTexts is all text of the parts.
func joinTexts(parts []session.Part) string {
	var list []string
	for _, p := range parts {
		if p.Text != "" {
			list = append(list, p.Text)
		}
	}
	return strings.Join(list, "\n")
}
