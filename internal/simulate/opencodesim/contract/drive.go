package contract

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// id is one of OpenCode's form that is ahead of the time now by n.
func (p *prober) id(prefix string, ahead time.Duration, n int) string {
	at := uint64(time.Now().Add(ahead).UnixMilli()*4096) + uint64(n)
	return fmt.Sprintf("%s_%012xAAAAAAAAAAAAAA", prefix, at&(1<<48-1))
}

func textPart(id, text string) map[string]any {
	return map[string]any{"id": id, "type": "text", "text": text}
}

func filePart(id, name, mime, data string) map[string]any {
	return map[string]any{
		"id": id, "type": "file", "mime": mime, "filename": name,
		"url": "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString([]byte(data)),
	}
}

// send a prompt with these parts.
func (p *prober) promptParts(session string, more map[string]any, parts ...map[string]any) {
	p.Helper()
	body := map[string]any{"parts": append([]map[string]any{}, parts...)}
	for key, value := range more {
		body[key] = value
	}
	p.WantStatus("prompt_async", p.post("/session/"+session+"/prompt_async", body), http.StatusNoContent)
}

// awaitAnswers waits until the session is idle with n answers of the agent.
func (p *prober) awaitAnswers(session string, n int) []message {
	p.Helper()
	var list []message
	p.Eventually(fmt.Sprintf("%d answers", n), func() bool {
		list = p.messages(session)
		count := 0
		for _, m := range list {
			if m.Info.Role == "assistant" && (m.Info.Time.Completed > 0 || m.Info.Error.Name != "") {
				count++
			}
		}
		return count == n && !p.busy(session)
	})
	return list
}

type change struct {
	File      string  `json:"file"`
	Additions int     `json:"additions"`
	Deletions int     `json:"deletions"`
	Patch     string  `json:"patch"`
	Before    *string `json:"before"`
	After     *string `json:"after"`
}

// changes are the diffs of a prompt, nil while there is no summary.
func (m message) changes() []change {
	var summary struct {
		Diffs []change `json:"diffs"`
	}
	if json.Unmarshal(m.Info.Summary, &summary) != nil {
		return nil
	}
	return summary.Diffs
}

// promptAgain: a prompt whose message and parts have ids of one's own is there once and
// run once, however often it is sent.
func promptAgain(p *prober) {
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	own := map[string]any{"messageID": id}
	for range 3 {
		p.promptParts(ses, own, textPart(p.partOf(id, 1), "hello"))
	}
	p.awaitAnswers(ses, 1)
	p.promptParts(ses, own, textPart(p.partOf(id, 1), "hello"))
	list := p.awaitAnswers(ses, 1)
	if len(list) != 2 || len(list[0].Parts) != 1 || list[1].Info.ParentID != id {
		p.Errorf("the session has %+v", list)
	}
	if got := list[1].Info; got.Tokens.Input != 10 || got.Tokens.Output != 5 || got.Time.Completed < got.Time.Created {
		p.Errorf("the answer says of itself %+v", got)
	}
}

func (p *prober) partOf(message string, n int) string {
	return "prt_" + message[4:16] + "AAAAAAAAAAAAA" + string(rune('A'+n))
}

// partOrder: the parts of a prompt are listed by their ids.
func partOrder(p *prober) {
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	p.promptParts(ses, map[string]any{"messageID": id}, textPart(p.partOf(id, 2), "one"), textPart(p.partOf(id, 1), "two"))
	var got []string
	for _, part := range p.awaitAnswers(ses, 1)[0].Parts {
		got = append(got, part.Text)
	}
	if want := "two one"; strings.Join(got, " ") != want {
		p.Errorf("the parts are %q, want %s", got, want)
	}
}

// promptEarly: a message id that sorts before the session's last message is not
// answered by 1.1.53.
func promptEarly(p *prober) {
	ses := p.newSession(p.Name())
	p.prompt(ses, "hello")
	p.awaitAnswers(ses, 1)
	id := p.id("msg", -time.Minute, 0)
	p.promptParts(ses, map[string]any{"messageID": id}, textPart(p.partOf(id, 1), "early"))
	list := p.awaitAnswers(ses, pick(p, 1, 2))
	p.Eventually("the early prompt is stored", func() bool { list = p.messages(ses); return len(list) == pick(p, 3, 4) })
	if first := list[0].Info.ID == id; first == p.modern() {
		p.Errorf("the early prompt is first: %v", first)
	}
}

