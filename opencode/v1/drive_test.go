package v1_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	"hermes/opencode/prompt"
	v1 "hermes/opencode/v1"
)

// drive prompts a session with a text, under an id of the client's.
func drive(t *testing.T, c *v1.Driver, session session.ID, p session.Prompt) session.MessageID {
	t.Helper()
	id, err := c.NextID(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	p.ID, p.Session = id, session
	if err := c.Prompt(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return id
}

func says(text string) session.Prompt {
	return session.Prompt{Parts: []session.Part{{Text: text}}}
}

func created(t *testing.T, c *v1.Driver) session.ID {
	t.Helper()
	s, err := c.Create(t.Context(), "Paint")
	if err != nil || s.Title != "Paint" || s.Directory != proj || s.Busy {
		t.Fatalf("made %+v, %v", s, err)
	}
	return s.ID
}

// A session is made once for each moment, also when OpenCode's answer is lost.
func TestDriver_CreateOnce(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c, at := driverOf(s), time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
		var ids []session.ID
		for _, fault := range []opencodesim.Fault{opencodesim.FailAfterEffect, opencodesim.NoFault} {
			s.SetFault(func(r *http.Request) opencodesim.Fault {
				if r.Method == http.MethodPost {
					return fault
				}
				return opencodesim.NoFault
			})
			made, err := c.CreateOnce(t.Context(), at)
			if err != nil || made.Title != "" {
				t.Fatal(made, err)
			}
			ids = append(ids, made.ID)
		}
		other, err := c.CreateOnce(t.Context(), at.Add(time.Millisecond))
		if err != nil || ids[0] != ids[1] || other.ID == ids[0] || len(s.Sessions()) != 2 {
			t.Errorf("made %q and %q, %v", ids, other.ID, err)
		}
		s.SetFault(func(*http.Request) opencodesim.Fault { return opencodesim.FailBeforeEffect })
		if _, err := c.CreateOnce(t.Context(), at.Add(time.Second)); err == nil || len(s.Sessions()) != 2 {
			t.Errorf("without OpenCode: %v", err)
		}
	})
}

// A prompt that is sent again, as hermes does not know whether it came, is run once.
func TestDriver_PromptOnce(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		id, err := c.NextID(t.Context(), ses)
		if err != nil {
			t.Fatal(err)
		}
		p := session.Prompt{ID: id, Session: ses, Parts: []session.Part{{Text: "hello"}}}
		if there, err := c.Prompted(t.Context(), ses, id); there || err != nil {
			t.Errorf("before it was sent it is there: %v %v", there, err)
		}
		for range 3 {
			if err := c.Prompt(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if there, err := c.Prompted(t.Context(), ses, id); !there || err != nil {
			t.Errorf("it is there: %v %v", there, err)
		}
		turn, err := c.Turn(t.Context(), ses)
		if turn.Text != "You said: hello" || turn.Tokens != 15 || len(s.Prompts()) != 1 || err != nil {
			t.Errorf("%d prompts led to %+v, %v", len(s.Prompts()), turn, err)
		}
	})
}

// Clocks differ: neither may a prompt sort before what is in the session, nor after
// what OpenCode writes next.
func TestDriver_NextID(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		c = v1.NewDriver(c.Endpoint, s.Version(), -time.Hour) // as if OpenCode's clock were an hour behind
		time.Sleep(time.Minute)
		if id := drive(t, c, ses, says("first")); late(id) {
			t.Errorf("the first id is %s", id)
		}
		time.Sleep(time.Minute)
		if id := drive(t, c, ses, says("second")); late(id) {
			t.Errorf("the second id is %s", id)
		}
		turn, err := c.Turn(t.Context(), ses)
		if turn.Text != "You said: second" || err != nil {
			t.Errorf("the agent says %q, %v", turn.Text, err)
		}
		c = driverOf(s)
		s.Ask(proj, string(ses), colour)
		time.Sleep(time.Minute)
		if id, err := c.NextID(t.Context(), ses); err != nil || stampOf(t, id) != uint64(time.Now().UnixMilli())*4096&stampMask+1 {
			t.Errorf("while it works the id is %s, %v", id, err)
		}
	})
}

// late reports whether an id is of the time now, or later.
func late(id session.MessageID) bool {
	at, _ := stamp(id)
	return at >= uint64(time.Now().UnixMilli())*4096&stampMask
}

// stampMask is the bits of a time that are in an id.
const stampMask = 1<<48 - 1

