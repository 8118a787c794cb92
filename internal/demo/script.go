package demo

import (
	"fmt"
	"strings"

	opencode "hermes/internal/simulate/opencodesim"
)

// script is what the agent says, in one language.
type script struct {
	sessions map[string]string // titles, by step; no two alike

	database, platforms, languages, name, release, retry, payment, cache, hostile opencode.Question
	build, deploy                                                                 string // what commands are for

	regions regionWords
	plan    planWords
}

// regionWords make a question with an option for each part of each area.
type regionWords struct {
	header, question string
	areas, parts     []string
	option           string // with blanks for area and part
}

// planWords make a question of any length.
type planWords struct {
	header, begin, step, end string // step has blanks for a number, a table, a size and minutes
	options                  []opencode.Option
}

func (w script) regionQuestion() opencode.Question {
	q := opencode.Question{Header: w.regions.header, Question: w.regions.question}
	for _, area := range w.regions.areas {
		for _, part := range w.regions.parts {
			q.Options = append(q.Options, opencode.Option{Label: fmt.Sprintf(w.regions.option, area, part)})
		}
	}
	return q
}

// planQuestion is a question of about as many characters, whose end matters.
func (w script) planQuestion(size int) opencode.Question {
	tables := []string{"orders", "order_lines", "customers", "addresses", "payments", "refunds", "shipments", "coupons"}
	var b strings.Builder
	b.WriteString(w.plan.begin + "\n\n")
	for i, written := 1, 0; written < size-150; i++ {
		step := fmt.Sprintf(w.plan.step, i, tables[i%len(tables)], 500*(1+i%7), 5+i%4*5)
		b.WriteString(step + "\n\n")
		written += len([]rune(step)) + 2
	}
	b.WriteString(w.plan.end)
	return opencode.Question{Header: w.plan.header, Question: b.String(), Options: w.plan.options}
}
