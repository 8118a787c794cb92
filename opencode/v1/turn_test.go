package v1_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/internal/session"
	"hermes/internal/simulate/opencodesim"
	"hermes/opencode/call"
	v1 "hermes/opencode/v1"
)

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
