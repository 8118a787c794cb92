package main

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
)

// completeAnswer completes the id of what waits, and then an answer to it.
func completeAnswer(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return fromHermes(func(ctx context.Context, hermes apiclient.Client) []cobra.Completion {
		list, err := hermes.Questions(ctx)
		if err != nil {
			return nil
		}
		if len(args) == 0 {
			return openIDs(list, time.Now())
		}
		q, err := findQuestion(list, args[0])
		if err != nil {
			return nil
		}
		return answersTo(q, len(args)-1)
	})(cmd, args, typed)
}

// openIDs are the ids of what can be answered here, with what is asked.
func openIDs(list []api.Question, now time.Time) (ids []cobra.Completion) {
	for _, q := range list {
		if q.State != "open" || q.InChat != "" {
			continue
		}
		what := questionSummary(q)
		if left := timeLeft(q, now); left != "" {
			what = left + " left: " + what
		}
		ids = append(ids, described(string(q.ID), what))
	}
	return ids
}

// answersTo are the choices for the answer that stands at this place: the numbers of options, with their labels. What is
// typed freely is not completed.
func answersTo(q api.Question, place int) (list []cobra.Completion) {
	switch {
	case q.State != "open" || q.InChat != "" || q.Form != nil:
		return nil
	case len(q.Questions) == 1 && q.Questions[0].Multiple:
		place = 0 // any number of answers to the one question
	}
	if place >= len(q.Questions) {
		return nil
	}
	for n, o := range q.Questions[place].Options {
		list = append(list, described(strconv.Itoa(n+1), o.Label))
	}
	return list
}
