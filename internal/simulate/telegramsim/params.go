package telegramsim

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
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

// readParams reads the query and a body of either of the kinds that hermes sends: JSON and multipart. Of several values with one name
// the first counts, and the query comes before the body (Query.h:56).
func (s *Server) readParams(r *http.Request, method string) (params, *refusal) {
	p := params{values: map[string]string{}, files: map[string]*Document{}}
	for name := range r.URL.Query() {
		p.set(name, r.URL.Query().Get(name))
	}
	kind, attrs, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := io.LimitReader(r.Body, maxBody)
	var err error
	switch kind {
	case "multipart/form-data":
		if err = p.addMultipart(body, attrs["boundary"]); err != nil {
			s.violate(method, "the form cannot be read: "+err.Error())
			return p, bad("unexpected end of request content")
		}
	case "application/json":
		err = p.addJSON(body)
	default:
		_, err = io.Copy(io.Discard, body)
	}
	if err != nil { // the server says nothing of it (HttpReader.cpp:222)
		s.violate(method, "the request body cannot be read: "+err.Error())
	}
	return p, nil
}

// set is one parameter, unless there is one of that name.
func (p params) set(name, value string) {
	if _, ok := p.values[name]; !ok {
		p.values[name] = value
	}
}

// addJSON reads a body of JSON, in which getUpdates comes. A value that is no string is its own text, null too
// (HttpReader.cpp:685-698).
func (p params) addJSON(body io.Reader) error {
	raw, err := io.ReadAll(body)
	if err != nil || len(raw) == 0 {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	for name, raw := range fields {
		value := string(raw)
		if raw[0] == '"' {
			_ = json.Unmarshal(raw, &value)
		}
		p.set(name, value)
	}
	return nil
}

// addMultipart reads part by part. A body without any part is refused, as one that ends too early (HttpReader.cpp,
// read_next).
func (p params) addMultipart(body io.Reader, boundary string) error {
	r := multipart.NewReader(body, boundary)
	for n := 0; ; n++ {
		part, err := r.NextPart()
		if err == io.EOF && n > 0 {
			return nil
		}
		if err == nil {
			err = p.addPart(part)
		}
		if err != nil {
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
		p.set(part.FormName(), string(data))
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
	return p.values[name] == "true"
}

// object decodes a parameter that is JSON; a missing one leaves dest alone.
func (p params) object(name string, dest any) error {
	if p.values[name] == "" {
		return nil
	}
	return json.Unmarshal([]byte(p.values[name]), dest)
}

// structure is object for a parameter that must begin with that bracket: broken are the
// words for what is no JSON, and other for any other kind of it, such as null.
func (p params) structure(name, bracket string, dest any, broken, other string) *refusal {
	raw := strings.TrimSpace(p.values[name])
	switch {
	case p.values[name] == "":
		return nil
	case !json.Valid([]byte(raw)):
		return wrong(broken)
	case !strings.HasPrefix(raw, bracket):
		return wrong(other)
	case json.Unmarshal([]byte(raw), dest) != nil:
		return wrong(broken)
	}
	return nil
}
