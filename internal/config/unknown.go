package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Prefix starts the name of every variable of hermes.
const Prefix = "HERMES_"

// unknownInFile names each variable in the file that hermes does not know.
func unknownInFile(file map[string]string) (wrong, warnings Mistakes) {
	known := Variables()
	for _, name := range slices.Sorted(maps.Keys(file)) {
		_, ok := known[name]
		switch {
		case ok:
		case name == apiApprovals:
			noteApprovals(file[name], &wrong, &warnings)
		default:
			wrong.Add(name, "is not a variable of hermes%s", didYouMean(name))
		}
	}
	return wrong, warnings
}

// apiApprovals let earlier versions take decisions about permissions from programs.
const apiApprovals = "HERMES_API_APPROVALS"

// noteApprovals refuses a configuration that relies on it. With false nothing is lost.
func noteApprovals(value string, wrong, warnings *Mistakes) {
	if on, err := strconv.ParseBool(value); value == "" || err == nil && !on {
		warnings.Add(apiApprovals, "is not used any more: programs never decide permission asks; take it out")
		return
	}
	wrong.Add(apiApprovals, "is gone: only a person allows a permission, in the chat; take it out, and write what may run unasked into opencode.json")
}

// UnknownInEnvironment names the variables that start with HERMES_ and that
// hermes does not know. One that is a slip away from a known name is a mistake.
// Others are only worth a warning: other programs use the prefix too (Kubernetes
// sets HERMES_SERVICE_HOST in every pod beside a service of that name).
// HERMES_URL and HERMES_TOKEN are the plugin's own.
func UnknownInEnvironment(environ []string) (wrong, warnings Mistakes) {
	known := Variables()
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		_, ok := known[name]
		switch {
		case ok || !strings.HasPrefix(name, Prefix) || name == "HERMES_URL" || name == "HERMES_TOKEN":
		case name == apiApprovals:
			noteApprovals(value, &wrong, &warnings)
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
