package policy

import (
	"slices"
	"strings"
	"testing"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

func TestRuleset_WithPaired(t *testing.T) {
	b, err := Parse("rules.toml", []byte("[[person]]\nid = 1\nname = \"Ada\"\nroles = [\"lead\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	moved := func(id chat.ID) chat.ID {
		if id == -5 {
			return -1005
		}
		return id
	}
	b = b.WithDefault(Target{Chat: 1}, Target{Chat: -5}).WithPaired(storage.Pairings{
		Guests: []storage.Guest{{User: 1, Name: "Impostor", Roles: []string{"boss"}, Chat: 1}, {User: 2, Name: "Eve"}, {User: 3, Name: "Bob", Chat: 3}},
		Groups: []storage.GuestGroup{{Chat: -1005}, {Chat: -7}},
	}, moved)
	if p, _ := b.Person(1); p.Name != "Ada" || !slices.Equal(p.Roles, []string{"lead"}) {
		t.Errorf("the file's person is %+v", p)
	}
	if p, ok := b.Person(2); !ok || p.Name != "Eve" {
		t.Errorf("a guest is %+v, %v", p, ok)
	}
	if got, want := b.Targets(), []Target{{Chat: 1}, {Chat: -5}, {Chat: 3}, {Chat: -7}}; !slices.Equal(got, want) {
		t.Errorf("the chats are %v, want %v", got, want)
	}
}

// Who was let in gets what no rule sends elsewhere, also when a rule names their chat.
func TestRuleset_WithPaired_NamedByARule(t *testing.T) {
	b, err := Parse("rules.toml", []byte(`
[[person]]
id = 1
name = "Ada"
roles = ["lead"]

[[rule]]
name = "fetch"
permission = "webfetch"
chats = [-7, 3]
[[rule.escalate]]
after = "5m"
chats = [-8]
`))
	if err != nil {
		t.Fatal(err)
	}
	b = b.WithDefault(Target{Chat: 1}).WithPaired(storage.Pairings{
		Guests: []storage.Guest{{User: 3, Name: "Bob", Chat: 3}},
		Groups: []storage.GuestGroup{{Chat: -7}, {Chat: -8}},
	}, func(id chat.ID) chat.ID { return id })
	if got, want := b.Rule(Ask{}).Targets, []Target{{Chat: 1}, {Chat: 3}, {Chat: -7}, {Chat: -8}}; !slices.Equal(got, want) {
		t.Errorf("without a rule that fits it goes to %v, want %v", got, want)
	}
}

const twoPeople = `
[[person]]
id    = 1
name  = "Ada"
roles = ["lead", "dev"]

[[person]]
id    = 2
name  = "Bob"
roles = ["dev"]
`

func TestRuleset_MayDrive(t *testing.T) {
	for name, test := range map[string]struct {
		file string
		want []chat.UserID
	}{
		"no section": {twoPeople, nil},
		"one role":   {twoPeople + "[remote]\nroles = \"lead\"\n", []chat.UserID{1}},
		"two roles":  {twoPeople + "[remote]\nroles = [\"lead\", \"dev\"]\n", []chat.UserID{1, 2}},
	} {
		b, err := Parse("rules.toml", []byte(test.file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantDrivers(t, name, b, test.want)
	}
	wantDrivers(t, "no file", Everyone([]chat.UserID{2}, nil), []chat.UserID{2})
	guest := Everyone([]chat.UserID{2}, nil).With(Person{ID: 3})
	wantDrivers(t, "a guest", guest, []chat.UserID{2, 3})
}

func wantDrivers(t *testing.T, name string, b *Ruleset, want []chat.UserID) {
	t.Helper()
	if got := b.HasDrivers(); got != (len(want) > 0) {
		t.Errorf("%s: anybody drives: %v", name, got)
	}
	for id := chat.UserID(1); id < 5; id++ {
		should := false
		for _, w := range want {
			should = should || w == id
		}
		if got := b.MayDrive(id); got != should {
			t.Errorf("%s: %d drives: %v", name, id, got)
		}
	}
}

func TestParse_MistakesOfRemote(t *testing.T) {
	for section, want := range map[string]string{
		"[remote]\n":                       `rules.toml:11: [remote] needs roles, such as roles = ["lead"]`,
		"[remote]\nroles = [\"boss\"]\n":   `rules.toml:12: nobody has the role "boss"; there are: dev, lead`,
		"[remote]\nrole = \"lead\"\n":      `"role" is no setting of [remote]; there are: roles`,
		"[[remote]]\nroles = [\"lead\"]\n": "write [remote], in one bracket",
	} {
		_, err := Parse("rules.toml", []byte(twoPeople+section))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", section, err, want)
		}
	}
}

func TestRuleset_HasDrivers(t *testing.T) {
	book := func(text string) *Ruleset {
		b, err := Parse("rules.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, c := range map[string]struct {
		book *Ruleset
		want bool
	}{
		"no file":    {Everyone(nil, nil), true},
		"no section": {book("[[person]]\nid = 1\nname = \"Ada\"\nroles = [\"lead\"]\n"), false},
		"a section":  {book("[[person]]\nid = 1\nname = \"Ada\"\nroles = [\"lead\"]\n[remote]\nroles = [\"lead\"]\n"), true},
	} {
		if got := c.book.HasDrivers(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
