package v2_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/session"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode/call"
	v2 "hermes/opencode/v2"
)

func now() time.Time { return time.Now() }

// drive prompts a session, under an id of its own.
func drive(t *testing.T, d *v2.Driver, id session.ID, p session.Prompt) session.MessageID {
	t.Helper()
	next, err := d.NextID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	p.ID, p.Session = next, id
	if err := d.Prompt(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return next
}

func says(text string) session.Prompt {
	return session.Prompt{Parts: []session.Part{{Text: text}}}
}

// A session is made once for each moment, also when OpenCode's answer is lost.
func TestDriver_CreateOnce(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
		failPosts(s, inprocess.FailAfterEffect)
		if made, err := d.CreateOnce(t.Context(), at); err == nil {
			t.Errorf("without an answer: %+v", made)
		}
		failPosts(s, inprocess.NoFault)
		first, err := d.CreateOnce(t.Context(), at)
		other, otherErr := d.CreateOnce(t.Context(), at.Add(time.Millisecond))
		if errors.Join(err, otherErr) != nil || first.ID == other.ID || len(s.Sessions()) != 2 || first.Directory != proj || first.Title != "" {
			t.Errorf("made %+v and %+v, %v", first, other, errors.Join(err, otherErr))
		}
	})
}

// A prompt that is sent again, as hermes does not know whether it came, is run once.
func TestDriver_PromptOnce(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		id, err := d.NextID(t.Context(), ses)
		if err != nil {
			t.Fatal(err)
		}
		p := session.Prompt{ID: id, Session: ses, Parts: []session.Part{{Text: "hello"}}}
		if there, err := d.Prompted(t.Context(), ses, id); there || err != nil {
			t.Errorf("before it was sent it is there: %v %v", there, err)
		}
		failPosts(s, inprocess.FailAfterEffect)
		if err := d.Prompt(t.Context(), p); err == nil {
			t.Error("without an answer it is taken")
		}
		failPosts(s, inprocess.NoFault)
		for range 2 {
			if err := driverOf(s).Prompt(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if there, err := d.Prompted(t.Context(), ses, id); !there || err != nil {
			t.Errorf("it is there: %v %v", there, err)
		}
		synctest.Wait()
		turn, err := d.Turn(t.Context(), ses)
		if turn.Text != "You said: hello" || turn.Tokens == 0 || turn.Message == "" || turn.Ended.IsZero() || turn.Aborted || len(s.Prompts()) != 1 || err != nil {
			t.Errorf("%d prompts led to %+v, %v", len(s.Prompts()), turn, err)
		}
		other := p
		other.Parts = []session.Part{{Text: "another"}}
		other.Session = createdLater(t, d)
		if err := driverOf(s).Prompt(t.Context(), other); !errors.Is(err, session.ErrLateID) {
			t.Errorf("an id that is taken: %v", err)
		}
	})
}

// createdLater is another session, of another moment.
func createdLater(t *testing.T, d *v2.Driver) session.ID {
	t.Helper()
	time.Sleep(time.Second)
	return created(t, d)
}

// While a question waits, a prompt waits behind it; the turn is not over.
func TestDriver_PromptWhileItAsks(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		form, _ := s.Ask(proj, string(ses), colours[0])
		id := drive(t, d, ses, says("never mind"))
		if there, err := driverOf(s).Prompted(t.Context(), ses, id); !there || err != nil {
			t.Errorf("it waits: %v %v", there, err)
		}
		if pending := s.Pending(proj); !slices.Contains(pending, form) {
			t.Errorf("there wait %q", pending)
		}
		got, err := d.Session(t.Context(), ses)
		if !got.Busy || err != nil {
			t.Errorf("it is %+v, %v", got, err)
		}
		if err := d.Abort(t.Context(), ses); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		turn, err := d.Turn(t.Context(), ses)
		if turn.Session.Busy || !turn.Aborted || turn.Error != "" || err != nil {
			t.Errorf("after the stop: %+v, %v", turn, err)
		}
	})
}

