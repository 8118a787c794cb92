package mcp

import (
	"bytes"
	"encoding/json"
)

// request is a message of the client: a call if it has an id, else a notification.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// isCall reports whether the client waits for a response.
func (r request) isCall() bool { return len(r.ID) > 0 && string(r.ID) != "null" }

// response is the end of a request: one of Result and Error is there.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// fault says what is wrong with a request.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Codes of JSON-RPC, and one of MCP since 2026-07-28.
const (
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	unsupportedVersion = -32022
)

// messages are the requests of a message, which is a batch if it is a list: 2025-03-26 has them.
func messages(raw json.RawMessage) (list []json.RawMessage, several bool) {
	if !bytes.HasPrefix(raw, []byte("[")) {
		return []json.RawMessage{raw}, false
	}
	// It is a list, for a decoder has read it.
	_ = json.Unmarshal(raw, &list)
	return list, true
}

// params are what of the parameters of a request is looked at.
type params struct {
	ProtocolVersion string          `json:"protocolVersion"` // of initialize
	ClientInfo      *implementation `json:"clientInfo"`      // of initialize
	Name            string          `json:"name"`            // of a tool
	Arguments       json.RawMessage `json:"arguments"`       // of a tool
	RequestID       json.RawMessage `json:"requestId"`       // that is cancelled
	Meta            struct {
		ProgressToken any              `json:"progressToken"`
		Version       string           `json:"io.modelcontextprotocol/protocolVersion"`
		Client        *implementation  `json:"io.modelcontextprotocol/clientInfo"`
		Capabilities  *json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
	} `json:"_meta"`
}

// implementation is a program that speaks the protocol.
type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}
