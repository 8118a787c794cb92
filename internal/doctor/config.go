package doctor

import (
	"errors"
	"io/fs"
	"strings"
)

// configChecks say what is wrong with the configuration, one result a mistake,
// or where it was read from.
func (d *Doctor) configChecks() []check {
	const name = "configuration"
	var checks []check
	for _, line := range d.mistakes {
		checks = append(checks, resultCheck(name, splitMistake(gradeFail, line, d.config.File)))
	}
	for _, line := range d.config.Warnings {
		checks = append(checks, resultCheck(name, splitMistake(gradeWarn, line, d.config.File)))
	}
	if d.hermes.client.TokenErr != nil && !errors.Is(d.hermes.client.TokenErr, fs.ErrNotExist) {
		checks = append(checks, resultCheck(name, splitMistake(gradeFail, d.hermes.client.TokenErr.Error(), d.config.File)))
	}
	if len(checks) > 0 {
		return checks
	}
	if d.config.File == "" {
		return []check{resultCheck(name, pass("from the environment alone"))}
	}
	return []check{resultCheck(name, pass("%s and the environment", d.config.File))}
}

// splitMistake splits a mistake, which mostly says after a semicolon what to do; file is the configuration file,
// "" for none.
func splitMistake(g grade, line, file string) result {
	detail, remedy, ok := strings.Cut(line, "; ")
	switch {
	case ok:
	case file != "":
		remedy = "correct it in " + file + " or in the environment; hermes config example explains every variable"
	default:
		remedy = "correct it in the environment; hermes config example explains every variable"
	}
	return g.because(detail, remedy)
}
