package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// maxBody bounds a request body: 50 MB of file and some room for its fields.
const maxBody = 51 << 20

// params are a call's parameters, from query and body alike. Values that are not
// strings are kept as JSON text.
type params struct {
	values map[string]string
	files  map[string]*Document
}

// readParams reads the query and a body of any of the kinds that the Bot API
// takes: urlencoded, JSON and multipart.
func readParams(r *http.Request) (params, error) {
	p := params{values: map[string]string{}, files: map[string]*Document{}}
	p.addForm(r.URL.Query())
	kind, attrs, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := io.LimitReader(r.Body, maxBody)
	switch kind {
	case "multipart/form-data":
		return p, p.addMultipart(multipart.NewReader(body, attrs["boundary"]))
	case "application/json":
		return p, p.addJSON(body)
	case "application/x-www-form-urlencoded":
		return p, p.addURLEncoded(body)
	}
	_, err := io.Copy(io.Discard, body)
	return p, err
}

func (p params) addForm(form url.Values) {
	for name := range form {
		p.values[name] = form.Get(name)
	}
}

func (p params) addURLEncoded(body io.Reader) error {
	raw, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	form, err := url.ParseQuery(string(raw))
	p.addForm(form)
	return err
}

func (p params) addJSON(body io.Reader) error {
	fields := map[string]json.RawMessage{}
	if err := json.NewDecoder(body).Decode(&fields); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for name, raw := range fields {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		if string(raw) != "null" {
			p.values[name] = text
		}
	}
	return nil
}

// addMultipart reads part by part, so that a sender may stream. A body without
// any part is what clients send for methods without parameters.
func (p params) addMultipart(r *multipart.Reader) error {
	for n := 0; ; n++ {
		part, err := r.NextPart()
		if err == io.EOF || n == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("part %d: %w", n, err)
		}
		if err := p.addPart(part); err != nil {
			return fmt.Errorf("part %d: %w", n, err)
		}
	}
}

func (p params) addPart(part *multipart.Part) error {
	data, err := io.ReadAll(part)
	if err != nil {
		return err
	}
	if part.FileName() == "" {
		p.values[part.FormName()] = string(data)
		return nil
	}
	p.files[part.FormName()] = &Document{Name: part.FileName(), Data: data}
	return nil
}

func (p params) text(name string) string { return p.values[name] }

// integer is lenient as the Bot API is: what is not a number is 0.
func (p params) integer(name string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSpace(p.values[name]), 10, 64)
	return n
}

func (p params) boolean(name string) bool {
	switch strings.ToLower(strings.TrimSpace(p.values[name])) {
	case "true", "yes", "1":
		return true
	}
	return false
}

// object decodes a parameter that is JSON; a missing one leaves dest alone.
func (p params) object(name string, dest any) error {
	if p.values[name] == "" {
		return nil
	}
	return json.Unmarshal([]byte(p.values[name]), dest)
}
