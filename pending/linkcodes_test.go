package pending

import (
	"errors"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/storage"
)

func anybody(chat.UserID) bool { return true }

// codeOf stores a new code of a person.
func codeOf(t *testing.T, s *Store, now time.Time, owner chat.UserID) storage.LinkCode {
	t.Helper()
	c, _ := storage.NewLinkCode(now, owner, chat.ID(owner), "en")
	must(t, s.Commit(storage.Change{LinkCodes: []storage.LinkCode{c}}))
	return c
}

// The life of a code: each case is what is exchanged for it once more, or at all.
func TestRedeem_LifeOfACode(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	type exchange struct {
		code  string // "": the code that was made
		token byte
		after time.Duration
		may   bool
		want  string // name of the link; "": refused
	}
	for name, list := range map[string][]exchange{
		"used once":                   {{token: 1, may: true, want: "laptop"}},
		"used in the last moment":     {{token: 1, may: true, after: storage.LinkCodeFor - 1, want: "laptop"}},
		"too late":                    {{token: 1, may: true, after: storage.LinkCodeFor}},
		"not known":                   {{code: "other", token: 1, may: true}},
		"the answer was lost":         {{token: 1, may: true, want: "laptop"}, {token: 1, may: true, want: "laptop"}},
		"the answer was lost, later":  {{token: 1, may: true, want: "laptop"}, {token: 1, may: true, after: storage.LinkCodeFor}},
		"by another machine":          {{token: 1, may: true, want: "laptop"}, {token: 2, may: true}},
		"its owner may not":           {{token: 1}},
		"its owner may not any more":  {{token: 1, may: true, want: "laptop"}, {token: 1}},
		"refused, and then it may be": {{token: 1}, {token: 1, may: true, want: "laptop"}},
		"a token that is another's":   {{token: 9, may: true}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dbPath(t))
			must(t, s.Links().Add(Link{Name: "desktop", Hash: [32]byte{9}}, storage.Entry{At: now, Kind: storage.EntryLinked}))
			c := codeOf(t, s, now, 42)
			for i, x := range list {
				hash := c.Hash
				if x.code != "" {
					hash = storage.HashCode(x.code)
				}
				got, l, err := s.Links().Redeem(Exchange{Code: hash, Token: [32]byte{x.token}, Name: "laptop", Host: "laptop.lan"}, now.Add(x.after), func(chat.UserID) bool { return x.may })
				switch {
				case x.want == "" && !errors.Is(err, ErrNoLinkCode):
					t.Errorf("%d: %v, want a refusal", i, err)
				case x.want != "" && (err != nil || got.Link != x.want || l.Name != x.want || l.Owner != 42 || l.Hash != [32]byte{x.token}):
					t.Errorf("%d: %+v, %+v, %v", i, got, l, err)
				}
				s = reopen(t, s)
			}
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRedeem_NamesAreFree(t *testing.T) {
	s, now := open(t, dbPath(t)), time.Now()
	for i, want := range []string{"host", "host-2", "host-3"} {
		_, l, err := s.Links().Redeem(Exchange{Code: codeOf(t, s, now, 42).Hash, Token: [32]byte{byte(i + 1)}, Name: "host"}, now, anybody)
		if err != nil || l.Name != want {
			t.Errorf("%q, %v, want %q", l.Name, err, want)
		}
	}
}

// A write that fails leaves the code as it was; one that counts though it failed is found by the same exchange once more.
func TestRedeem_KilledAtItsCommit(t *testing.T) {
	for name, stored := range map[string]bool{"before": false, "behind": true} {
		t.Run(name, func(t *testing.T) {
			path, now, fail := dbPath(t), time.Now(), false
			s, err := openEngine(path, Options{Write: func(write func() error) error {
				if !fail {
					return write()
				}
				if stored {
					_ = write()
				}
				return errors.New("killed")
			}})
			must(t, err)
			c := codeOf(t, s, now, 42)
			x := Exchange{Code: c.Hash, Token: [32]byte{1}, Name: "host"}
			fail = true
			if _, _, err := s.Links().Redeem(x, now, anybody); err == nil {
				t.Error("it did not fail")
			}
			fail = false
			s = reopen(t, s)
			if codes, err := s.LinkCodes(); err != nil || len(codes) != 1 || codes[0].Used.IsZero() == stored {
				t.Errorf("%+v, %v", codes, err)
			}
			if _, l, err := s.Links().Redeem(x, now, anybody); err != nil || l.Name != "host" {
				t.Errorf("once more: %+v, %v", l, err)
			}
			if links, err := s.Links().All(); len(links) != 1 || err != nil {
				t.Errorf("%+v, %v", links, err)
			}
		})
	}
}

// A new code takes the place of the one before that its owner did not use, and of no other.
func TestLinkCodes_OneIsOpenForEach(t *testing.T) {
	s, now := open(t, dbPath(t)), time.Now()
	first, bobs, used := codeOf(t, s, now, 42), codeOf(t, s, now, 43), codeOf(t, s, now, 44)
	if _, _, err := s.Links().Redeem(Exchange{Code: used.Hash, Token: [32]byte{7}, Name: "host"}, now, anybody); err != nil {
		t.Fatal(err)
	}
	second, third := codeOf(t, s, now, 42), codeOf(t, s, now, 44)
	known := map[storage.CodeHash]bool{}
	codes, err := s.LinkCodes()
	for _, c := range codes {
		known[c.Hash] = true
	}
	if err != nil || known[first.Hash] || !known[second.Hash] || !known[third.Hash] || !known[bobs.Hash] || !known[used.Hash] {
		t.Errorf("%+v, %v", codes, err)
	}
	codeOf(t, s, now.Add(keepUsedCodes+storage.LinkCodeFor+time.Second), 45)
	if codes, err := s.LinkCodes(); err != nil || len(codes) != 1 {
		t.Errorf("after a week: %+v, %v", codes, err)
	}
}
