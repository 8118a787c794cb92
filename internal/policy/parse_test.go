package policy_test

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/internal/policy"
	"hermes/internal/question"
)

// team is three people who can answer, on lines 1 to 12.
const team = `[[person]]
id = 1
name = "Ada"
roles = ["lead", "dev"]
[[person]]
id = 2
name = "Bob"
roles = "dev"
[[person]]
id = 3
name = "Dana"
`

// Every mistake is named with its line. The texts follow team, so that they begin on
// line 12.
func TestParse_Mistakes(t *testing.T) {
	var words []string
	for _, e := range slices.Sorted(slices.Values(question.Expiries())) {
		words = append(words, strconv.Quote(string(e)))
	}
	onTimeout := strings.Join(words, ", ")
	for _, c := range []struct{ text, want string }{
		{"[[rule]]", "12: [[rule]] needs name"},
		{"[[rule]]\nname = \"\"", "13: name is empty; write something or leave it out"},
		{"[[rule]]\nname = 5", "13: name must be a text in quotes"},
		{"[[rule]]\nname = \"a\\u200bb\"", "13: name must be at most 64 printable characters"},
		{"[[rule]]\nname = \"a\"\nname = \"b\"", "14: name is given twice; the first is on line 13"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\n[[rule]]\nname = \"a\"", "16: rule \"a\" is there already, on line 13; give this one another name"},
		{"[[rule]]\nname = \"a\"\n[[rule]]\nname = \"b\"", "14: rule \"b\" is never reached, for rule \"a\" on line 12 fits everything; put that one last"},
		{"[[rule]]\nname = \"a\"\nask = \"both\"", "14: ask must be \"question\" or \"permission\"; leave it out for both"},
		{"[[rule]]\nname = \"a\"\npermission = []", "14: permission is empty; write something or leave it out"},
		{"[[rule]]\nname = \"a\"\npermission = [\n  \"bash\",\n  \"\",\n]", "16: permission is empty; write something or leave it out"},
		{"[[rule]]\nname = \"a\"\npattern = [\"x\", \"x\"]", "14: pattern names x twice"},
		{"[[rule]]\nname = \"a\"\ndirectory = \"~/src\"", "14: directory must begin with / or *, for it is held against whole paths; ~ is not expanded"},
		{"[[rule]]\nname = \"a\"\nsubagent = \"yes\"", "14: subagent must be true or false, without quotes"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\npermission = \"bash\"", "15: permission is for permission asks, and this rule is for questions alone (line 14)"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\napprovals = 2", "15: approvals is for permission asks, and this rule is for questions alone (line 14)"},
		{"[[rule]]\nname = \"a\"\napprover_not_owner = true", "14: approver_not_owner is for permission asks, and this rule fits questions too; add ask = \"permission\""},
		{"[[rule]]\nname = \"a\"\nowner = \"ada\"", "14: owner must be a person's numeric Telegram id, without quotes (the bot tells it to whoever presses Start)"},
		{"[[rule]]\nname = \"a\"\nchats = [\"owner\", \"owner\"]", "14: chats names owner twice"},
		{"[[rule]]\nname = \"a\"\napprovals = 2", "14: approvals is for permission asks, and this rule fits questions too; add ask = \"permission\""},
		{"[[rule]]\nname = \"a\"\nask = \"permission\"\napprovals = 0", "15: approvals must be a whole number of at least 1"},
		{"[[rule]]\nname = \"a\"\nask = \"permission\"\napprovals = 3", "15: 3 people must approve, and only 2 may"},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\nroles = \"none\"\napprovals = 1", "15: nobody has the role \"none\"; there are: dev, lead\nrules.toml:16: nobody may approve"},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\nroles = \"lead\"\napprovals = 2", "16: 2 people must approve, and only 1 may"},
		{"[[rule]]\nname = \"a\"\nroles = [\"laed\"]", "14: nobody has the role \"laed\"; there are: dev, lead"},
		{"[[rule]]\nname = \"a\"\nroles = []", "14: roles is empty; write something or leave it out"},
		{"[[rule]]\nname = \"a\"\nchats = [\"group\"]", chatsMistake},
		{"[[rule]]\nname = \"a\"\nchats = 0", chatsMistake},
		{"[[rule]]\nname = \"a\"\nchats = \"-5/0\"", chatsMistake},
		{"[[rule]]\nname = \"a\"\nchats = \"5/7\"", chatsMistake},
		{"[[rule]]\nname = \"a\"\nchats = [true]", chatsMistake},
		{"[[rule]]\nname = \"a\"\nclaim = 15", "14: claim must be a duration of at least a second, such as \"10m\" or \"1h30m\""},
		{"[[rule]]\nname = \"a\"\nclaim_exclusive = true", "14: claim_exclusive does nothing without claim, such as claim = \"15m\""},
		{"[[rule]]\nname = \"a\"\nescalate = \"10m\"", "14: escalate must be a list such as [{ after = \"10m\", chats = [-1001234567890] }]"},
		{"[[rule]]\nname = \"a\"\nescalate = [{ after = \"10m\" }]", "14: [[escalate]] needs chats"},
		{"[[rule]]\nname = \"a\"\nescalate = [\n{ after = \"10m\", chats = 1 },\n{ after = \"5m\", chats = 1 }]", "16: after must be more than the 10m0s of the step before"},
		{"[[rule]]\nname = \"a\"\nquiet = \"22-7\"", "14: quiet must be two different times of the day, such as \"22:00-07:00\""},
		{"[[rule]]\nname = \"a\"\nquiet = \"22:00-22:00\"", "14: quiet must be two different times of the day, such as \"22:00-07:00\""},
		{"[[rule]]\nname = \"a\"\nquiet = \"22:00-07:00\"\nquiet_zone = \"Berlin\"", "15: quiet_zone \"Berlin\" is no zone that is known here; write one such as Europe/Berlin"},
		{"[[rule]]\nname = \"a\"\nquiet_zone = \"UTC\"", "14: quiet_zone does nothing without quiet, such as quiet = \"22:00-07:00\""},
		{"[[rule]]\nname = \"a\"\nheader_regex = \"(\"", "14: header_regex \"(\" is no regular expression: missing closing ): \"(\""},
		{"[[rule]]\nname = \"a\"\ntext_regex = 5", "14: text_regex must be a text in quotes"},
		{"[[rule]]\nname = \"a\"\nhours = \"9-18\"", "14: hours must be two different times of the day, such as \"22:00-07:00\""},
		{"[[rule]]\nname = \"a\"\nhours_zone = \"UTC\"", "14: hours_zone does nothing without hours, such as hours = \"22:00-07:00\""},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\nheader = \"x\"", "15: header is for questions, and this rule is for permission asks alone (line 14)"},
		{"[[rule]]\nname = \"a\"\ntext = \"x\"\nask = \"permission\"", "14: text is for questions, and this rule is for permission asks alone (line 15)"},
		{"[[rule]]\nname = \"a\"\ndecide = \"accept\"", "14: decide must be one of \"forward\", \"reject\", \"accept-first\", \"auto\""},
		{"[[rule]]\nname = \"a\"\ndecide = \"reject\"", "14: decide = \"reject\" would decide permission asks, for which a rule must name the permission and the pattern; for questions alone add ask = \"question\""},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\ndecide = \"reject\"", "15: decide = \"reject\" would decide permission asks, for which a rule must name the permission and the pattern"},
		{"[[rule]]\nname = \"a\"\npattern = \"rm *\"\ndecide = \"allow-once\"", "15: " + noAllowing + `"bash": {"*": "ask", "git status *": "allow"}}`},
		{"[[rule]]\nname = \"a\"\npermission = \"*\"\npattern = \"rm *\"\ndecide = \"reject\"", "14: a rule that decides must name the permission, and \"*\" is any"},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\npattern = [\"ls\", \"git *\"]\ndecide = \"allow-once\"", "16: " + noAllowing + `"bash": {"*": "ask", "ls": "allow", "git *": "allow"}}`},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"allow-once\"", "15: " + noAllowing + `"bash": {"*": "ask", "git status *": "allow"}}`},
		{"[[rule]]\nname = \"a\"\ndecide = \"accept-first\"", "14: decide = \"accept-first\" answers questions, and this rule fits permission asks too; add ask = \"question\""},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\npattern = \"ls\"\ndecide = \"accept-first\"", "16: decide = \"accept-first\" answers questions, and this rule is for permission asks alone (line 14); there is \"reject\""},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"", "15: decide = \"auto\" needs answers, such as answers = [{ header = \"Database\", answer = \"SQLite\" }]"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\nanswers = [{ number = 1, answer = \"x\" }]", "15: answers does nothing without decide = \"auto\""},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ answer = \"x\" }]", "16: an answer needs header, text or number, to say which question it is for"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ number = 0, answer = \"x\" }]", "16: number must be a whole number of at least 1"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ header = \"x\" }]", "16: [[answers]] needs answer"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ header = \"x\", answer = { } }]", "16: answer needs text, such as { text = \"The Bridge\" }"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ header = \"x\", answer = { text = \" \" } }]", "16: text is empty; write something or leave it out"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ header = \"x\", answer = { words = \"x\" } }]", "16: answer needs text, such as { text = \"The Bridge\" }"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = \"x\"", "16: answers must be a list such as [{ header = \"Database\", answer = \"SQLite\" }]"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"auto\"\nanswers = [{ number = 1, answer = \"x\" }]\nfallback = \"wait\"", "17: fallback must be one of \"reject\", \"accept-first\""},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"reject\"\nfallback = \"reject\"", "16: fallback does nothing without decide = \"auto\""},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"reject\"\nprefer_recommended = true", "16: prefer_recommended does nothing without a first choice: decide, fallback or on_timeout = \"accept-first\""},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ntimeout = \"5m\"\non_timeout = \"wait\"\nprefer_recommended = true", "17: prefer_recommended does nothing without a first choice: decide, fallback or on_timeout = \"accept-first\""},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\nnotify = true", "15: notify does nothing without decide = \"reject\" or another decision of the rule itself"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"reject\"\nchats = 5", "16: chats does nothing, for rule \"a\" decides by itself (line 15) and shows nothing; add notify = true, or leave it out"},
		{"[[rule]]\nname = \"a\"\npermission = \"bash\"\npattern = \"ls\"\ndecide = \"reject\"\napprovals = 2", "17: approvals are of people, and rule \"a\" decides by itself (line 16); keep one of the two"},
		{"[[rule]]\nname = \"a\"\non_timeout = \"forward\"", "14: on_timeout must be one of " + onTimeout},
		{"[[rule]]\nname = \"a\"\nask = \"permission\"\non_timeout = \"accept-first\"", "15: on_timeout = \"accept-first\" is for questions: no permission is given because nobody answers"},
		{"[[rule]]\nname = \"a\"\ntimeout = \"0s\"", "14: timeout must be a duration of at least a second, such as \"10m\" or \"1h30m\""},
		{"[[rule]]\nname = \"a\"\nremind = [\"10m\", \"5m\"]", "14: remind must be in order, and 5m0s comes after 10m0s"},
		{"[[rule]]\nname = \"a\"\nundo = 10", "14: undo must be a duration from a second to 10m0s, such as \"10s\", or \"0s\" to send at once"},
		{"[[rule]]\nname = \"a\"\nundo = \"11m\"", "14: undo must be a duration from a second to 10m0s, such as \"10s\", or \"0s\" to send at once"},
		{"[[rule]]\nname = \"a\"\nundo = \"-1s\"", "14: undo must be a duration from a second to 10m0s, such as \"10s\", or \"0s\" to send at once"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\ndecide = \"reject\"\nundo = \"5s\"", "16: undo does nothing, for rule \"a\" decides by itself (line 15) and nobody can take back what no chat shows; add notify = true, or leave it out"},
		{"[[rule]]\nname = \"a\"\ntimeout = \"5m\"\nremind = \"5m\"", "15: the reminder after 5m0s never comes, for the timeout is 5m0s (line 14)"},
		{"[[rule]]\nname = \"a\"\ntimeout = \"5m\"\nescalate = [{ after = \"6m\", chats = 1 }]", "15: the escalation after 6m0s never comes, for the timeout is 5m0s (line 14)"},
		{"[[rule]]\nname = \"a\"\nask = \"question\"\n[[rule]]\nname = \"b\"\nheader = \"x\"", "15: rule \"b\" is never reached, for rule \"a\" on line 12 fits all that it fits; put the narrower one first"},
		{"[[rule]]\nname = \"a\"\nagent = [\"x\", \"y\"]\n[[rule]]\nname = \"b\"\nagent = \"y\"\nask = \"question\"", "15: rule \"b\" is never reached, for rule \"a\" on line 12 fits all that it fits; put the narrower one first"},
		{"[[rule]]\nname = \"a\"\nhours = \"09:00-18:00\"\n[[rule]]\nname = \"b\"\nhours = \"09:00-18:00\"\nask = \"question\"", "15: rule \"b\" is never reached, for rule \"a\" on line 12 fits all that it fits; put the narrower one first"},
		{"[rule]\nname = \"a\"", "12: write [[rule]], in two brackets, above each"},
		{"[[people]]\nid = 4", "12: \"people\" is no setting of a rules file; there are: hours_zone, person, quiet_zone, remote, rule"},
		{"[[person]]\nid = 1\nname = \"Eve\"", "13: id 1 is given to two people; the first is on line 2"},
		{"[[person]]\nid = \"4\"\nname = \"Eve\"", "13: id must be a person's numeric Telegram id, without quotes (the bot tells it to whoever presses Start)"},
		{"[[person]]\nid = 777000\nname = \"Eve\"", "13: id 777000 is an id that Telegram uses for many people; name each person by their own"},
		{"[[person]]\nid = 4\nname = \"Eve\"\nrole = \"dev\"", "15: \"role\" is no setting of [[person]]; there are: id, name, roles"},
		{"[[person]]\nid = 4\nname = \"Eve\"\nroles = [\"dev\"", "15: array is incomplete"},
	} {
		_, err := policy.Parse("rules.toml", []byte(team+c.text))
		if got, want := said(err), "rules.toml:"+c.want; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, want)
		}
	}
}

