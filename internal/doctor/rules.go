package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"

	"hermes/internal/api"
	"hermes/internal/config"
	"hermes/internal/letters"
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
	checks := []check{resultCheck(name, pass("%s: %s", filepath.Base(d.config.Rules), config.RulesSummary(b)))}
	if b.BarsOwners() {
		checks = append(checks, check{name, d.hermes.checkOwners})
	}
	return checks
}

// checkOwners names the links without an owner, where a rule bars owners: two people approve what those ask.
func (h *hermesProbe) checkOwners(ctx context.Context) (list []result) {
	var links api.NamedLinks
	code, text, err := h.call(ctx, http.MethodGet, "/v1/links", nil)
	if err != nil || code != http.StatusOK || json.Unmarshal(text, &links) != nil {
		return nil // only a running hermes knows them
	}
	for _, l := range links.Links {
		if l.Owner == 0 {
			list = append(list, gradeWarn.because("link "+letters.Escaped(l.Name)+" has no owner, and a rule has approver_not_owner: what its agents ask needs two people",
				"say whose it is: hermes link owner "+letters.Escaped(l.Name)+" --person ID"))
		}
	}
	return list
}
