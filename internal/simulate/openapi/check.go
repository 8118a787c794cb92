package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Exchange is a request and the answer to it, with both bodies.
type Exchange struct {
	Request *http.Request
	Sent    []byte
	Status  int
	Header  http.Header
	Got     []byte
}

// Check says what the document has not of an exchange; nil where it has all. What no path of the document is may be refused alone.
func (d *Document) Check(x Exchange) error {
	_, pattern := d.mux.Handler(x.Request)
	o, known := d.operations[pattern]
	if !known {
		if x.Status < 400 {
			return fmt.Errorf("%s %s is answered with %d, and is in no path", x.Request.Method, x.Request.URL.Path, x.Status)
		}
		return nil
	}
	err := d.checkAnswer(o, x)
	if x.Status < 300 {
		err = errors.Join(err, d.checkQuery(o, x.Request.URL.Query()), d.checkBody(o, x.Sent))
	}
	if err != nil {
		return fmt.Errorf("%s, answered with %d: %w", pattern, x.Status, err)
	}
	return nil
}

// Operation is the pattern of a request; false: the document has none.
func (d *Document) Operation(r *http.Request) (string, bool) {
	_, pattern := d.mux.Handler(r)
	_, ok := d.operations[pattern]
	return pattern, ok
}

func (d *Document) checkAnswer(o operation, x Exchange) error {
	r, ok := o.Responses[strconv.Itoa(x.Status)]
	if !ok {
		return errors.New("no such status")
	}
	if r.Ref != "" {
		r = d.responses[r.Ref[strings.LastIndex(r.Ref, "/")+1:]]
	}
	if len(r.Content) == 0 {
		if len(x.Got) > 0 {
			return fmt.Errorf("there is a body: %s", x.Got)
		}
		return nil
	}
	media, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	c, ok := r.Content[media]
	if !ok {
		return fmt.Errorf("no such content: %s", media)
	}
	return d.checkContent(media, c, x.Got)
}

func (d *Document) checkContent(media string, c content, body []byte) error {
	switch media {
	case "application/json":
		return d.checkJSON(c.Schema, body)
	case "application/x-ndjson":
		for line := range bytes.Lines(body) {
			if err := d.checkJSON(c.Schema, line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Document) checkJSON(schema json.RawMessage, body []byte) error {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return fmt.Errorf("%w: %s", err, body)
	}
	return d.checkValue(schema, value)
}

func (d *Document) checkValue(schema json.RawMessage, value any) error {
	form, err := d.form(schema)
	if err == nil {
		err = form.Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%w: %v", err, value)
	}
	return nil
}

func (d *Document) checkBody(o operation, body []byte) error {
	switch {
	case o.RequestBody == nil && len(body) > 0:
		return fmt.Errorf("the request has a body: %s", body)
	case o.RequestBody == nil:
		return nil
	}
	return d.checkJSON(o.RequestBody.Content["application/json"].Schema, body)
}

func (d *Document) checkQuery(o operation, query url.Values) error {
	for _, p := range o.Parameters {
		if p.In != "query" {
			continue
		}
		if value := query.Get(p.Name); value != "" {
			if err := d.checkValue(p.Schema, value); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		query.Del(p.Name)
	}
	if len(query) > 0 {
		return fmt.Errorf("no such parameter: %s", query.Encode())
	}
	return nil
}
