package api

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"net/http"
)

// openAPI is openapi.json, compressed. A test makes both of the types of this interface, and of the table of operations beside it.
//
//go:embed openapi.json.gz
var openAPI []byte

// OpenAPI is the description of the HTTP interface, an OpenAPI 3.1 document in JSON.
func OpenAPI() []byte {
	r, err := gzip.NewReader(bytes.NewReader(openAPI))
	if err != nil {
		return nil // it is in the program, and a test reads it
	}
	text, _ := io.ReadAll(r)
	return text
}

// ServeOpenAPI answers GET /v1/openapi.json.
func ServeOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store") // another version of hermes has another one
	_, _ = w.Write(OpenAPI())                   // the caller is gone if this fails
}

// Caller is who may call a path of the HTTP interface: the closed set of what the description says of that.
type Caller string

// The callers, by what they must show.
const (
	Anybody     Caller = "anybody" // no token
	LinkHolder  Caller = "link"    // the token of a link, or that of the API
	TokenHolder Caller = "api"     // the token of the API
)