// noReply: a prompt without a reply is stored and starts nothing.
func noReply(p *prober) {
	ses := p.newSession(p.Name())
	p.promptParts(ses, map[string]any{"noReply": true}, textPart(p.id("prt", 0, 0), "note"))
	p.Eventually("the note is stored", func() bool { list := p.messages(ses); return len(list) == 1 && len(list[0].Parts) == 1 })
	if p.busy(ses) {
		p.Error("the note made the session work")
	}
	p.prompt(ses, "hello")
	if list := p.awaitAnswers(ses, 1); len(list) != 3 {
		p.Errorf("the session has %+v", list)
	}
}

// promptWoken: a prompt that is there and was not run is run when it is sent again
// without its parts.
func promptWoken(p *prober) {
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	p.promptParts(ses, map[string]any{"messageID": id, "agent": "plan", "noReply": true}, textPart(p.partOf(id, 1), "wake up"))
	p.Eventually("the prompt is stored", func() bool { list := p.messages(ses); return len(list) == 1 && len(list[0].Parts) == 1 })
	p.promptParts(ses, map[string]any{"messageID": id, "agent": "plan"})
	list := p.awaitAnswers(ses, 1)
	if len(list) != 2 || list[0].Parts[0].Text != "wake up" || list[1].Info.ParentID != id || !strings.Contains(p.said(ses), "wake up") {
		p.Errorf("the session has %+v", list)
	}
}

// agentAndModel: the session keeps the model of its last prompt, and not the agent.
func agentAndModel(p *prober) {
	ses := p.newSession(p.Name())
	p.promptParts(ses, map[string]any{"agent": "plan", "model": map[string]string{"providerID": "scripted", "modelID": "second"}},
		textPart(p.id("prt", 0, 0), "hello"))
	p.awaitAnswers(ses, 1)
	p.prompt(ses, "again")
	list := p.awaitAnswers(ses, 2)
	for i, agent := range []string{"plan", "plan", "build", "build"} {
		got, model := list[i].Info, list[i].Info.Model.ID
		if got.Role == "assistant" {
			model = got.ModelID
		}
		if got.Agent != agent || model != "second" {
			p.Errorf("message %d is of %s with %s", i, got.Agent, model)
		}
	}
}

// unknownAgent: the prompt is taken and lost.
func unknownAgent(p *prober) {
	ses := p.newSession(p.Name())
	p.promptParts(ses, map[string]any{"agent": "nosuch"}, textPart(p.id("prt", 0, 0), "hello"))
	p.prompt(ses, "after")
	if list := p.awaitAnswers(ses, 1); len(list) != 2 {
		p.Errorf("the session has %+v", list)
	}
}

// unknownModel: the prompt is stored, and nothing answers it. Newer versions say so.
func unknownModel(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Name())
	p.promptParts(ses, map[string]any{"model": map[string]string{"providerID": "scripted", "modelID": "nosuch"}}, textPart(p.id("prt", 0, 0), "hello"))
	s.awaitLabel(p, ses, "session.idle")
	if list := p.messages(ses); len(list) != 1 || list[0].Info.Role != "user" {
		p.Errorf("the session has %+v", list)
	}
	frames, _, _ := s.State()
	if got := strings.Contains(labels(frames, ses), "session.error"); got != p.modern() {
		p.Errorf("an error is told: %v", got)
	}
}

// todos: the agent's list is kept with the session.
func todos(p *prober) {
	ses := p.newSession(p.Name())
	p.prompt(ses, `CALL todowrite {"todos":[{"content":"one","status":"completed","priority":"high","id":"1"},{"content":"two","status":"pending","priority":"low","id":"2"}]}`)
	p.awaitSaid(ses, "TOOLRESULT")
	var list []struct{ Content, Status string }
	p.Decode(p.get("/session/"+ses+"/todo"), &list)
	if len(list) != 2 || list[0].Content != "one" || list[0].Status != "completed" || list[1].Status != "pending" {
		p.Errorf("the list is %+v", list)
	}
	p.WantStatus("of an unknown session", p.get("/session/ses_000000000000AAAAAAAAAAAAAA/todo"), pick(p, 200, 404))
}

// diffs: when a turn has ended, its prompt says what was changed, on 1.1.53 by the whole
// texts. (There it misses what is changed in the instant in which a step begins.)
func diffs(p *prober) {
	ses, file := p.newSession(p.Name()), p.file(".txt")
	p.wantTrue("once", p.decide(p.askPermission(ses, writes(file, "one\ntwo\n")), "once"))
	p.awaitAnswers(ses, 2)
	edit, _ := json.Marshal(map[string]string{"filePath": file, "oldString": "two", "newString": "three\nfour"})
	p.wantTrue("once", p.decide(p.askPermission(ses, "CALL edit "+string(edit)), "once"))
	p.awaitAnswers(ses, 4)
	var got []change
	p.Eventually("the diff of an edit", func() bool { got = p.messages(ses)[3].changes(); return len(got) == 1 })
	if d := got[0]; d.Additions != 2 || d.Deletions != 1 || !strings.HasSuffix(file, d.File) ||
		(d.Before != nil && d.After != nil) == p.modern() || strings.Contains(d.Patch, "\n-two\n+three\n+four\n") != p.modern() {
		p.Errorf("changed %+v", d)
	}
	if d := p.messages(ses)[0].changes(); len(d) != 1 || d[0].Additions != 2 || d[0].Deletions != 0 {
		p.Errorf("a new file changed %+v", d)
	}
}

