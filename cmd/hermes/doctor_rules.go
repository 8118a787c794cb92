package main

import (
	"errors"
	"path/filepath"
)

// rulesExams say what is wrong with the rules file, one diagnosis a mistake; nothing
// without such a file.
func (d *doctor) rulesExams() []exam {
	const name = "rules"
	var wrong mistakes
	b, err := d.config.book()
	switch {
	case d.config.Rules == "":
		return nil
	case errors.As(err, &wrong):
		var exams []exam
		for _, line := range wrong {
			exams = append(exams, known(name, gradeFail.because(line, "correct it in "+d.config.Rules+", then: hermes rules check, and hermes reload if hermes runs")))
		}
		return exams
	}
	return []exam{known(name, sane("%s: %s", filepath.Base(d.config.Rules), summary(b)))}
}