func stamp(id session.MessageID) (uint64, bool) {
	digits, ok := strings.CutPrefix(string(id), "msg_")
	if !ok || len(digits) < 12 {
		return 0, false
	}
	at, err := strconv.ParseUint(digits[:12], 16, 64)
	return at, err == nil
}

func stampOf(t *testing.T, id session.MessageID) uint64 {
	t.Helper()
	at, ok := stamp(id)
	if !ok {
		t.Fatalf("%q is no id", id)
	}
	return at
}

// What OpenCode would take and not run is not sent.
func TestDriver_PromptRefused(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		drive(t, c, ses, says("hello"))
		sent := len(s.Prompts())
		next, err := c.NextID(t.Context(), ses)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			name   string
			change func(*session.Prompt)
			want   error
		}{
			{"no session", func(p *session.Prompt) { p.Session = "ses_000000000000AAAAAAAAAAAAAA" }, session.ErrNoSession},
			{"no agent", func(p *session.Prompt) { p.Agent = "nosuch" }, session.ErrNoAgent},
			{"no model", func(p *session.Prompt) { p.Model = session.Model{Provider: "scripted", ID: "nosuch"} }, session.ErrNoModel},
			{"no command", func(p *session.Prompt) { p.Command = "nosuch" }, session.ErrNoCommand},
			{"a command's signs", func(p *session.Prompt) { p.Command, p.Parts[0].Text = "say", "see @notes.md" }, session.ErrSigns},
			{"too late", func(p *session.Prompt) { p.ID = prompt.NewID("", time.Now().Add(-time.Hour)) }, session.ErrLateID},
			{"an archive", func(p *session.Prompt) {
				p.Parts = append(p.Parts, session.Part{Name: "a.zip", Mime: "application/zip", Data: []byte("PK\x00")})
			}, session.ErrFile},
			{"too large", func(p *session.Prompt) {
				p.Parts = append(p.Parts, session.Part{Mime: "image/png", Data: make([]byte, session.MaxFiles+1)})
			}, session.ErrTooLarge},
		} {
			p := session.Prompt{ID: next, Session: ses, Parts: []session.Part{{Text: "hello"}}}
			test.change(&p)
			if err := c.Prompt(t.Context(), p); !errors.Is(err, test.want) {
				t.Errorf("%s: %v, want %v", test.name, err, test.want)
			}
		}
		if n := len(s.Prompts()); n != sent {
			t.Errorf("%d prompts were sent", n-sent)
		}
	})
}

// templates answers the list of commands in a server's place.
type templates struct {
	http.RoundTripper
	list string
}

func (t templates) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/command" {
		return t.RoundTripper.RoundTrip(r)
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.WriteString(t.list)
	return w.Result(), nil
}

// A command whose template would have OpenCode run or read the text is run without one.
func TestDriver_CommandWithoutAText(t *testing.T) {
	for _, list := range []string{`[{"name":"say","template":"!` + "`echo $ARGUMENTS`" + `"}]`, `[{"name":"say","text":false}]`, `[{"name":"say"}]`} {
		bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
			c := driverOf(s)
			c.Endpoint.Transport = templates{c.Endpoint.Transport, list}
			ses := created(t, c)
			next, err := c.NextID(t.Context(), ses)
			if err != nil {
				t.Fatal(err)
			}
			p := session.Prompt{ID: next, Session: ses, Command: "say", Parts: []session.Part{{Text: "hello"}}}
			if err := c.Prompt(t.Context(), p); !errors.Is(err, session.ErrNoText) || len(s.Prompts()) != 0 {
				t.Errorf("%s: %v, and %d prompts", list, err, len(s.Prompts()))
			}
			p.Parts = nil
			if err := c.Prompt(t.Context(), p); err != nil || len(s.Prompts()) != 1 {
				t.Errorf("%s without a text: %v, and %d prompts", list, err, len(s.Prompts()))
			}
		})
	}
}

// The agent and the model stay, unless others are named. OpenCode itself forgets the
// agent.
func TestDriver_PromptKeepsTheAgent(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		second := session.Model{Provider: "scripted", ID: "second"}
		p := says("hello")
		p.Agent, p.Model = "plan", second
		drive(t, c, ses, p)
		drive(t, c, ses, says("again"))
		if turn, err := c.Turn(t.Context(), ses); turn.Agent != "plan" || turn.Model != second || err != nil {
			t.Errorf("answered by %s with %v, %v", turn.Agent, turn.Model, err)
		}
	})
}

