package policy

import (
	"slices"
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
