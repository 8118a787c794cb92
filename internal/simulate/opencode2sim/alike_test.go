package opencode2sim_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// alike compares what a real server said with what the simulator says: ids have to
// correspond, one to one; times, process ids and hashes have to be there.
type alike struct {
	ours map[string]string // the simulator's id by the captured one
	used map[string]bool   // of the simulator's
}

func newAlike() *alike { return &alike{map[string]string{}, map[string]bool{}} }

var (
	idForm   = regexp.MustCompile(`(ses|msg|frm|per|psv|evt|call|sh|elicit)_[0-9A-Za-z_]{8,}`)
	timeForm = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)
)

// bind takes note that two ids are the same. It reports whether they can be.
func (a *alike) bind(captured, our string) bool {
	if known, ok := a.ours[captured]; ok {
		return known == our
	}
	prefix, _, _ := strings.Cut(captured, "_")
	if a.used[our] || !strings.HasPrefix(our, prefix+"_") {
		return false
	}
	a.ours[captured], a.used[our] = our, true
	return true
}

// translate puts the simulator's ids into a text with captured ones.
func (a *alike) translate(text string) string {
	return idForm.ReplaceAllStringFunc(text, func(id string) string {
		if our, ok := a.ours[id]; ok {
			return our
		}
		return id
	})
}

// differ is the first difference between two decoded JSON values, or empty.
func (a *alike) differ(path string, captured, our any) string {
	switch c := captured.(type) {
	case map[string]any:
		return a.differObject(path, c, our)
	case []any:
		o, ok := our.([]any)
		if !ok || len(o) != len(c) {
			return fmt.Sprintf("%s: captured %s, got %s", path, show(captured), show(our))
		}
		c, o = inOrder(c), inOrder(o)
		for i := range c {
			if d := a.differ(fmt.Sprintf("%s[%d]", path, i), c[i], o[i]); d != "" {
				return d
			}
		}
		return ""
	case string:
		if o, ok := our.(string); ok && a.sameText(c, o) {
			return ""
		}
	case float64:
		if o, ok := our.(float64); ok && (c == o || c > 1e12 && o > 1e11 || strings.HasSuffix(path, ".pid")) {
			return ""
		}
	default:
		if captured == our {
			return ""
		}
	}
	return fmt.Sprintf("%s: captured %s, got %s", path, show(captured), show(our))
}

// inOrder sorts permissions by what they are for: those of one step are asked in any order
// (section 4).
func inOrder(items []any) []any {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b any) int {
		x, _ := a.(map[string]any)
		y, _ := b.(map[string]any)
		if x["resources"] == nil || y["resources"] == nil {
			return 0
		}
		return strings.Compare(show(x["resources"]), show(y["resources"]))
	})
	return sorted
}

func (a *alike) differObject(path string, captured map[string]any, our any) string {
	o, ok := our.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s: captured %s, got %s", path, show(captured), show(our))
	}
	keys, ourKeys := a.keys(captured), slices.Sorted(maps.Keys(o))
	if !slices.Equal(keys, ourKeys) {
		return fmt.Sprintf("%s: captured the keys %q, got %q", path, keys, ourKeys)
	}
	for key, value := range captured {
		if slices.Contains([]string{"snapshot", "slug", "delta", "patch"}, key) && fmt.Sprintf("%T", value) == fmt.Sprintf("%T", o[key]) {
			continue // hashes, invented words, pieces whose size does not matter
		}
		if d := a.differ(path+"."+key, value, o[a.translate(key)]); d != "" {
			return d
		}
	}
	return ""
}

func (a *alike) keys(o map[string]any) []string {
	var keys []string
	for key := range o {
		keys = append(keys, a.translate(key))
	}
	slices.Sort(keys)
	return keys
}

func (a *alike) sameText(captured, our string) bool {
	if strings.HasPrefix(captured, "eyJ") { // a cursor
		var c, o any
		return decodeCursor(captured, &c) && decodeCursor(our, &o) && a.differ("", c, o) == ""
	}
	captured, our = timeForm.ReplaceAllString(captured, "TIME"), timeForm.ReplaceAllString(our, "TIME")
	if !slices.Equal(idForm.Split(captured, -1), idForm.Split(our, -1)) {
		return false
	}
	theirs, mine := idForm.FindAllString(captured, -1), idForm.FindAllString(our, -1)
	for i := range theirs {
		if !a.bind(theirs[i], mine[i]) {
			return false
		}
	}
	return true
}

func decodeCursor(text string, into any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, into) == nil
}

func show(v any) string {
	raw, _ := json.Marshal(v)
	if len(raw) > 400 {
		raw = append(raw[:400:400], "…"...)
	}
	return string(raw)
}