// picture is a small image.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDriver_PromptParts(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		drive(t, c, ses, session.Prompt{Parts: []session.Part{
			{Text: "look"},
			{Name: "notes.md", Mime: "text/markdown", Data: []byte("# note\n")},
			{Name: "p.png", Mime: "image/png", Data: picture(t)},
			{Agent: "asker"},
		}})
		sent := s.Prompts()[0]
		files := sent.Files
		if s.Version() == opencodesim.VersionNew {
			if len(files) != 2 || files[0].Mime != "text/plain" || files[0].Name != "notes.md" || string(files[0].Data) != "# note\n" {
				t.Fatalf("the files are %+v", files)
			}
			files = files[1:]
		} else if !strings.Contains(sent.Text, "<file name=\"notes.md\">\n# note\n") {
			t.Errorf("the text is %q", sent.Text)
		}
		if len(files) != 1 || files[0].Mime != "image/png" || !bytes.Equal(files[0].Data, picture(t)) {
			t.Errorf("the files are %+v", files)
		}
		turn, err := c.Turn(t.Context(), ses)
		if !strings.Contains(turn.Text, "# note") || strings.Contains(turn.Text, "\ufffd") || !strings.Contains(turn.Text, "subagent: asker") || err != nil {
			t.Errorf("the model was told %q, %v", turn.Text, err)
		}
	})
}

// OpenCode answers a command at the end of its turn, which may be hours away.
func TestDriver_Command(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		drive(t, c, ses, session.Prompt{Command: "say", Parts: []session.Part{{Text: "hello"}}})
		began := time.Now()
		id := drive(t, c, ses, session.Prompt{
			Command: "say", Agent: "plan", Model: session.Model{Provider: "scripted", ID: "second"},
			Parts: []session.Part{{Text: `CALL question {"questions":[{"question":"Sure?","header":"S","options":[]}]}`}},
		})
		if took := time.Since(began); took > call.Timeout {
			t.Errorf("it took %v", took)
		}
		got := s.Prompts()[1]
		if got.Command != "say" || got.Agent != "plan" || got.Model != "scripted/second" || got.MessageID != string(id) {
			t.Errorf("sent %+v", got)
		}
		if session, err := c.Session(t.Context(), ses); !session.Busy || err != nil {
			t.Errorf("the session is %+v, %v", session, err)
		}
		synctest.Wait()
	})
}

func TestDriver_Sessions(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		var made []session.ID
		for range 3 {
			made = append(made, created(t, c))
			time.Sleep(time.Second)
		}
		s.NewSession("/home/ada/shop", "Elsewhere")
		s.Task(proj, string(made[0]), "asker", "look")
		list, err := c.Sessions(t.Context(), 2)
		if err != nil || len(list) != 2 || list[0].ID != made[0] || !list[0].Busy || list[1].ID != made[2] || list[1].Busy {
			t.Errorf("listed %+v, %v", list, err)
		}
		if err := c.Abort(t.Context(), made[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Session(t.Context(), "ses_none"); !errors.Is(err, session.ErrNoSession) || !call.IsNotFound(err) {
			t.Errorf("an unknown session gives %v", err)
		}
		if err := c.Abort(t.Context(), "ses_none"); !errors.Is(err, session.ErrNoSession) {
			t.Errorf("to stop an unknown session gives %v", err)
		}
	})
}

func TestDriver_Turn(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		began := time.Now().Truncate(time.Millisecond)
		drive(t, c, ses, says(`CALL todowrite {"todos":[{"content":"paint","status":"in_progress","priority":"high"}]}`+"\n"+
			`CALL edit {"filePath":"/home/ada/proj/a.txt","oldString":"red","newString":"blue\ngreen"}`))
		if turn, err := c.Turn(t.Context(), ses); !turn.Ended.IsZero() || turn.Message == "" || err != nil {
			t.Errorf("while it waits the turn is %+v, %v", turn, err)
		}
		time.Sleep(time.Minute)
		s.DecideAtTUI(s.Pending(proj)[0], "once")
		turn, err := c.Turn(t.Context(), ses)
		if err != nil || !turn.Began.Equal(began) || turn.Ended.Sub(turn.Began) != time.Minute {
			t.Errorf("the turn went from %v to %v, %v", turn.Began, turn.Ended, err)
		}
		if !strings.HasPrefix(turn.Text, "TOOLRESULT") || turn.Files != 1 || turn.Added != 2 || turn.Removed != 1 || turn.Tokens != 30 ||
			turn.Agent != "build" || len(turn.Todos) != 1 || turn.Todos[0] != (session.Todo{Text: "paint", State: "in_progress"}) {
			t.Errorf("the turn is %+v", turn)
		}
		drive(t, c, ses, says("why?"))
		if turn, _ := c.Turn(t.Context(), ses); turn.Files != 0 || turn.Text != "You said: why?" || turn.Tokens != 15 {
			t.Errorf("the next turn is %+v", turn)
		}
		diff, err := c.Diff(t.Context(), ses)
		if err != nil || !strings.Contains(diff, "+++ a.txt\n") || !strings.Contains(diff, "\n-red\n+blue\n+green\n") {
			t.Errorf("the diff is %q, %v", diff, err)
		}
	})
}

