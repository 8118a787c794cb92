package main

import (
	"context"
	"strconv"
	"strings"
)

// confirm asks a question of yes and no; Enter alone is usual.
func (t *terminal) confirm(ctx context.Context, question string, usual bool) (bool, error) {
	choices := "[y/N]"
	if usual {
		choices = "[Y/n]"
	}
	if t.in == nil || t.yes {
		return usual, nil
	}
	for {
		text, err := t.line(ctx, question+" "+choices)
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
		t.say("Please answer y or n.")
	}
}

// choose asks which of several things is meant, and returns its index; Enter
// alone is the first.
func (t *terminal) choose(ctx context.Context, question string, things []string) (int, error) {
	if t.in == nil || t.yes {
		return 0, nil
	}
	for i, thing := range things {
		t.say("%d. %s", i+1, thing)
	}
	for {
		text, err := t.line(ctx, question+" [1]")
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
		t.say("Please answer with a number from 1 to %d.", len(things))
	}
}
