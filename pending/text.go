package pending

import (
	"encoding/json"
	"unicode/utf8"
)

// text is a string that comes back from JSON byte for byte. JSON can say only
// Unicode, and package json puts U+FFFD for what is not; names of directories
// and words from agents may hold any bytes. Such a string is an object with its
// bytes in base64; every other is a JSON string.
type text string

type rawText struct {
	Base64 []byte `json:"base64"`
}

func (t text) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(string(t)) {
		return json.Marshal(rawText{[]byte(t)})
	}
	return json.Marshal(string(t))
}

func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return json.Unmarshal(b, (*string)(t))
	}
	var raw rawText
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*t = text(raw.Base64)
	return nil
}
