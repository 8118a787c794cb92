package contract

import (
	"net/http"
	"reflect"
	"strings"
	"sync"

	"hermes/internal/simulate/opencodesim/model"
)

// question: the form has what the model asked; the answer reaches the model, and the
// events of the turn come in their order.
func question(p *prober) {
	s := p.listen()
	f := p.ask(model.TwoQuestions()...)
	if !strings.HasPrefix(f.ID, "frm_") || f.Title != "Questions" || f.Metadata.Kind != "question" || f.call() == "" || len(f.Fields) != 2 {
		p.Fatalf("the form is %+v", f)
	}
	for i, want := range model.TwoQuestions() {
		got := f.Fields[i]
		kind := "string"
		if want.Multiple {
			kind = "multiselect"
		}
		if got.Title != want.Header || got.Description != want.Question || got.Type != kind || got.Custom == nil || !*got.Custom ||
			len(got.Options) != 2 || got.Options[0].Value != want.Options[0].Label || got.Options[0].Description != want.Options[0].Description {
			p.Errorf("field %d is %+v", i, got)
		}
	}
	if !p.active(f.SessionID) {
		p.Error("a session that waits for an answer must be at work")
	}
	p.WantStatus("reply", p.reply(f, map[string]any{"q0": "SQLite", "q1": []string{"A", "my own"}}), http.StatusNoContent)
	if how, _ := s.awaitEnd(p, f.SessionID, 1); how != "succeeded" {
		p.Errorf("the turn ended as %s", how)
	}
	s.wantOrder(p, f.SessionID, "session.created "+pick(p, "session.input.admitted", "session.inbox.enqueued")+
		" session.execution.started session.instructions.updated "+pick(p, "session.input.promoted", "session.inbox.delivered")+
		" session.step.started session.tool.input.started session.tool.input.ended session.tool.called form.created form.replied"+
		" session.tool.success session.step.ended session.step.started session.text.started session.text.ended session.step.ended"+
		" session.execution.succeeded")
	p.awaitSaid(f.SessionID, `"Which database?"="SQLite", "Which features?"="A, my own".`)
}

// directories: lists are of one directory, whose name is compared byte by byte.
func directories(p *prober) {
	f := p.ask(model.TwoQuestions()[0])
	list := pick(p, "/api/form/request", "/api/form")
	for dir, want := range map[string]bool{p.Dir: true, p.OtherDir: false, p.Dir + "/": false} {
		var forms []form
		p.get(in(list, dir), &forms)
		listed := false
		for _, other := range forms {
			listed = listed || other.ID == f.ID
		}
		if listed != want {
			p.Errorf("in %s listed: %v", dir, listed)
		}
	}
	p.cancel(f)
	p.awaitIdle(f.SessionID)
}

// answers are taken as they are; what is left out is unanswered.
func answers(p *prober) {
	for _, c := range []struct {
		answer map[string]any
		want   string
	}{
		{map[string]any{}, `"Which database?"="Unanswered", "Which features?"="Unanswered"`},
		{map[string]any{"q1": []string{}}, `"Which features?"="Unanswered"`},
		{map[string]any{"q0": ""}, `"Which database?"="",`},
		{map[string]any{"q0": "a\nb"}, "\"Which database?\"=\"a\nb\","},
	} {
		f := p.ask(model.TwoQuestions()...)
		p.WantStatus("reply", p.reply(f, c.answer), http.StatusNoContent)
		p.awaitSaid(f.SessionID, c.want)
		p.awaitIdle(f.SessionID)
	}
}

