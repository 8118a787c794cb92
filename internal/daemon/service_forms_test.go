package daemon_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/rig"
)

// elicit has an MCP server ask for something while a turn runs, and waits until the phone shows it.
func elicit(s *serviceRig, want opencode2sim.Elicited) (form string, reply <-chan map[string]any) {
	s.T.Helper()
	s.Service.Ask(s.Dir, s.Session, rig.DatabaseQuestion())
	s.Wait(2 * time.Second)
	form, reply = s.Service.Elicit(s.Dir, "shop", want)
	s.Wait(3 * time.Second)
	return form, reply
}

// formCard is the message that shows the form.
func formCard(s *serviceRig) (id int, text string) {
	s.T.Helper()
	for _, m := range s.Telegram.Messages(rig.Ada) {
		if strings.Contains(m.Text, "MCP server shop") {
			return m.ID, m.Text
		}
	}
	s.T.Fatalf("no form is shown:\n%s\nlog:\n%s", s.Telegram.Transcript(rig.Ada), s.Log.String())
	return 0, ""
}

func wantFormSays(s *serviceRig, parts ...string) {
	s.T.Helper()
	_, text := formCard(s)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.T.Errorf("the form lacks %q:\n%s", part, text)
		}
	}
}

func wantReply(s *serviceRig, reply <-chan map[string]any, want string) {
	s.T.Helper()
	select {
	case got := <-reply:
		if text, _ := json.Marshal(got); string(text) != want {
			s.T.Errorf("the server got %s, want %s", text, want)
		}
	default:
		s.T.Errorf("the server got nothing, want %s\n%s", want, s.Telegram.Transcript(rig.Ada))
	}
}

func wantedOrder() opencode2sim.Elicited {
	return opencode2sim.Elicited{Message: "Order details", Fields: []map[string]any{
		{"key": "size", "title": "Size", "required": true, "type": "string", "custom": false, "options": []any{
			map[string]any{"value": "S", "label": "Small"}, map[string]any{"value": "M", "label": "Medium"},
		}},
		{"key": "n", "title": "How many", "required": true, "type": "integer", "minimum": 1, "maximum": 9},
		{"key": "code", "title": "Code", "type": "string", "pattern": "^[0-9]+$"},
	}}
}

// The form of an MCP server is filled in on the phone, step by step. What only the server can judge is asked again with its words.
func TestService_Form(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		_, reply := elicit(s, wantedOrder())
		wantFormSays(s, "Size · shop-api · 1 of 3", "not the agent", "Order details")
		s.TapCard("1. Small")
		card, _ := formCard(s)
		s.Say("12", card)
		s.Wait(2 * time.Second)
		wantFormSays(s, "How many", "Send a whole number from 1 to 9.", `"12" does not fit`)
		s.Say("2", card)
		s.Wait(2 * time.Second)
		s.Say("\u0667", card) // a digit, and none in this pattern
		s.Wait(2 * time.Second)
		s.TapCard("✅ Send")
		s.Wait(5 * time.Second)
		wantFormSays(s, "Ready to send", "nothing is answered yet. OpenCode says", "pattern")
		s.TapCard("✏️ 3")
		s.Say("7", card)
		s.Wait(2 * time.Second)
		s.TapCard("✅ Send")
		s.Wait(5 * time.Second)
		wantReply(s, reply, `{"action":"accept","content":{"code":"7","n":2,"size":"S"}}`)
		wantFormSays(s, "1. Size → Small", "2. How many → 2", `3. Code → "7"`, "Ada")
	})
}

// A program may fill it in too, with values as text; what no field takes is refused before it is stored.
func TestService_FormOverTheAPI(t *testing.T) {
	playServices(t, func(s *serviceRig) {
		_, reply := elicit(s, wantedOrder())
		_, text := s.Request("GET", "/v1/questions", "")
		for _, q := range openQuestions(t, text) {
			if q.Form == nil {
				continue
			}
			if code, text := s.Request("POST", "/v1/questions/"+q.ID, `{"answers":[["Small"],["2"],[]]}`); code != 400 || !strings.Contains(text, "answers[0]: is no value") {
				t.Errorf("a label: %d %s", code, text)
			}
			if code, text := s.Request("POST", "/v1/questions/"+q.ID, `{"answers":[["S"],["2"],[]]}`); code != 200 || !strings.Contains(text, `"values":{"n":2,"size":"S"}`) {
				t.Errorf("values: %d %s", code, text)
			}
		}
		s.Wait(5 * time.Second)
		wantReply(s, reply, `{"action":"accept","content":{"n":2,"size":"S"}}`)
		wantFormSays(s, "answered over the API")
	})
}

// openQuestion is what the HTTP interface says of a question.
type openQuestion struct {
	ID   string `json:"id"`
	Form any    `json:"form"`
}

func openQuestions(t *testing.T, text string) []openQuestion {
	t.Helper()
	var open struct {
		Questions []openQuestion `json:"questions"`
	}
	if err := json.Unmarshal([]byte(text), &open); err != nil {
		t.Fatal(err)
	}
	return open.Questions
}

// What happens at OpenCode closes the card, and a form that nobody filled in is declined at its deadline.
func TestService_FormEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*serviceRig, string)
		want string
	}{
		"declined": {func(s *serviceRig, form string) { s.Service.RejectAtTUI(form) }, "Cancelled in OpenCode"},
		"restart":  {func(s *serviceRig, _ string) { s.Service.Restart() }, "No longer waiting: OpenCode was restarted."},
		"killed":   {func(s *serviceRig, _ string) { s.Service.Kill(); s.Service.Start() }, "No longer waiting: OpenCode was restarted."},
		"filled in and restarted while hermes was away": {func(s *serviceRig, form string) {
			s.Halt()
			s.Service.RejectAtTUI(form)
			s.Service.Restart()
			s.Wait(time.Minute)
			s.Start()
		}, "It is unclear what became of this form."},
		"deadline": {func(s *serviceRig, _ string) { s.Wait(31 * time.Minute) }, "Nobody answered in 30 min: declined."},
	} {
		t.Run(name, func(t *testing.T) {
			playServices(t, func(s *serviceRig) {
				form, _ := elicit(s, wantedOrder())
				c.end(s, form)
				s.Wait(20 * time.Second)
				wantFormSays(s, c.want)
			})
		})
	}
}
