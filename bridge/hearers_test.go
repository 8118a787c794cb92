package bridge_test

import (
	"slices"
	"testing"
	"time"

	"hermes/bridge"
	"hermes/internal/policy"
	"hermes/internal/remote"
	"hermes/internal/session"
)

func shopAt(directory string) session.Origin {
	return session.Origin{Way: session.Direct, Process: "http://a", Directory: directory}
}

// Who hears by default what a session did are those who are shown what it asks, as far as they may drive sessions.
func TestHearers_ByTheRules(t *testing.T) {
	const drivers = "\n[remote]\nroles = [\"lead\"]\n"
	turn := session.Turn{Session: session.Session{ID: "ses_1", Title: "fix checkout"}, Agent: "build"}
	for name, c := range map[string]struct {
		rules string
		at    session.Origin
		want  []remote.Hearer
	}{
		"the rule's chats":        {leads + drivers, shopAt("/src/shop-api"), []remote.Hearer{{Chat: teamChat}}},
		"nobody may drive":        {leads, shopAt("/src/shop-api"), nil},
		"without a rule":          {drivers, shopAt("/src/web"), []remote.Hearer{{Chat: adaChat + 10}}},
		"a topic of the rule":     {"[[rule]]\nname = \"x\"\nchats = [\"-5/7\", \"-5/8\"]" + drivers, shopAt("/src/web"), []remote.Hearer{{Chat: teamChat, Topic: 7}}},
		"by the session":          {"[[rule]]\nname = \"x\"\nsession = \"checkout\"\nchats = [-5]" + drivers, shopAt("/src/web"), []remote.Hearer{{Chat: teamChat}}},
		"by the agent":            {"[[rule]]\nname = \"x\"\nagent = \"plan\"\nchats = [-5]" + drivers, shopAt("/src/web"), []remote.Hearer{{Chat: adaChat + 10}}},
		"of a subagent alone":     {"[[rule]]\nname = \"x\"\nsubagent = true\nchats = [-5]" + drivers, shopAt("/src/web"), []remote.Hearer{{Chat: adaChat + 10}}},
		"by what a question says": {"[[rule]]\nname = \"x\"\ntext = \"deploy\"\nchats = [-5]" + drivers, shopAt("/src/web"), []remote.Hearer{{Chat: adaChat + 10}}},
		"in a quiet time":         {"[[rule]]\nname = \"x\"\nquiet = \"22:00-07:00\"\nquiet_zone = \"UTC\"\nchats = [-5]" + drivers, shopAt("/src/web"), []remote.Hearer{{Chat: teamChat, Silent: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			rules := team(t, c.rules).WithDefault(policy.Target{Chat: adaChat + 10}, policy.Target{Chat: bobChat + 10})
			play(t, func(c *bridge.Config) { c.Rules = rules }, func(w *world) {
				if got, err := w.bridge.Hearers(w.t.Context(), c.at, turn); err != nil || !slices.Equal(got, c.want) {
					t.Errorf("got %+v, %v, want %+v", got, err, c.want)
				}
			})
		})
	}
}

// A session that has a topic is heard of there, but not another machine's of that name.
func TestHearers_InTheTopicOfTheSession(t *testing.T) {
	turn := session.Turn{Session: session.Session{ID: "ses_1", Title: "fix"}}
	play(t, func(c *bridge.Config) {
		c.Forum, c.Rules = &forum{}, policy.Everyone(nil, []policy.Target{{Chat: teamChat}}).With(policy.Person{ID: ada})
	}, func(w *world) {
		w.askIn("ses_1")
		w.wait(5 * time.Second)
		for at, want := range map[session.Origin]int{
			w.agent.origin():   1,
			shopAt("/src/web"): 0,
		} {
			if got, err := w.bridge.Hearers(w.t.Context(), at, turn); err != nil || len(got) != 1 || got[0] != (remote.Hearer{Chat: teamChat, Topic: want}) {
				t.Errorf("at %+v: %+v, %v, want topic %d", at, got, err, want)
			}
		}
	})
}
