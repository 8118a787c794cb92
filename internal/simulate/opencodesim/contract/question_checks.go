package contract

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"

	"hermes/internal/simulate/opencodesim/model"
	"hermes/internal/simulate/probe"
)

// questionList: a pending question is listed in its directory's instance with
// all that the model asked; a request without a directory gets the server's.
func questionList(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	if !strings.HasPrefix(r.ID, "que_") || !strings.HasPrefix(r.SessionID, "ses_") || !strings.HasPrefix(r.Tool.MessageID, "msg_") || r.Tool.CallID == "" {
		p.Errorf("the ids are %+v", r)
	}
	if !reflect.DeepEqual(r.Questions, model.TwoQuestions()) {
		p.Errorf("listed %+v", r.Questions)
	}
	if !p.busy(r.SessionID) {
		p.Error("a session that waits for an answer must be busy")
	}
	if p.lists(p.OtherDir, r.ID) || !p.lists("", r.ID) {
		p.Error("listed in the other directory, or not listed without one")
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}, []string{"A"}))
	if p.lists(p.Dir, r.ID) {
		p.Error("still listed after the reply")
	}
	p.awaitIdle(r.SessionID)
}

// directoryText: the query wins over the header. 1.1.53 compares directories
// as text, newer versions normalise them.
func directoryText(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	header := func(path, dir string) bool {
		req := p.Request(http.MethodGet, path, "", "")
		req.SetBasicAuth("opencode", p.Password)
		req.Header.Set("X-Opencode-Directory", url.QueryEscape(dir))
		return strings.Contains(p.Do(req).Body, r.ID)
	}
	if header("/question", p.OtherDir) || !header("/question", p.Dir) {
		p.Error("the header does not choose the directory")
	}
	if !header("/question"+query("", p.Dir), p.OtherDir) {
		p.Error("the query does not win over the header")
	}
	if got := p.lists(p.Dir+"/", r.ID); got != p.modern() {
		p.Errorf("with a trailing slash listed: %v", got)
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}))
}

// reply: the events, the tool part and the model all have the answers.
func reply(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	asked := s.awaitLabel(p, r.SessionID, "question.asked")
	if asked.Props.ID != r.ID {
		p.Errorf("the event is about %s, the list about %s", asked.Props.ID, r.ID)
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}, []string{"A", "B"}))
	want := [][]string{{"SQLite"}, {"A", "B"}}
	replied := s.awaitLabel(p, r.SessionID, "question.replied")
	if replied.Props.RequestID != r.ID || !reflect.DeepEqual(replied.Props.Answers, want) {
		p.Errorf("question.replied %s", replied.Raw)
	}
	got := p.awaitPart(r, "completed")
	p.wantAnswers(got, want)
	if got.State.Title != "Asked 2 questions" {
		p.Errorf("title %q", got.State.Title)
	}
	const told = `User has answered your questions: "Which database?"="SQLite", "Which features?"="A, B". You can now continue with the user's answers in mind.`
	if got.State.Output != told {
		p.Errorf("the model was told %q", got.State.Output)
	}
	p.awaitSaid(r.SessionID, "TOOLRESULT<<"+told+">>")
	s.awaitLabel(p, r.SessionID, "session.idle")
	p.awaitIdle(r.SessionID)
	s.wantOrder(p, r.SessionID, pick(p,
		"busy, question.asked, question pending, question running, question.replied, question completed, idle, session.idle",
		"busy, question pending, question.asked, question running, question.replied, question completed, idle, session.idle"))
}

// repliesAtOnce: of several replies at the same time one takes effect.
func repliesAtOnce(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	var all sync.WaitGroup
	taken := make([]bool, 3)
	for i, label := range []string{"one", "two", "three"} {
		all.Go(func() { taken[i] = p.reply(r, []string{label}).Status == 200 })
	}
	all.Wait()
	n := 0
	for _, ok := range taken {
		if ok {
			n++
		}
	}
	if want := pick(p, 3, 1); n != want {
		p.Errorf("%d replies were answered with 200, want %d", n, want)
	}
	replied := s.awaitLabel(p, r.SessionID, "question.replied")
	p.wantAnswers(p.awaitPart(r, "completed"), replied.Props.Answers)
	s.awaitLabel(p, r.SessionID, "session.idle")
	if frames, _, _ := s.State(); strings.Count(labels(frames, r.SessionID), "question.replied") != 1 {
		p.Error("question.replied came more than once")
	}
}

