package prompt

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif"  // for isWholeImage
	_ "image/jpeg" // for isWholeImage
	_ "image/png"  // for isWholeImage
	"strings"
	"unicode/utf8"

	"hermes/internal/session"
)

// PlainText is the media type of every file that is text.
const PlainText = "text/plain"

// MediaType is the media type that a file is sent as. Of images, sound, video and PDF
// OpenCode tells a model that cannot read them that it was given one; of any other type
// it says nothing, and every further turn of that session fails (measured on 1.1.53 and
// 1.18.33 with application/zip, on 1.1.53 with text/markdown and application/json).
func MediaType(p session.Part) (string, error) {
	kind, _, _ := strings.Cut(strings.ToLower(p.Mime), ";")
	kind = strings.TrimSpace(kind)
	family, _, _ := strings.Cut(kind, "/")
	switch {
	case kind == "application/pdf", family == "audio", family == "video", isWholeImage(kind, p.Data):
		return kind, nil
	case utf8.Valid(p.Data) && !strings.ContainsRune(string(p.Data), 0):
		return PlainText, nil
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

// DataURL is a file as its own address.
func DataURL(kind string, data []byte) string {
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// JoinTexts is all text of the parts.
func JoinTexts(parts []session.Part) string {
	var list []string
	for _, p := range parts {
		if p.Text != "" {
			list = append(list, p.Text)
		}
	}
	return strings.Join(list, "\n")
}
