package api

import (
	_ "embed"
	"net/http"
)

// openAPI is made by a test, of the types of this interface and of the table of operations beside it.
//
//go:embed openapi.json
var openAPI []byte

// OpenAPI is the description of the HTTP interface, an OpenAPI 3.1 document in JSON.
func OpenAPI() []byte { return openAPI }

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
