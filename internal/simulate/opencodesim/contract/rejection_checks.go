package contract

import "strings"

// permissionRejected: without a message the turn ends.
func permissionRejected(p *prober) {
	ses := p.newSession(p.Name())
	for _, decision := range []map[string]string{{"reply": "reject"}, {"reply": "reject", "message": ""}} {
		r := p.askPermission(ses, runs("touch "+p.file("")))
		p.wantTrue("reject", p.decideAs(r, decision))
		p.wantError(r, rejection)
		p.awaitIdle(ses)
		if said := p.said(ses); said != "" {
			p.Errorf("the agent went on and said %q", said)
		}
	}
	p.wantNoFile(p.file(""))
}

// permissionNote: with a message the agent reads it and goes on.
func permissionNote(p *prober) {
	const note = "use make\nplease \"now\""
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, runs("touch "+p.file("")))
	p.wantTrue("reject", p.decideAs(r, map[string]string{"reply": "reject", "message": note}))
	p.wantError(r, strings.TrimSuffix(rejection, ".")+" with the following feedback: "+note)
	p.awaitSaid(ses, "feedback: "+note)
	p.awaitIdle(ses)
	p.wantNoFile(p.file(""))
}

// permissionRejectedTogether: a reject takes the session's other asks with it, of
// which none has the message; so the turn ends even with one. Other sessions' asks
// stay.
func permissionRejectedTogether(p *prober) {
	s := p.listen()
	ses, other := p.newSession(p.Name()), p.newSession(p.Name())
	waiting := p.askPermission(other, runs("touch "+p.file("-other")))
	list := p.askPermissions(ses, runs("touch "+p.file("-1"), "mv a b"), 2)
	p.wantTrue("reject", p.decideAs(list[0], map[string]string{"reply": "reject", "message": "no"}))
	p.wantReplied(s, list[0], "reject")
	p.wantReplied(s, list[1], "reject")
	p.wantError(list[0], strings.TrimSuffix(rejection, ".")+" with the following feedback: no")
	p.wantError(list[1], rejection)
	p.awaitIdle(ses)
	if said := p.said(ses); said != "" {
		p.Errorf("the agent went on and said %q", said)
	}
	p.WantStatus("a late once", p.decide(list[1], "once"), pick(p, 200, 404))
	if left := p.permissions(other); len(left) != 1 || left[0].ID != waiting.ID {
		p.Errorf("open is %+v", left)
	}
	p.wantTrue("reject", p.decide(waiting, "reject"))
	p.awaitIdle(other)
}

// permissionInSubagent: the ask is the subagent's; its parent goes on whatever
// becomes of it.
func permissionInSubagent(p *prober) {
	for _, note := range []string{"", "look elsewhere"} {
		parent := p.newSession(p.Name())
		p.prompt(parent, "TASK "+p.Agent+" "+runs("touch "+p.file("")))
		var children []session
		p.Eventually("a child session", func() bool {
			p.Decode(p.get("/session/"+parent+"/children"), &children)
			return len(children) == 1
		})
		r := p.permissionsOf(children[0].ID, 1)[0]
		p.wantTrue("reject", p.decideAs(r, map[string]string{"reply": "reject", "message": note}))
		told := "feedback: look elsewhere"
		if note == "" {
			told = pick(p, "<task_result>", "Subagent failed (task_id: "+r.SessionID+"): "+rejection)
		}
		p.awaitSaid(parent, told)
		p.awaitIdle(parent)
		p.wantNoFile(p.file(""))
	}
}

// permissionAborted: the request of an aborted turn stays listed, and when it is
// rejected that is taken. On 1.1.53 the tool part stays running until then.
func permissionAborted(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, runs("touch "+p.file("")))
	p.abort(ses)
	p.awaitPart(r, pick(p, "running", "error"))
	if left := p.permissions(ses); len(left) != 1 {
		p.Errorf("open is %+v", left)
	}
	p.wantTrue("reject", p.decide(r, "reject"))
	p.wantReplied(s, r, "reject")
	if got := p.awaitPart(r, "error").State.Error; got != "Tool execution aborted" {
		p.Errorf("the tool part's error is %q", got)
	}
	p.awaitIdle(ses)
	p.wantNoFile(p.file(""))
}

func (p *prober) abort(session string) {
	p.Helper()
	p.wantTrue("abort", p.post("/session/"+session+"/abort", nil))
	p.awaitIdle(session)
}

// permissionLate: a grant that comes after the abort is carried out, although
// neither the session nor the tool part shows it. (A command is started too, and
// killed: whether it gets done is a matter of luck.)
func permissionLate(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, writes(p.file(".txt"), "late\n"))
	p.abort(ses)
	p.wantTrue("a late once", p.decide(r, "once"))
	p.wantReplied(s, r, "once")
	p.awaitFile(p.file(".txt"))
	if got := p.part(r).State.Status; got != pick(p, "running", "error") {
		p.Errorf("the tool part is %s", got)
	}
	if p.busy(ses) || p.said(ses) != "" {
		p.Error("the session goes on")
	}
	r = p.askPermission(p.newSession(p.Name()), runs("chmod 600 nothing"))
	p.abort(r.SessionID)
	p.wantTrue("a late always", p.decide(r, "always"))
	next := p.newSession(p.Name()) // the end of the aborted call may stop a turn of its own session (1.1.53)
	p.prompt(next, runs("chmod 600 nothing either"))
	p.awaitSaid(next, "TOOLRESULT<<") // without being asked
	p.awaitIdle(next)
}

// permissionLeakRejected: rejecting what an aborted turn left takes the ask of a
// newer turn with it.
func permissionLeakRejected(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Name())
	leaked := p.askPermission(ses, runs("mv leaked x"))
	p.abort(ses)
	p.prompt(ses, runs("mv newer x"))
	newer := p.permissionsListed(ses, 2)[1]
	p.awaitPart(newer, "running")
	p.wantTrue("reject", p.decide(leaked, "reject"))
	p.wantReplied(s, newer, "reject")
	p.wantError(newer, rejection)
	p.awaitIdle(ses)
}

func (p *prober) permissionsListed(session string, n int) []request {
	p.Helper()
	var list []request
	p.Eventually("permission requests of "+session, func() bool {
		list = p.permissions(session)
		return len(list) == n
	})
	return list
}

// permissionDeleted: deleting a session leaves its request, and a grant of it is
// carried out.
func permissionDeleted(p *prober) {
	ses := p.newSession(p.Name())
	r := p.askPermission(ses, runs("touch "+p.file("")))
	p.wantTrue("delete", p.send("DELETE", "/session/"+ses, p.Dir, "", ""))
	if left := p.permissions(ses); len(left) != 1 {
		p.Errorf("open is %+v", left)
	}
	p.wantTrue("a late once", p.decide(r, "once"))
	p.awaitFile(p.file(""))
}