// choices: agents, models and commands are listed.
func choices(p *prober) {
	for path, wants := range map[string][]string{
		"/agent":            {`"name":"build"`, `"name":"plan"`, `"name":"` + p.Agent + `"`, `"mode":"subagent"`, `"hidden":true`},
		"/config/providers": {`"providers":[`, `"id":"scripted"`, `"models":{`, `"second":{`},
		"/command":          {`"name":"init"`, `"name":"say"`},
	} {
		a := p.get(path)
		p.WantStatus(path, a, http.StatusOK)
		for _, want := range wants {
			if !strings.Contains(a.Body, want) {
				p.Errorf("GET %s has no %s", path, want)
			}
		}
	}
}

// command: it is answered at the end of its turn, under a message id of one's own.
func command(p *prober) {
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	a := p.post("/session/"+ses+"/command", map[string]string{"command": "say", "arguments": "hello", "messageID": id})
	var m message
	p.Decode(a, &m)
	if m.Info.Role != "assistant" || m.Info.ParentID != id || !strings.Contains(a.Body, "You said: hello") {
		p.Errorf("the answer is %s", a.Body)
	}
	p.WantStatus("an unknown command", p.post("/session/"+ses+"/command", map[string]string{"command": "nosuch", "arguments": ""}), 500)
	p.WantStatus("of an unknown session",
		p.post("/session/ses_000000000000AAAAAAAAAAAAAA/command", map[string]string{"command": "say", "arguments": ""}), 404)
}

// fileParts: a text file is read into the prompt, by 1.1.53 with some rubbish before
// it; a mention calls for the agent.
func fileParts(p *prober) {
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	p.promptParts(ses, map[string]any{"messageID": id}, textPart(p.partOf(id, 1), "look"),
		filePart(p.partOf(id, 2), "notes.txt", "text/plain", "note one"), map[string]any{"id": p.partOf(id, 3), "type": "agent", "name": p.Agent})
	list := p.awaitAnswers(ses, 1)
	told := ""
	for _, part := range list[0].Parts {
		if part.Synthetic {
			told += part.Text + "\n"
		}
	}
	if !strings.Contains(told, `{"filePath":"notes.txt"}`) || !strings.Contains(told, "call the task tool with subagent: "+p.Agent) ||
		strings.Contains(told, "\nnote one\n") != p.modern() || !strings.Contains(told, "note one\n") {
		p.Errorf("OpenCode wrote %q", told)
	}
}

// brokenByFile: a file of a type that no model reads fails this turn and all others.
func brokenByFile(p *prober) {
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	p.promptParts(ses, map[string]any{"messageID": id}, textPart(p.partOf(id, 1), "look"), filePart(p.partOf(id, 2), "a.zip", "application/zip", "PK"))
	p.awaitAnswers(ses, 1)
	p.prompt(ses, "hello")
	for _, m := range p.awaitAnswers(ses, 2) {
		if m.Info.Role == "assistant" && m.Info.Error.Name != "UnknownError" {
			p.Errorf("answered %+v", m)
		}
	}
}

// brokenImage: newer versions look into images, and lose a prompt with one that they
// cannot read.
func brokenImage(p *prober) {
	s := p.listen()
	ses, id := p.newSession(p.Name()), p.id("msg", 0, 0)
	p.promptParts(ses, map[string]any{"messageID": id}, textPart(p.partOf(id, 1), "look"), filePart(p.partOf(id, 2), "p.png", "image/png", "PNG"))
	if !p.modern() {
		p.awaitAnswers(ses, 1)
		return
	}
	s.awaitLabel(p, ses, "session.error")
	if list := p.messages(ses); len(list) != 0 {
		p.Errorf("the session has %+v", list)
	}
}

// sessionOrder: 1.1.53 lists sessions by when they were made, newer versions by when
// they were used.
func sessionOrder(p *prober) {
	older, newer := p.newSession("older"), p.newSession("newer")
	p.prompt(older, "hello")
	p.awaitAnswers(older, 1)
	var list []session
	p.Decode(p.get("/session?roots=true&limit=2"), &list)
	if len(list) != 2 || list[0].ID != pick(p, newer, older) {
		p.Errorf("listed %+v, made %s, then %s, and used the older", list, older, newer)
	}
}