const noAllowing = `decide = "allow-once": rules allow nothing any more, only a person does; take the rule out, and write what may run unasked into opencode.json: "permission": {`

const chatsMistake = "14: chats must name chats by their ids, such as 123456789 or -1001234567890, and a forum's topic as \"-1001234567890/5\""

func said(err error) string {
	if err == nil {
		return "no mistake"
	}
	return err.Error()
}

func TestParse_MistakesInOrder(t *testing.T) {
	_, err := policy.Parse("r", []byte("[[rule]]\nname = \"a\"\nrols = 1\nclaim = 2\n[[rule]]\nname = \"a\"\nask = 1\nask = 2\nroles = \"x\"\n"))
	var wrong policy.Mistakes
	if !errors.As(err, &wrong) {
		t.Fatalf("got %v", err)
	}
	var lines []string
	for _, m := range wrong {
		lines = append(lines, strings.SplitN(m, ":", 3)[1])
	}
	if got := strings.Join(lines, " "); got != "3 4 7 8" {
		t.Errorf("mistakes on lines %s:\n%v", got, err)
	}
}

func TestParse_NobodyMayAnswer(t *testing.T) {
	for _, text := range []string{"", "[[person]]\nid = 1\nname = \"Ada\"\n"} {
		_, err := policy.Parse("r", []byte(text))
		if got := said(err); got != "r:1: nobody may answer; add a [[person]] with id, name and roles" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestParse_Rule(t *testing.T) {
	b := parse(t, `quiet_zone = "UTC"`+"\n"+team+`[[rule]]
name = "all of it"
roles = ["lead"]
chats = [-100123, "-100123/45", "7"]
claim = "15m"
claim_exclusive = true
quiet = "22:00-07:30"
[[rule.escalate]]
after = "10m"
chats = 9
[[rule.escalate]]
after = "1h"
chats = [10]
`)
	got := b.Rule(policy.Ask{})
	targets := []policy.Target{{Chat: -100123}, {Chat: -100123, Topic: 45}, {Chat: 7}}
	if got.Name != "all of it" || got.Approvals != 1 || !slices.Equal(got.Targets, targets) || !slices.Equal(got.Roles, []string{"lead"}) {
		t.Errorf("%+v", got)
	}
	if got.Claim != 15*time.Minute || !got.Exclusive || got.Quiet != (policy.Hours{From: 22 * time.Hour, To: 7*time.Hour + 30*time.Minute, Zone: time.UTC}) {
		t.Errorf("%+v", got)
	}
	if len(got.Escalation) != 2 || got.Escalation[1].After != time.Hour || got.Escalation[1].Targets[0].Chat != 10 {
		t.Errorf("%+v", got.Escalation)
	}
	all := []policy.Target{{Chat: -100123}, {Chat: -100123, Topic: 45}, {Chat: 7}, {Chat: 9}, {Chat: 10}}
	if !slices.Equal(b.Targets(), all) {
		t.Errorf("all chats are %v, want %v", b.Targets(), all)
	}
}

// What the page on rules shows is right.
func TestParse_DocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllSubmatch(page, -1)
	if len(examples) == 0 {
		t.Fatal("there is no example")
	}
	for _, example := range examples {
		b := parse(t, string(example[1]))
		if r := b.Rule(bash("make", "rm -rf build")); strings.Contains(string(example[1]), `"deleting"`) && r.Name != "deleting" {
			t.Errorf("rm fits %q", r.Name)
		}
	}
	b := parse(t, string(examples[0][1]))
	if r := b.Rule(bash("kubectl apply")); r.Name != "deploys" || r.Approvals != 2 {
		t.Errorf("kubectl fits %+v", r)
	}
	deciding := slices.IndexFunc(examples, func(e [][]byte) bool { return strings.Contains(string(e[1]), "\ndecide") })
	b = parse(t, string(examples[deciding][1]))
	for command, want := range map[string]string{"git status --short": "people", "rm x": "reject"} {
		if got := decided(b.Rule(bash(command)), bash(command)); got != want {
			t.Errorf("%s: got %s, want %s", command, got, want)
		}
	}
	if got := decided(b.Rule(asking(database())), asking(database())); got != "SQLite" {
		t.Errorf("the database is %s", got)
	}
}

func parse(t *testing.T, text string) *policy.Ruleset {
	t.Helper()
	b, err := policy.Parse("rules.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bash asks for these commands.
func bash(commands ...string) policy.Ask {
	return policy.Ask{Request: question.Request{Permission: &question.Permission{
		Kind: "bash", Patterns: commands, Command: strings.Join(commands, " && "),
	}}}
}

func FuzzParse(f *testing.F) {
	f.Add(team)
	f.Add(team + "[[rule]]\nname = \"a\"\nescalate = [{ after = \"10m\", chats = [-1] }]\n")
	f.Add("a.b = 1\n[a]\n[[a.b]]\nc.d = { e = [[1]] }\n")
	f.Add("rule = 3\nperson = [1, [2]]\n[[rule]]\n")
	form := regexp.MustCompile(`^r:([0-9]+): [^\n]+$`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := policy.Parse("r", []byte(text))
		var wrong policy.Mistakes
		if err != nil && (!errors.As(err, &wrong) || len(wrong) == 0) {
			t.Fatalf("error of another kind: %v", err)
		}
		last, lines := 1, strings.Count(text, "\n")+1
		for _, m := range wrong {
			at := form.FindStringSubmatch(m)
			if at == nil {
				t.Fatalf("a mistake without a line: %q", m)
			}
			line, _ := strconv.Atoi(at[1])
			if line < last || line > lines {
				t.Fatalf("line %d after %d, of %d", line, last, lines)
			}
			last = line
		}
		if err == nil {
			sound(t, b)
		}
	})
}

// sound holds what every book has.
func sound(t *testing.T, b *policy.Ruleset) {
	t.Helper()
	r := b.Rule(bash("rm"))
	able := 0
	for _, p := range b.People() {
		if b.May(r, p.ID) == policy.May {
			able++
		}
	}
	if able < r.Approvals || r.Approvals < 1 || len(r.Targets) == 0 {
		t.Fatalf("%d people may answer %+v", able, r)
	}
}