// A prompt that waits in a session at rest is begun with, once; any other is left alone.
func TestDriver_Wake(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		p := says("for later")
		p.NoReply = true
		id := drive(t, d, ses, p)
		for range 2 {
			if err := d.Wake(t.Context(), ses, id); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		turn, err := d.Turn(t.Context(), ses)
		if turn.Text != "You said: for later" || len(s.Prompts()) != 1 || err != nil {
			t.Errorf("%d prompts led to %+v, %v", len(s.Prompts()), turn, err)
		}
		p.Parts = append(p.Parts, session.Part{Name: "a.txt", Mime: "text/plain", Data: []byte("a")})
		if err := d.Wake(t.Context(), ses, drive(t, d, ses, p)); err != nil {
			t.Error(err)
		}
		if again, err := d.Turn(t.Context(), ses); again.Message != turn.Message || err != nil {
			t.Errorf("one with a file is begun with: %+v, %v", again, err)
		}
		if err := d.Wake(t.Context(), "ses_000000000000AAAAAAAAAAAAAA", id); !errors.Is(err, session.ErrNoSession) {
			t.Errorf("without a session: %v", err)
		}
	})
}

// What OpenCode would take and then not run is not sent.
func TestDriver_PromptRefused(t *testing.T) {
	eachShape(t, commands, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		next, err := d.NextID(t.Context(), ses)
		if err != nil {
			t.Fatal(err)
		}
		for name, test := range map[string]struct {
			change func(*session.Prompt)
			want   error
		}{
			"no session":        {func(p *session.Prompt) { p.Session = "ses_000000000000AAAAAAAAAAAAAA" }, session.ErrNoSession},
			"no agent":          {func(p *session.Prompt) { p.Agent = "nosuch" }, session.ErrNoAgent},
			"a subagent":        {func(p *session.Prompt) { p.Agent = "general" }, session.ErrNoAgent},
			"no model":          {func(p *session.Prompt) { p.Model = session.Model{Provider: "scripted", ID: "nosuch"} }, session.ErrNoModel},
			"no command":        {func(p *session.Prompt) { p.Command = "nosuch" }, session.ErrNoCommand},
			"a command's signs": {func(p *session.Prompt) { p.Command, p.Parts[0].Text = "greet", "see @notes.md" }, session.ErrSigns},
			"a file's name":     {func(p *session.Prompt) { p.Command = "read" }, session.ErrNoText},
			"an archive": {func(p *session.Prompt) {
				p.Parts = append(p.Parts, session.Part{Name: "a.zip", Mime: "application/zip", Data: []byte("PK\x00")})
			}, session.ErrFile},
			"too large": {func(p *session.Prompt) {
				p.Parts = append(p.Parts, session.Part{Mime: "text/plain", Data: slices.Repeat([]byte("a"), session.MaxFiles+1)})
			}, session.ErrTooLarge},
			"nothing": {func(p *session.Prompt) { p.Parts[0].Text = " \n" }, nil},
		} {
			p := session.Prompt{ID: next, Session: ses, Parts: []session.Part{{Text: "hello"}}}
			test.change(&p)
			if err := d.Prompt(t.Context(), p); err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("%s: %v, want %v", name, err, test.want)
			}
		}
		if n := len(s.Prompts()); n != 0 {
			t.Errorf("%d prompts were sent", n)
		}
	})
}

// commands are two of a project.
func commands(o *opencode2sim.Options) {
	o.Commands = []opencode2sim.Command{{Name: "greet", Template: "SAY Hello, $ARGUMENTS"}, {Name: "read", Template: "Read @docs/$1"}}
}

