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
	p.Decode(p.get("/permission"), &all)
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

// permission: what bash asks for. 1.1.53 tells the command in the tool part alone;
// the part names no more than the agent gave, and the message names the agent.
func permission(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, runs("echo hi"))
	if !strings.HasPrefix(r.ID, "per_") || r.Permission != "bash" || !slices.Equal(r.Patterns, []string{"echo hi"}) ||
		!slices.Equal(r.Always, []string{"echo *"}) || r.Metadata.Command != pick(p, "", "echo hi") {
		p.Errorf("asked %+v", r)
	}
	in := p.part(r).State.Input
	if in.Command != "echo hi" || in.Description != "does echo hi" {
		p.Errorf("the tool part's input is %+v", in)
	}
	var m message
	p.Decode(p.get("/session/"+ses+"/message/"+r.Tool.MessageID), &m)
	if m.Info.Agent != "build" {
		p.Errorf("the message is of agent %q", m.Info.Agent)
	}
	p.wantTrue("once", p.decide(r, "once"))
	p.wantReplied(s, r, "once")
	p.awaitPart(r, "completed")
	p.awaitSaid(ses, "TOOLRESULT<<")
	p.awaitIdle(ses)
}

// permissionRefused: what is no decision, or for no open request, changes nothing.
func permissionRefused(p *prober) {
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, runs("echo hi"))
	p.WantStatus("an unknown id", p.decide(request{ID: "per_unknown"}, "once"), pick(p, 200, 404))
	p.WantStatus("an unknown word", p.decide(r, "maybe"), 400)
	p.WantStatus("no word", p.decideAs(r, map[string]string{}), 400)
	p.WantStatus("a note that is no text", p.decideAs(r, map[string]any{"reply": "reject", "message": 5}), 400)
	if n := len(p.permissions(ses)); n != 1 {
		p.Fatalf("%d requests are open, want 1", n)
	}
	p.wantTrue("once", p.decide(r, "once"))
	p.awaitPart(r, "completed")
	p.awaitIdle(ses)
	p.WantStatus("a second reply", p.decide(r, "once"), pick(p, 200, 404))
}

// permissionCompound: each command of a line has its pattern, cd has none.
func permissionCompound(p *prober) {
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, runs("cd . && git status; A=1 npm run build || ls -la | head -1"))
	if want := []string{"git status", "A=1 npm run build", "ls -la", "head -1"}; !slices.Equal(r.Patterns, want) {
		p.Errorf("patterns %q, want %q", r.Patterns, want)
	}
	if want := []string{"git status *", "npm run build *", "ls *", "head *"}; !slices.Equal(r.Always, want) {
		p.Errorf("always %q, want %q", r.Always, want)
	}
	p.wantTrue("reject", p.decide(r, "reject"))
	p.awaitIdle(ses)
}

// permissionEdit: both versions give the diff; write asks as edit does.
func permissionEdit(p *prober) {
	ses, file := p.newSession(p.Name()), p.file(".txt")
	r := p.askPermission(ses, writes(file, "one\ntwo\n"))
	diff := "Index: " + file + "\n" + strings.Repeat("=", 67) + "\n--- " + file + "\n+++ " + file + "\n@@ -0,0 +1,2 @@\n+one\n+two\n"
	if r.Permission != "edit" || !slices.Equal(r.Patterns, []string{path.Base(file)}) || !slices.Equal(r.Always, []string{"*"}) ||
		r.Metadata.FilePath != file || r.Metadata.Diff != diff {
		p.Errorf("asked %+v", r)
	}
	if in := p.part(r).State.Input; in.FilePath != file || in.Content != "one\ntwo\n" {
		p.Errorf("the tool part's input is %+v", in)
	}
	p.wantNoFile(file)
	p.wantTrue("once", p.decide(r, "once"))
	p.awaitPart(r, "completed")
	p.awaitFile(file)
	p.awaitIdle(ses)
}

// permissionOutside: a folder outside the project is asked for before the command,
// for the same call.
func permissionOutside(p *prober) {
	ses, file := p.newSession(p.Name()), path.Join(p.OtherDir, "outside")
	first := p.askPermission(ses, runs("touch "+file))
	if first.Permission != "external_directory" || !slices.Equal(first.Patterns, []string{p.OtherDir + "/*"}) {
		p.Errorf("asked %+v", first)
	}
	p.wantTrue("once", p.decide(first, "once"))
	second := p.permissionsOf(ses, 1)[0]
	if second.ID == first.ID || second.Permission != "bash" || second.Tool != first.Tool {
		p.Errorf("then asked %+v", second)
	}
	p.wantNoFile(file)
	p.wantTrue("once", p.decide(second, "once"))
	p.awaitFile(file)
	p.awaitIdle(ses)
}

// permissionAlways: the session's open asks that the rule covers are settled with
// it, another session's are not; but no session is asked again. What is covered in
// part is asked as a whole.
func permissionAlways(p *prober) {
	s := p.listen()
	ses, other := p.newSession(p.Name()), p.newSession(p.Name())
	waiting := p.askPermission(other, runs("mkdir "+p.file("-other")))
	list := p.askPermissions(ses, runs("mkdir "+p.file("-1"), "mkdir "+p.file("-2"), "touch "+p.file("-3")), 3)
	p.wantTrue("always", p.decide(list[0], "always"))
	p.wantReplied(s, list[0], "always")
	p.wantReplied(s, list[1], "always")
	p.awaitFile(p.file("-2"))
	if left := p.permissions(ses); len(left) != 1 || left[0].ID != list[2].ID {
		p.Errorf("open is %+v", left)
	}
	p.wantTrue("once", p.decide(list[2], "once"))
	p.awaitIdle(ses)
	p.wantNoFile(p.file("-other"))
	p.wantTrue("once", p.decide(waiting, "once"))
	p.awaitIdle(other)
	p.prompt(other, runs("mkdir "+p.file("-4")))
	p.awaitFile(p.file("-4")) // without being asked
	p.awaitIdle(other)
	r := p.askPermission(other, runs("mkdir "+p.file("-5")+" && date"))
	if len(r.Patterns) != 2 || !slices.Equal(r.Always, []string{"mkdir *", "date *"}) {
		p.Errorf("asked %+v", r)
	}
	p.wantTrue("once", p.decide(r, "once"))
	p.awaitIdle(other)
}