// badAnswers are refused, and the form stays.
func badAnswers(p *prober) {
	f := p.ask(model.TwoQuestions()...)
	for _, wrong := range []map[string]any{{"q0": []string{"A"}}, {"q1": "A"}, {"q0": 5}, {"q0": true}, {"q9": "x"}} {
		p.wantTag("a wrong answer", p.reply(f, wrong), http.StatusBadRequest, "FormInvalidAnswerError")
	}
	for _, wrong := range []map[string]any{{"q0": nil}, {"q1": []any{[]string{"A"}}}} {
		p.wantTag("a wrong value", p.reply(f, wrong), http.StatusBadRequest, "InvalidRequestError")
	}
	p.wantTag("no answer", p.Post(path(f)+"/reply", map[string]any{}), http.StatusBadRequest, "InvalidRequestError")
	p.wantTag("no body", p.Post(path(f)+"/reply", nil), http.StatusBadRequest, "InvalidRequestError")
	p.wantTag("no JSON", p.Send(http.MethodPost, path(f)+"/reply", "application/json", "{nope"), http.StatusBadRequest, "InvalidRequestError")
	unknown := f
	unknown.ID = "frm_000000000000AAAAAAAAAAAAAA"
	p.wantTag("an unknown form", p.reply(unknown, map[string]any{}), http.StatusNotFound, "FormNotFoundError")
	unknown.ID = "nope"
	p.wantTag("no form's id", p.reply(unknown, map[string]any{}), http.StatusBadRequest, "InvalidRequestError")
	elsewhere := f
	elsewhere.SessionID = p.newSession(p.Dir)
	p.wantTag("another session", p.reply(elsewhere, map[string]any{}), http.StatusNotFound, "FormNotFoundError")
	elsewhere.SessionID = "ses_000000000000AAAAAAAAAAAAAA"
	p.wantTag("an unknown session", p.reply(elsewhere, map[string]any{}), http.StatusNotFound, "SessionNotFoundError")
	p.WantStatus("a good answer", p.reply(f, map[string]any{"q0": "SQLite"}), http.StatusNoContent)
	p.awaitIdle(f.SessionID)
}

// repliesAtOnce: one is taken.
func repliesAtOnce(p *prober) {
	f := p.ask(model.TwoQuestions()[0])
	statuses := make([]int, 6)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = p.reply(f, map[string]any{"q0": "SQLite"}).Status })
	}
	all.Wait()
	taken := 0
	for _, status := range statuses {
		switch status {
		case http.StatusNoContent:
			taken++
		case http.StatusConflict:
		default:
			p.Errorf("a reply gave %d", status)
		}
	}
	if taken != 1 {
		p.Errorf("%d replies were taken", taken)
	}
	p.wantTag("a dismissal", p.cancel(f), http.StatusConflict, "FormAlreadySettledError")
	p.awaitIdle(f.SessionID)
}

// dismissed: the turn ends, and says that it was a shutdown; the model learns of it with
// the next prompt.
func dismissed(p *prober) {
	s := p.listen()
	f := p.ask(model.TwoQuestions()[0])
	p.WantStatus("dismiss", p.cancel(f), http.StatusNoContent)
	if how, reason := s.awaitEnd(p, f.SessionID, 1); how != "interrupted" || reason != "shutdown" {
		p.Errorf("the turn ended as %s (%s)", how, reason)
	}
	s.awaitType(p, f.SessionID, "form.cancelled")
	status, text := p.outcome(f.SessionID, f.call())
	if want := pick(p, "Tool execution interrupted", "The user dismissed this question"); status != "error" || text != want {
		p.Errorf("the call is %s: %s", status, text)
	}
	p.wantTag("a reply", p.reply(f, map[string]any{}), http.StatusConflict, "FormAlreadySettledError")
	p.prompt(f.SessionID, "go on")
	p.awaitSaid(f.SessionID, "You said: go on")
}

// twoForms of one step are settled each; one dismissal ends the turn when both are.
func twoForms(p *prober) {
	s := p.listen()
	first, second := model.TwoQuestions()[0], model.Question{Question: "Sure?", Header: "Sure", Options: []model.Option{}}
	ses := p.newSession(p.Dir)
	p.prompt(ses, model.Ask(first)+"\n"+model.Ask(second))
	both := p.forms(ses, 2)
	p.WantStatus("dismiss", p.cancel(both[0]), http.StatusNoContent)
	if left := p.forms(ses, 1); left[0].ID != both[1].ID || !p.active(ses) {
		p.Errorf("%s is open", left[0].ID)
	}
	p.WantStatus("reply", p.reply(both[1], map[string]any{"q0": "yes"}), http.StatusNoContent)
	if how, reason := s.awaitEnd(p, ses, 1); how != "interrupted" || reason != "shutdown" {
		p.Errorf("the turn ended as %s (%s)", how, reason)
	}
}