// A command is run once, with its text.
func TestDriver_Command(t *testing.T) {
	eachShape(t, commands, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		p := says("Bob")
		p.Command = "greet"
		id := drive(t, d, ses, p)
		p.ID, p.Session = id, ses
		if err := d.Prompt(t.Context(), p); err != nil {
			t.Error(err)
		}
		prompts := s.Prompts()
		if len(prompts) != 1 || prompts[0].Command != "greet" || prompts[0].Text != "SAY Hello, Bob" {
			t.Errorf("run were %+v", prompts)
		}
	})
}

// The agent and the model that a prompt names are those of the session from then on, and
// files, mentions and texts are parts of it.
func TestDriver_PromptParts(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		p := session.Prompt{Agent: "plan", Model: session.Model{Provider: "scripted", ID: "second"}, Parts: []session.Part{
			{Text: "look"}, {Name: "a.txt", Mime: "application/json", Data: []byte("{}")}, {Agent: "explore"}, {Text: "closely"},
		}}
		drive(t, d, ses, p)
		prompts := s.Prompts()
		if len(prompts) != 1 || prompts[0].Text != "look\nclosely" || prompts[0].Agent != "plan" || prompts[0].Model != "scripted/second" || !prompts[0].Own {
			t.Fatalf("sent were %+v", prompts)
		}
		synctest.Wait()
		turn, err := d.Turn(t.Context(), ses)
		if turn.Agent != "plan" || turn.Model != p.Model || err != nil {
			t.Errorf("the turn is %+v, %v", turn, err)
		}
	})
}

// Sessions of one directory or of all, the newest first, over as many pages as there are.
func TestDriver_Sessions(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		for n := range 120 {
			time.Sleep(time.Second)
			s.NewSession(proj, fmt.Sprint("Session ", n))
		}
		time.Sleep(time.Second)
		s.NewSession("/home/ada/other", "Elsewhere")
		s.Ask(proj, s.Sessions()[3].ID, colours[0])
		here, err := d.Sessions(t.Context(), 110)
		if err != nil || len(here) != 110 {
			t.Fatalf("listed %d, %v", len(here), err)
		}
		everywhere := d.In(&call.Endpoint{Transport: s.Transport(), Base: "http://opencode", Username: "opencode", Password: "secret"})
		all, err := everywhere.Sessions(t.Context(), 1000)
		if err != nil || len(all) != 121 || !slices.ContainsFunc(all, func(x session.Session) bool { return x.Directory == "/home/ada/other" }) {
			t.Errorf("everywhere are %d, %v", len(all), err)
		}
		for n, x := range all {
			if n > 0 && x.Updated.After(all[n-1].Updated) || x.Busy != (x.Title == "Session 3") {
				t.Errorf("the %d. is %+v", n, x)
			}
		}
		if one, err := d.Sessions(t.Context(), 1); err != nil || len(one) != 1 || one[0] != here[0] {
			t.Errorf("the newest is %+v, %v", one, err)
		}
	})
}

// A subagent's session has its parent, and is in no list.
func TestDriver_Subagent(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		child := s.Task(proj, string(ses), "explore", "SAY done")
		got, err := d.Session(t.Context(), session.ID(child))
		list, listErr := d.Sessions(t.Context(), 10)
		if got.Parent != ses || errors.Join(err, listErr) != nil || len(list) != 1 {
			t.Errorf("it is %+v of %d, %v", got, len(list), errors.Join(err, listErr))
		}
	})
}

func TestDriver_NoSession(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		const none = "ses_000000000000AAAAAAAAAAAAAA"
		_, sessionErr := d.Session(t.Context(), none)
		_, turnErr := d.Turn(t.Context(), none)
		_, diffErr := d.Diff(t.Context(), none)
		_, idErr := d.NextID(t.Context(), none)
		for _, err := range []error{sessionErr, turnErr, diffErr, idErr, d.Abort(t.Context(), none)} {
			if !errors.Is(err, session.ErrNoSession) || !call.IsNotFound(err) {
				t.Error(err)
			}
		}
	})
}

