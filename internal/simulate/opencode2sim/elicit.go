package opencode2sim

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Elicitation is what an MCP tool asks its user (section 3.4): the message and the
// fields, or the address of a page that the user has to visit. A nil result asks nothing.
type Elicitation func(args map[string]any) *Elicited

// Elicited is one form of an MCP server.
type Elicited struct {
	Message string
	Fields  []map[string]any
	URL     string
}

// runExecute runs code that calls one MCP tool.
func (r *toolbox) runExecute(c *call, code string) {
	found := regexp.MustCompile(`tools\.(\w+)\.(\w+)\((.*)\)`).FindStringSubmatch(code)
	if found == nil {
		r.complete(c, data{"toolCalls": []data{}}, "undefined")
		return
	}
	server, tool := found[1], found[1]+"."+found[2]
	elicit := r.opts.Tools[tool]
	if elicit == nil {
		r.failure(c, "tool.execution", "Unknown tool: "+tool, "Unknown tool: "+tool)
		return
	}
	var args data
	_ = json.Unmarshal([]byte(found[3]), &args)
	done := func(reply any) {
		record := data{"tool": tool, "status": "completed"}
		if len(args) > 0 {
			record["input"] = args
		}
		r.later(c.turn, func() { r.complete(c, data{"toolCalls": []data{record}}, "elicitation said "+spaced(reply)) })
	}
	want := elicit(args)
	if want == nil {
		done(data{"action": "decline"})
		return
	}
	r.elicit(c.turn.ses.dir(), server, *want, done)
}

// spaced is JSON as the captures' MCP server writes it.
func spaced(v any) string {
	raw, _ := json.Marshal(v)
	return strings.NewReplacer(`":`, `": `, `,"`, `, "`, `",`, `", `).Replace(string(raw))
}

// elicit opens the form of an MCP server. No session owns it: an interrupt leaves it.
func (r *toolbox) elicit(dir, server string, want Elicited, done func(reply any)) *form {
	f := &form{
		owner: global, dir: dir, title: server + " is requesting input", fields: want.Fields,
		metadata: data{"kind": "mcp-elicitation", "server": server, "message": want.Message},
	}
	if want.URL != "" {
		f.metadata["elicitationID"] = r.disk.mint.Ascending("elicit")
		f.fields = []data{{"key": "elicitation", "type": "external", "url": want.URL}}
	}
	f.answered = func(answer data) {
		r.record.answered(f.id, "", nil)
		reply := data{"action": "accept"}
		if want.URL == "" {
			reply["content"] = answer
		}
		done(reply)
	}
	f.cancelled = func(string) {
		r.record.answered(f.id, "", nil)
		done(data{"action": "cancel"})
	}
	r.forms.open(f)
	return f
}
