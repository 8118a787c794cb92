package main

import (
	"errors"
	"io/fs"
	"strings"
)

// configExams say what is wrong with the configuration, one diagnosis a mistake,
// or where it was read from.
func (d *doctor) configExams() []exam {
	const name = "configuration"
	var exams []exam
	for _, line := range d.wrong {
		exams = append(exams, known(name, d.sentence(gradeFail, line)))
	}
	for _, line := range d.config.Warnings {
		exams = append(exams, known(name, d.sentence(gradeWarn, line)))
	}
	if d.tokenErr != nil && !errors.Is(d.tokenErr, fs.ErrNotExist) {
		exams = append(exams, known(name, d.sentence(gradeFail, d.tokenErr.Error())))
	}
	if len(exams) > 0 {
		return exams
	}
	if d.config.File == "" {
		return []exam{known(name, sane("from the environment alone"))}
	}
	return []exam{known(name, sane("%s and the environment", d.config.File))}
}

// sentence splits a mistake, which mostly says after a semicolon what to do.
func (d *doctor) sentence(g grade, line string) diagnosis {
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
