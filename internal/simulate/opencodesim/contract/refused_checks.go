package contract

import (
	"encoding/json"
	"net/http"

	"hermes/internal/simulate/probe"
)

// replyRefused: what is not pending here is 404 since 1.15.8; before, it is
// the same `200 true` as a reply that took effect.
func replyRefused(p *prober) {
	r := p.ask(twoQuestions()...)
	notFound := func(id string) string {
		return `{"_tag":"QuestionNotFoundError","requestID":"` + id + `","message":"Question request not found: ` + id + `"}`
	}
	refused := func(what string, a probe.Answer, id string) {
		p.Helper()
		p.WantJSON(what, a, pick(p, 200, 404), pick(p, "true", notFound(id)))
	}
	refused("reply to an unknown id", p.post("/question/que_unknown/reply", answers([]string{"A"})), "que_unknown")
	refused("reject of an unknown id", p.post("/question/que_unknown/reject", nil), "que_unknown")
	refused("reply in the wrong directory", p.postIn(p.OtherDir, "/question/"+r.ID+"/reply", answers([]string{"A"})), r.ID)
	refused("reject in the wrong directory", p.postIn(p.OtherDir, "/question/"+r.ID+"/reject", nil), r.ID)
	p.WantJSON("an id of another kind", p.post("/question/foo/reply", answers([]string{"A"})), pick(p, 200, 400),
		pick(p, "true", `{"name":"BadRequest","data":{"message":"Expected a string starting with \"que\", got \"foo\"\n  at [\"requestID\"]","kind":"Params"}}`))
	if !p.lists(p.Dir, r.ID) || p.part(r).State.Status != "running" {
		p.Error("the question is no longer pending")
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}))
}

type badBody struct {
	what, kind, body string
	status           [2]int    // before, since
	answer           [2]string // before, since; empty: not compared
}

func badBodies(p *prober) {
	r := p.ask(twoQuestions()...)
	zod := func(data, got, path string) string {
		return `{"data":` + data + `,"error":[{"expected":"array","code":"invalid_type","path":` + path +
			`,"message":"Invalid input: expected array, received ` + got + `"}],"success":false}`
	}
	effect := func(text string) string {
		raw, _ := json.Marshal(text)
		return `{"name":"BadRequest","data":{"message":` + string(raw) + `,"kind":"Payload"}}`
	}
	undefined := zod(`{}`, "undefined", `["answers"]`)
	for _, bad := range []badBody{
		{
			"a string for a list", "application/json", `{"answers":"A"}`,
			[2]int{400, 400},
			[2]string{zod(`{"answers":"A"}`, "string", `["answers"]`), effect("Expected array, got \"A\"\n  at [\"answers\"]")},
		},
		{
			"a flat list", "application/json", `{"answers":["A"]}`,
			[2]int{400, 400},
			[2]string{zod(`{"answers":["A"]}`, "string", `["answers",0]`), effect("Expected QuestionAnswer, got \"A\"\n  at [\"answers\"][0]")},
		},
		{"an empty object", "application/json", `{}`, [2]int{400, 400}, [2]string{undefined, effect("Missing key\n  at [\"answers\"]")}},
		{"malformed JSON", "application/json", `{"answers":`, [2]int{400, 500}, [2]string{"Malformed JSON in request body", ""}},
		{"text", "text/plain", `{"answers":[]}`, [2]int{400, 415}, [2]string{undefined, "Unsupported content-type: text/plain"}},
		{"nothing", "", "", [2]int{400, 400}, [2]string{undefined, effect("Expected object, got undefined")}},
	} {
		a := p.send(http.MethodPost, "/question/"+r.ID+"/reply", p.Dir, bad.kind, bad.body)
		p.WantStatus(bad.what, a, pick(p, bad.status[0], bad.status[1]))
		if want := pick(p, bad.answer[0], bad.answer[1]); want != "" && probe.Canonical(a.Body) != probe.Canonical(want) {
			p.Errorf("%s: got %s\nwant %s", bad.what, a.Body, want)
		}
	}
	if !p.lists(p.Dir, r.ID) {
		p.Error("the question is no longer pending")
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}))
}
