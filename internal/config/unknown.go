package config

import (
	"maps"
	"slices"
	"strings"
)

// Prefix starts the name of every variable of hermes.
const Prefix = "HERMES_"

// unknownInFile names each variable in the file that hermes does not know.
func unknownInFile(file map[string]string) Mistakes {
	known := Variables()
	var wrong Mistakes
	for _, name := range slices.Sorted(maps.Keys(file)) {
		if _, ok := known[name]; !ok {
			wrong.Add(name, "is not a variable of hermes%s", didYouMean(name))
		}
	}
	return wrong
}

// UnknownInEnvironment names the variables that start with HERMES_ and that
// hermes does not know. One that is a slip away from a known name is a mistake.
// Others are only worth a warning: other programs use the prefix too (Kubernetes
// sets HERMES_SERVICE_HOST in every pod beside a service of that name).
// HERMES_URL and HERMES_TOKEN are the plugin's own.
func UnknownInEnvironment(environ []string) (wrong, warnings Mistakes) {
	known := Variables()
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, _, _ := strings.Cut(entry, "=")
		_, ok := known[name]
		switch {
		case ok || !strings.HasPrefix(name, Prefix) || name == "HERMES_URL" || name == "HERMES_TOKEN":
		case didYouMean(name) != "":
			wrong.Add(name, "is not a variable of hermes%s", didYouMean(name))
		default:
			warnings.Add(name, "is not a variable of hermes and is ignored")
		}
	}
	return wrong, warnings
}

// didYouMean returns "; did you mean …?" for the closest known name, or "" if
// none is close: two letters away, or one for the shortest names; the prefix may
// be missing.
func didYouMean(name string) string {
	best, least := "", 3
	for _, known := range slices.Sorted(maps.Keys(Variables())) {
		d := min(editDistance(name, known), editDistance(Prefix+name, known))
		if d < min(least, len(known)-len(Prefix)) {
			best, least = known, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance counts the letters to insert, delete or replace between a and b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
