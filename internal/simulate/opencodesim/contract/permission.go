package contract

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"hermes/internal/simulate/probe"
)

const rejection = "The user rejected permission to use this specific tool call."

// runs is the script of shell commands that are called in one step.
func runs(commands ...string) string {
	var lines []string
	for _, c := range commands {
		lines = append(lines, calls("bash", map[string]string{"command": c, "description": "does " + c}))
	}
	return strings.Join(lines, "\n")
}

func writes(file, content string) string {
	return calls("write", map[string]string{"filePath": file, "content": content})
}

func calls(tool string, input map[string]string) string {
	raw, err := json.Marshal(input)
	if err != nil {
		panic("contract: " + err.Error())
	}
	return "CALL " + tool + " " + string(raw)
}

// askPermissions prompts a session and waits for its n requests, oldest first, and
// for their tool parts to be there.
func (p *prober) askPermissions(session, prompt string, n int) []request {
	p.Helper()
	p.prompt(session, prompt)
	return p.permissionsOf(session, n)
}

func (p *prober) askPermission(session, prompt string) request {
	p.Helper()
	return p.askPermissions(session, prompt, 1)[0]
}

func (p *prober) permissionsOf(session string, n int) []request {
	p.Helper()
	var list []request
	p.Eventually("permission requests of "+session, func() bool {
		list = p.permissions(session)
		return len(list) == n && !slices.ContainsFunc(list, func(r request) bool { return p.part(r).State.Status != "running" })
	})
	return list
}

// permissions are the open requests of a session.
func (p *prober) permissions(session string) []request {
	p.Helper()
	var all, own []request
	p.decode(p.get("/permission"), &all)
	for _, r := range all {
		if r.SessionID == session {
			own = append(own, r)
		}
	}
	return own
}

func (p *prober) decide(r request, reply string) probe.Answer {
	p.Helper()
	return p.decideAs(r, map[string]string{"reply": reply})
}

func (p *prober) decideAs(r request, decision any) probe.Answer {
	p.Helper()
	return p.post("/permission/"+r.ID+"/reply", decision)
}

// wantReplied waits for the event that a request was settled.
func (p *prober) wantReplied(s *stream, r request, reply string) {
	p.Helper()
	f := s.await(p, "permission.replied for "+r.ID, func(f frame) bool {
		return f.label() == "permission.replied" && f.Props.RequestID == r.ID
	})
	if f.Props.Reply != reply || f.Props.SessionID != r.SessionID {
		p.Errorf("permission.replied %s", f.Raw)
	}
}

func (p *prober) wantError(r request, want string) {
	p.Helper()
	if got := p.awaitPart(r, "error").State.Error; got != pick(p, "Error: ", "")+want {
		p.Errorf("the tool part's error is %q, want %q", got, want)
	}
}

// file is a path in the project that nothing else in this run uses.
func (p *prober) file(name string) string {
	return path.Join(p.Dir, strings.ReplaceAll(p.Name(), "/", "-")+name)
}

func (p *prober) awaitFile(file string) {
	p.Helper()
	p.Eventually(file+" is there", func() bool { return p.Exists(file) })
}

func (p *prober) wantNoFile(file string) {
	p.Helper()
	if p.Exists(file) {
		p.Errorf("%s is there: it was carried out", file)
	}
}
