package main

import (
	"maps"
	"slices"
	"strings"
)

// prefix starts the name of every variable of hermes.
const prefix = "HERMES_"

// unknownInFile names each variable in the file that hermes does not know.
func unknownInFile(file map[string]string) mistakes {
	known := variables()
	var wrong mistakes
	for _, name := range slices.Sorted(maps.Keys(file)) {
		if _, ok := known[name]; !ok {
			wrong.add(name, "is not a variable of hermes%s", suggestion(name))
		}
	}
	return wrong
}

// unknownInEnvironment names the variables that start with HERMES_ and that
// hermes does not know. One that is a slip away from a known name is a mistake.
// Others are only worth a warning: other programs use the prefix too (Kubernetes
// sets HERMES_SERVICE_HOST in every pod beside a service of that name).
// HERMES_URL and HERMES_TOKEN are the plugin's own.
func unknownInEnvironment(environ []string) (wrong, warnings mistakes) {
	known := variables()
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, _, _ := strings.Cut(entry, "=")
		_, ok := known[name]
		switch {
		case ok || !strings.HasPrefix(name, prefix) || name == "HERMES_URL" || name == "HERMES_TOKEN":
		case suggestion(name) != "":
			wrong.add(name, "is not a variable of hermes%s", suggestion(name))
		default:
			warnings.add(name, "is not a variable of hermes and is ignored")
		}
	}
	return wrong, warnings
}

// suggestion returns "; did you mean …?" for the closest known name, or "" if
// none is close: two letters away, or one for the shortest names; the prefix may
// be missing.
func suggestion(name string) string {
	best, least := "", 3
	for _, known := range slices.Sorted(maps.Keys(variables())) {
		d := min(distance(name, known), distance(prefix+name, known))
		if d < min(least, len(known)-len(prefix)) {
			best, least = known, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance counts the letters to insert, delete or replace between a and b.
func distance(a, b string) int {
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