// anyAnswer: answers are not checked against the options.
func anyAnswer(p *prober) {
	for _, tc := range []struct {
		answers [][]string
		told    string
	}{
		{[][]string{{"my own words"}, {"zzz"}}, `"Which database?"="my own words", "Which features?"="zzz"`},
		{[][]string{{}, {}}, `"Which database?"="Unanswered", "Which features?"="Unanswered"`},
		{[][]string{}, `"Which database?"="Unanswered", "Which features?"="Unanswered"`},
		{[][]string{{"SQLite"}}, `"Which database?"="SQLite", "Which features?"="Unanswered"`},
		{[][]string{{"SQLite"}, {"A"}, {"extra"}}, `"Which database?"="SQLite", "Which features?"="A"`},
		{[][]string{{"SQLite", "Postgres"}, {"A"}}, `"Which database?"="SQLite, Postgres", "Which features?"="A"`},
	} {
		r := p.ask(model.TwoQuestions()...)
		p.wantTrue("reply", p.reply(r, tc.answers...))
		got := p.awaitPart(r, "completed")
		p.wantAnswers(got, tc.answers)
		if !strings.Contains(got.State.Output, ": "+tc.told+". ") {
			p.Errorf("the answers %q told the model %q", tc.answers, got.State.Output)
		}
		p.awaitIdle(r.SessionID)
	}
}

// invalidArguments: a question without a required field is never asked.
func invalidArguments(p *prober) {
	s := p.listen()
	ses := p.newSession(p.Name())
	p.prompt(ses, `CALL question {"questions":[{"question":"Which?","options":[]}]}`)
	p.awaitSaid(ses, "The question tool was called with invalid arguments")
	s.awaitLabel(p, ses, "session.idle")
	frames, _, _ := s.State()
	if got := labels(frames, ses); !strings.Contains(got, "question error") || strings.Contains(got, "question.asked") {
		p.Errorf("the events were %s", got)
	}
}

// reject ends the turn: the model is not asked again.
func reject(p *prober) {
	s := p.listen()
	r := p.ask(model.TwoQuestions()...)
	p.wantTrue("reject", p.post("/question/"+r.ID+"/reject", nil))
	if f := s.awaitLabel(p, r.SessionID, "question.rejected"); f.Props.RequestID != r.ID {
		p.Errorf("question.rejected %s", f.Raw)
	}
	s.awaitLabel(p, r.SessionID, "session.idle")
	got := p.awaitPart(r, "error")
	if want := pick(p, "Error: ", "") + "The user dismissed this question"; got.State.Error != want {
		p.Errorf("the tool part's error is %q, want %q", got.State.Error, want)
	}
	if said := p.said(r.SessionID); said != "" {
		p.Errorf("the agent went on and said %q", said)
	}
	p.awaitIdle(r.SessionID)
	p.WantStatus("a reply afterwards", p.reply(r, []string{"SQLite"}), pick(p, 200, 404))
	s.wantOrder(p, r.SessionID, pick(p,
		"busy, question.asked, question pending, question running, question.rejected, question error, idle, session.idle",
		"busy, question pending, question.asked, question running, question.rejected, question error, idle, session.idle"))
}

// replyRefused: what is not pending here is 404 since 1.15.8; before, it is
// the same `200 true` as a reply that took effect. A body of another form is refused.
func replyRefused(p *prober) {
	r := p.ask(model.TwoQuestions()...)
	refused := func(what string, a probe.Answer) {
		p.Helper()
		p.WantStatus(what, a, pick(p, 200, 404))
		if want := pick(p, "true", `"_tag":"QuestionNotFoundError"`); !a.IsJSON() || !strings.Contains(a.Body, want) {
			p.Errorf("%s: %s %s", what, a.Kind, a.Body)
		}
	}
	refused("reply to an unknown id", p.post("/question/que_unknown/reply", answers([]string{"A"})))
	refused("reject of an unknown id", p.post("/question/que_unknown/reject", nil))
	refused("reply in the wrong directory", p.postIn(p.OtherDir, "/question/"+r.ID+"/reply", answers([]string{"A"})))
	refused("reject in the wrong directory", p.postIn(p.OtherDir, "/question/"+r.ID+"/reject", nil))
	for _, body := range []string{`{}`, `{"answers":"A"}`, `{"answers":["A"]}`} {
		p.WantStatus(body, p.send(http.MethodPost, "/question/"+r.ID+"/reply", p.Dir, "application/json", body), 400)
	}
	if !p.lists(p.Dir, r.ID) || p.part(r).State.Status != "running" {
		p.Error("the question is no longer pending")
	}
	p.wantTrue("reply", p.reply(r, []string{"SQLite"}))
}
