package mcp

import "slices"

// modern is the version since which each request says what the client is, and nothing is agreed on before.
const modern = "2026-07-28"

// agreed are the versions that begin with initialize, the newest first.
func agreed() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} }

func supported() []string { return append([]string{modern}, agreed()...) }

// isModern reports whether the request is one of a version since modern, and what is wrong with it as such.
func (p params) isModern() (bool, *fault) {
	switch {
	case p.Meta.Version < modern: // dates compare as text; none is less
		return false, nil
	case p.Meta.Version != modern:
		return true, &fault{unsupportedVersion, "unsupported protocol version", map[string]any{"supported": supported(), "requested": p.Meta.Version}}
	case p.Meta.Capabilities == nil:
		return true, &fault{invalidParams, "missing or invalid _meta field \"io.modelcontextprotocol/clientCapabilities\"", nil}
	}
	return true, nil
}

// chosen is the version for a client that begins with initialize.
func chosen(asked string) string {
	if slices.Contains(agreed(), asked) {
		return asked
	}
	return agreed()[0]
}