// interrupted: the form is cancelled with an event.
func interrupted(p *prober) {
	s := p.listen()
	f := p.ask(model.TwoQuestions()[0])
	if a := p.Post("/api/session/"+f.SessionID+"/interrupt", nil); a.Status >= 300 {
		p.Errorf("interrupt gave %d %s", a.Status, a.Body)
	}
	s.awaitType(p, f.SessionID, "form.cancelled")
	if how, reason := s.awaitEnd(p, f.SessionID, 1); how != "interrupted" || reason != "user" {
		p.Errorf("the turn ended as %s (%s)", how, reason)
	}
	p.wantTag("a reply", p.reply(f, map[string]any{}), http.StatusConflict, "FormAlreadySettledError")
	if a := p.Post("/api/session/"+f.SessionID+"/interrupt", nil); a.Status >= 300 {
		p.Errorf("interrupt of an idle session gave %d %s", a.Status, a.Body)
	}
	p.wantTag("interrupt of an unknown session", p.Post("/api/session/ses_000000000000AAAAAAAAAAAAAA/interrupt", nil), http.StatusNotFound, "SessionNotFoundError")
}

func deleted(p *prober) {
	s := p.listen()
	f := p.ask(model.TwoQuestions()[0])
	p.WantStatus("delete", p.Send(http.MethodDelete, "/api/session/"+f.SessionID, "", ""), http.StatusNoContent)
	s.awaitType(p, f.SessionID, "form.cancelled")
	s.awaitEnd(p, f.SessionID, 1)
	s.awaitType(p, f.SessionID, "session.deleted")
	p.wantTag("a reply", p.reply(f, map[string]any{}), http.StatusNotFound, "SessionNotFoundError")
}

// promptWhileOpen: the prompt waits, and is delivered after the answer.
func promptWhileOpen(p *prober) {
	f := p.ask(model.TwoQuestions()[0])
	p.prompt(f.SessionID, "never mind")
	var waiting []struct{ ID string }
	p.get("/api/session/"+f.SessionID+pick(p, "/pending", "/inbox"), &waiting)
	if len(waiting) != 1 || len(p.forms(f.SessionID, 1)) != 1 {
		p.Errorf("%d prompts wait", len(waiting))
	}
	p.WantStatus("reply", p.reply(f, map[string]any{"q0": "SQLite"}), http.StatusNoContent)
	p.awaitSaid(f.SessionID, "You said: never mind")
}

// ownForm: any client can ask; typed values are held to what the field says.
func ownForm(p *prober) {
	ses := p.newSession(p.Dir)
	var f form
	p.data(p.Post("/api/session/"+ses+"/form", map[string]any{"title": "Mine", "metadata": map[string]any{"kind": "mine"}, "fields": []map[string]any{
		{"key": "sure", "type": "boolean", "title": "Sure?"},
		{"key": "why", "type": "string", "when": []map[string]any{{"key": "sure", "op": "eq", "value": true}}},
		{"key": "n", "type": "integer", "minimum": 1, "maximum": 9, "required": true},
	}}), &f)
	for _, wrong := range []map[string]any{{"sure": true}, {"n": 0}, {"n": 1.5}, {"n": "1"}, {"n": 1, "sure": false, "why": "x"}} {
		p.wantTag("a wrong answer", p.reply(f, wrong), http.StatusBadRequest, "FormInvalidAnswerError")
	}
	good := map[string]any{"n": 2.0, "sure": true, "why": "x"}
	s := p.listen()
	p.WantStatus("a good answer", p.reply(f, good), http.StatusNoContent)
	if replied := s.awaitType(p, ses, "form.replied"); !reflect.DeepEqual(replied.Data.Answer, good) {
		p.Errorf("the event says %v", replied.Data.Answer)
	}
}