// A long turn's prompt is further back than what is read at first.
func TestDriver_TurnLong(t *testing.T) {
	all := []string{`{"info":{"id":"msg_0","role":"user","time":{"created":1000}}}`}
	for n := range 60 {
		all = append(all, fmt.Sprintf(`{"info":{"id":"msg_1%02d","role":"assistant","parentID":"msg_0","cost":0.5,"tokens":{"input":1},`+
			`"time":{"created":%d,"completed":%d}}}`, n, 2000+n, 3000+n))
	}
	c := v1.NewDriver(&call.Endpoint{Directory: proj, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		answer := pages{"/session/ses_1": `{"id":"ses_1"}`, "/session/status": `{}`, "/session/ses_1/todo": `[]`}
		if limit, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil {
			answer["/session/ses_1/message"] = "[" + strings.Join(all[max(0, len(all)-limit):], ",") + "]"
		}
		return answer.RoundTrip(r)
	})}, "", 0)
	turn, err := c.Turn(t.Context(), "ses_1")
	if err != nil || turn.Began.UnixMilli() != 1000 || turn.Ended.UnixMilli() != 3059 || turn.Cost != 30 || turn.Tokens != 60 {
		t.Errorf("the turn is %+v, %v", turn, err)
	}
}

func TestDriver_TurnOfNothing(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		ses := created(t, c)
		if turn, err := c.Turn(t.Context(), ses); turn.Message != "" || turn.Session.ID != ses || err != nil {
			t.Errorf("the turn is %+v, %v", turn, err)
		}
		if diff, err := c.Diff(t.Context(), ses); diff != "" || err != nil {
			t.Errorf("the diff is %q, %v", diff, err)
		}
		for name, look := range map[string]func() error{
			"turn": func() error { _, err := c.Turn(t.Context(), "ses_none"); return err },
			"diff": func() error { _, err := c.Diff(t.Context(), "ses_none"); return err },
			"next": func() error { _, err := c.NextID(t.Context(), "ses_none"); return err },
		} {
			if err := look(); !errors.Is(err, session.ErrNoSession) {
				t.Errorf("%s of an unknown session gives %v", name, err)
			}
		}
	})
}

// Over a link a list with whole tool outputs may be too large.
func TestDriver_TurnOfLargeOutputs(t *testing.T) {
	s := opencodesim.New(opencodesim.Options{})
	c := driverOf(s)
	ses := created(t, c)
	drive(t, c, ses, says("hello"))
	c.Endpoint.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if limit := r.URL.Query().Get("limit"); len(limit) > 1 {
			return nil, errors.New("OpenCode's answer is larger than 4 MiB")
		}
		return s.Transport().RoundTrip(r)
	})
	if turn, err := c.Turn(t.Context(), ses); turn.Text != "You said: hello" || err != nil {
		t.Errorf("the turn is %+v, %v", turn, err)
	}
}

func TestDriver_Choices(t *testing.T) {
	bothVersions(t, func(t *testing.T, s *opencodesim.Simulator) {
		c := driverOf(s)
		agents, err := c.Agents(t.Context())
		if got := strings.Join(agents, " "); got != "build plan" || err != nil {
			t.Errorf("the agents are %s, %v", got, err)
		}
		agents, err = c.Subagents(t.Context())
		if got := strings.Join(agents, " "); got != "general explore asker" || err != nil {
			t.Errorf("the subagents are %s, %v", got, err)
		}
		models, err := c.Models(t.Context())
		if len(models) != 2 || models[1] != (session.Model{Provider: "scripted", ID: "second"}) || err != nil {
			t.Errorf("the models are %v, %v", models, err)
		}
		commands, err := c.Commands(t.Context())
		if got := strings.Join(commands, " "); got != "init review say" || err != nil {
			t.Errorf("the commands are %s, %v", got, err)
		}
	})
}
