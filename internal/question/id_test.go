package question

import "testing"

func TestNewIDsAreValidAndDiffer(t *testing.T) {
	seen := map[ID]bool{}
	for range 1000 {
		id := NewID()
		if !id.Valid() || seen[id] || id[0] == '-' {
			t.Fatalf("%q: valid %v, seen before %v", id, id.Valid(), seen[id])
		}
		seen[id] = true
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[ID]bool{
		"AAAAAAAAAAAA":         true,
		"az09-_AZaz09":         true,
		"":                     false,
		"AAAAAAAAAAA":          false,
		"AAAAAAAAAAAAA":        false,
		"AAAAAAAAAAAAAAAA":     false,
		"AAAAAAAAAAA=":         false,
		"AAAAAAAAAAA+":         false,
		"AAAAAAAAAAA/":         false,
		"AAAAAA AAAAA":         false,
		"AAAAAAAAAAA\n":        false,
		"\r\nAAAAAAAAAA":       false,
		"AAAAAAAAAAAA\n":       false,
		"AAAAAAAAAAAA\r\n\r\n": false,
		"AAAAAAAAAA\x00A":      false,
		"ÄÄÄÄÄÄ":               false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%q: valid %v", id, got)
		}
	}
}

func FuzzValidID(f *testing.F) {
	f.Add("AAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, text string) {
		if !ID(text).Valid() {
			return
		}
		for _, b := range []byte(text) {
			letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_'
			if !letter || len(text) != 12 {
				t.Errorf("%q is valid", text)
			}
		}
	})
}
