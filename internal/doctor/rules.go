package doctor

import (
	"errors"
	"path/filepath"

	"hermes/internal/config"
)

// rulesChecks say what is wrong with the rules file, one result a mistake; nothing
// without such a file.
func (d *Doctor) rulesChecks() []check {
	const name = "rules"
	var wrong config.Mistakes
	b, err := d.config.Ruleset()
	switch {
	case d.config.Rules == "":
		return nil
	case errors.As(err, &wrong):
		var checks []check
		for _, line := range wrong {
			checks = append(checks, resultCheck(name, gradeFail.because(line, "correct it in "+d.config.Rules+", then: hermes rules check, and hermes reload if hermes runs")))
		}
		return checks
	}
	return []check{resultCheck(name, pass("%s: %s", filepath.Base(d.config.Rules), config.RulesSummary(b)))}
}
