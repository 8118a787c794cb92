package console

import (
	"context"
	"strconv"
	"strings"
)

// Confirm asks a question of yes and no; Enter alone is usual.
func (t *Terminal) Confirm(ctx context.Context, question string, usual bool) (bool, error) {
	choices := "[y/N]"
	if usual {
		choices = "[Y/n]"
	}
	if t.In == nil || t.Yes {
		return usual, nil
	}
	for {
		text, err := t.Line(ctx, question+" "+choices)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(text) {
		case "":
			return usual, nil
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
		t.Say("Please answer y or n.")
	}
}

// Choose asks which of several things is meant, and returns its index; Enter
// alone is the first.
func (t *Terminal) Choose(ctx context.Context, question string, things []string) (int, error) {
	if t.In == nil || t.Yes {
		return 0, nil
	}
	for i, thing := range things {
		t.Say("%d. %s", i+1, thing)
	}
	for {
		text, err := t.Line(ctx, question+" [1]")
		if err != nil {
			return 0, err
		}
		n, err := strconv.Atoi(text)
		switch {
		case text == "":
			return 0, nil
		case err == nil && n >= 1 && n <= len(things):
			return n - 1, nil
		}
		t.Say("Please answer with a number from 1 to %d.", len(things))
	}
}