// What prompts can name. A directory that was just loaded has no models yet.
func TestDriver_Choices(t *testing.T) {
	lag := func(o *opencode2sim.Options) { commands(o); o.ModelLag = 400 * time.Millisecond }
	eachShape(t, lag, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		agents, err := d.Agents(t.Context())
		if want := []string{"build", "plan"}; !slices.Equal(agents, want) || err != nil {
			t.Errorf("agents are %q, %v", agents, err)
		}
		subagents, err := d.Subagents(t.Context())
		if !slices.Contains(subagents, "explore") || slices.Contains(subagents, "build") || err != nil {
			t.Errorf("subagents are %q, %v", subagents, err)
		}
		models, err := d.Models(t.Context())
		if want := []session.Model{{Provider: "scripted", ID: "scripted"}, {Provider: "scripted", ID: "second"}}; !slices.Equal(models, want) || err != nil {
			t.Errorf("models are %q, %v", models, err)
		}
		names, err := d.Commands(t.Context())
		if !slices.Contains(names, "greet") || err != nil {
			t.Errorf("commands are %q, %v", names, err)
		}
	})
}

// pages is a server of fixed JSON, by path; what it does not have is no route.
type pages map[string]string

func (p pages) RoundTrip(r *http.Request) (*http.Response, error) {
	status, text := http.StatusNotFound, ""
	if page, ok := p[r.URL.Path]; ok {
		status, text = http.StatusOK, page
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text)),
	}, nil
}

// The release keeps what a session changed; of the preview's working directory that counts which
// the session's steps name (capture 05).
func TestDriver_Diff(t *testing.T) {
	const diffs = `{"data":[{"file":"note.txt","patch":"--- note.txt\n+++ note.txt\n@@ -1 +1 @@\n-a\n+b\n"},{"file":"logo.png","patch":""},{"file":"other.txt","patch":"+c"}]}`
	info := `{"data":{"id":"ses_1","location":{"directory":"/home/u/a"}}}`
	for name, test := range map[string]struct {
		server pages
		want   string
	}{
		"the release": {pages{"/api/session/ses_1": info, "/api/session/ses_1/diff": diffs}, "--- note.txt\n+++ note.txt\n@@ -1 +1 @@\n-a\n+b\n+c\n"},
		"the preview": {pages{
			"/api/session/ses_1": info, "/api/vcs/diff": diffs,
			"/api/session/ses_1/message": `{"data":[{"id":"msg_2","type":"assistant","snapshot":{"files":["note.txt"]}},{"id":"msg_1","type":"user"}]}`,
		}, "--- note.txt\n+++ note.txt\n@@ -1 +1 @@\n-a\n+b\n"},
		"the preview, nothing changed": {pages{"/api/session/ses_1": info, "/api/vcs/diff": diffs, "/api/session/ses_1/message": `{"data":[]}`}, ""},
	} {
		d := v2.NewDriver(&call.Endpoint{Transport: test.server, Base: "http://opencode"})
		if got, err := d.Diff(t.Context(), "ses_1"); got != test.want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// An agent that fails says why.
func TestDriver_FailedTurn(t *testing.T) {
	eachShape(t, nil, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		ses := created(t, d)
		drive(t, d, ses, says("FAIL 400"))
		synctest.Wait()
		turn, err := d.Turn(t.Context(), ses)
		if turn.Error == "" || turn.Aborted || turn.Session.Busy || err != nil {
			t.Errorf("the turn is %+v, %v", turn, err)
		}
	})
}

// A service that is starting is one that cannot be reached yet.
func TestDriver_Starting(t *testing.T) {
	eachShape(t, func(o *opencode2sim.Options) { o.Boot = time.Second }, func(t *testing.T, s *opencode2sim.Simulator, d *v2.Driver) {
		_, err := d.Sessions(t.Context(), 1)
		var e *call.Error
		if !errors.As(err, &e) || e.Status != http.StatusServiceUnavailable || !e.Temporary() {
			t.Errorf("it is %v", err)
		}
		time.Sleep(time.Second)
		if _, err := d.Sessions(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}
