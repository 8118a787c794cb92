package doctor

import (
	"errors"
	"io/fs"
	"strings"
)

// configChecks say what is wrong with the configuration, one diagnosis a mistake,
// or where it was read from.
func (d *Doctor) configChecks() []check {
	const name = "configuration"
	var exams []check
	for _, line := range d.wrong {
		exams = append(exams, known(name, d.sentence(gradeFail, line)))
	}
	for _, line := range d.config.Warnings {
		exams = append(exams, known(name, d.sentence(GradeWarn, line)))
	}
	if d.hermes.TokenErr != nil && !errors.Is(d.hermes.TokenErr, fs.ErrNotExist) {
		exams = append(exams, known(name, d.sentence(gradeFail, d.hermes.TokenErr.Error())))
	}
	if len(exams) > 0 {
		return exams
	}
	if d.config.File == "" {
		return []check{known(name, passed("from the environment alone"))}
	}
	return []check{known(name, passed("%s and the environment", d.config.File))}
}

// sentence splits a mistake, which mostly says after a semicolon what to do.
func (d *Doctor) sentence(g Grade, line string) result {
	detail, remedy, ok := strings.Cut(line, "; ")
	switch {
	case ok:
	case d.config.File != "":
		remedy = "correct it in " + d.config.File + " or in the environment; config.example.env explains every variable"
	default:
		remedy = "correct it in the environment; config.example.env explains every variable"
	}
	return g.because(detail, remedy)
}
