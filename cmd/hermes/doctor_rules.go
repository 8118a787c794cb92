package main

import (
	"errors"
	"path/filepath"
)

// readRules reads the rules file, if there is one. Its people and chats take the place
// of those of the configuration, so that all other exams look at them.
func (d *doctor) readRules() {
	d.rules, d.rulesErr = d.config.book()
	if d.config.Rules == "" || d.rulesErr != nil {
		return
	}
	d.config.TelegramUsers, d.config.TelegramChats = nil, nil
	for _, p := range d.rules.People() {
		if len(p.Roles) > 0 {
			d.config.TelegramUsers = append(d.config.TelegramUsers, p.ID)
		}
	}
	for _, t := range d.rules.Targets() {
		d.config.TelegramChats = append(d.config.TelegramChats, chat{ID: t.Chat, Topic: t.Topic})
	}
}

// rulesExams say what is wrong with the rules file, one diagnosis a mistake; nothing
// without such a file.
func (d *doctor) rulesExams() []exam {
	const name = "rules"
	var wrong mistakes
	switch {
	case d.config.Rules == "":
		return nil
	case errors.As(d.rulesErr, &wrong):
		var exams []exam
		for _, line := range wrong {
			exams = append(exams, known(name, gradeFail.because(line, "correct it in "+d.config.Rules+", then: hermes rules check, and hermes reload if hermes runs")))
		}
		return exams
	}
	return []exam{known(name, sane("%s: %s", filepath.Base(d.config.Rules), summary(d.rules)))}
}
