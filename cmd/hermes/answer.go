package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/internal/question"
	"hermes/internal/retry"
)

// answerCommand answers from a terminal what was asked in the chat.
func answerCommand() *cobra.Command {
	var reject bool
	cmd := withHermes(&cobra.Command{
		Use:   "answer ID [ANSWER...]",
		Short: "Answer a question here instead of in the chat",
		Long: "Answer what hermes pending lists. Without an answer, hermes shows the question and asks for one. Any unambiguous prefix of an ID works.\n\n" +
			"  hermes answer Kx3              show it, and ask\n" +
			"  hermes answer Kx3 2            the second option; an id, a label, a clear part of one, or text do too\n" +
			"  hermes answer Kx3 1 3          one question that allows several options: both; several questions: an answer for each\n" +
			"  hermes answer Kx3 S 2 - yes    the fields of a form, in order; - skips one, \"\" takes its default\n" +
			"  hermes answer Kx3 --reject     dismiss it\n\n" +
			"The message in the chat then says that it was answered over the API. The exit code is 1 if somebody else was faster.\n\n" +
			"Permissions are decided in the chat, by people alone.",
		Args: cobra.ArbitraryArgs,
	}, func(cmd *cobra.Command, hermes apiclient.Client, args []string) error {
		a := answerer{hermes: hermes, t: console.NewTerminal(cmd.InOrStdin(), cmd.OutOrStdout()), reject: reject}
		a.t.Redact = hermes.Redactor()
		if len(args) == 0 {
			return a.askForID(cmd.Context(), cmd.ErrOrStderr())
		}
		return a.run(cmd.Context(), args[0], args[1:])
	})
	cmd.Flags().BoolVar(&reject, "reject", false, "dismiss the question")
	return cmd
}

// answerer answers one question.
type answerer struct {
	hermes apiclient.Client
	t      *console.Terminal
	reject bool
}

// askForID says which ids there are, where none was given.
func (a answerer) askForID(ctx context.Context, notice io.Writer) error {
	list, err := a.hermes.Questions(ctx)
	switch {
	case err != nil:
		return config.Mistakes{"ID: is missing; hermes pending lists what waits, but " + a.t.Redact.Text(a.hermes.Explain(err).Error())}
	case len(list) == 0:
		return config.Mistakes{"ID: is missing, and nothing waits for an answer"}
	}
	l := pendingList{out: notice, width: terminalWidth(notice)}
	if err := l.printList(list); err != nil {
		return err
	}
	return config.Mistakes{"ID: is missing; give one of these, such as hermes answer " + string(list[0].ID)}
}

func (a answerer) run(ctx context.Context, beginning string, words []string) error {
	if a.reject && len(words) > 0 {
		return config.Mistakes{"--reject: goes without an answer"}
	}
	q, err := a.openQuestion(ctx, beginning)
	if err != nil {
		return err
	}
	answer, err := a.decideQuestion(ctx, q, words)
	if errors.Is(err, console.ErrStopped) {
		return errors.New("stopped; nothing was sent")
	}
	if err != nil {
		return err
	}
	return a.send(ctx, q, answer)
}

// openQuestion is the open question that is meant.
func (a answerer) openQuestion(ctx context.Context, beginning string) (api.Question, error) {
	list, err := a.hermes.Questions(ctx)
	if err != nil {
		return api.Question{}, err
	}
	q, err := findQuestion(list, beginning)
	if err == nil && q.State == "open" {
		return q, nil
	}
	if err != nil {
		var lost error
		if q, lost = a.hermes.Question(ctx, question.ID(beginning)); lost != nil {
			return q, err
		}
	}
	return q, errors.New(endOfQuestion(q))
}

func (a answerer) decideQuestion(ctx context.Context, q api.Question, words []string) (api.Answer, error) {
	switch {
	case q.InChat != "":
		return api.Answer{}, errors.New(letters.OneLine(q.InChat))
	case a.reject:
		return api.Answer{Reject: true}, nil
	case len(words) == 0 && a.t.In == nil:
		return api.Answer{}, config.Mistakes{"ANSWER: is missing, and there is no terminal to ask on; give an answer for each question, or --reject"}
	case len(words) > 0:
		return fromWords(q.Domain(), words)
	}
	return a.askInTerminal(ctx, q)
}

// send decides the question, and tells what came of it.
func (a answerer) send(ctx context.Context, q api.Question, answer api.Answer) error {
	now, err := a.hermes.Answer(ctx, q.ID, answer)
	if apiclient.IsRefusal(err, http.StatusConflict) {
		if now, lost := a.hermes.Question(ctx, q.ID); lost == nil {
			return errors.New("somebody was faster: " + endOfQuestion(now))
		}
	}
	if err != nil {
		return err
	}
	for began := time.Now(); now.State == "deciding" && !now.Waiting && time.Since(began) < proofWithin; {
		_ = retry.Wait(ctx, 100*time.Millisecond)
		if now, err = a.hermes.Question(ctx, q.ID); err != nil {
			return err
		}
	}
	return a.printOutcome(now, answer)
}

// proofWithin is how long an answer here waits for the proof that it was used.
const proofWithin = 5 * time.Second

func (a answerer) printOutcome(q api.Question, answer api.Answer) error {
	switch {
	case q.State == "deciding" && q.Waiting:
		a.t.Print("Stored. It is delivered when OpenCode is there again.\n")
	case q.State == "deciding":
		a.t.Print("Stored. OpenCode has not proven yet that it took it.\n")
	case q.By == string(question.Caller) && (answer.Reject || q.Answers.Equal(answer.Answers)):
		a.t.Print(strings.ToUpper(endOfQuestion(q)[:1]) + endOfQuestion(q)[1:] + "\n")
	default:
		return errors.New("that was not used: " + endOfQuestion(q))
	}
	return nil
}

// endOfQuestion is what became of a question that takes no more answers.
func endOfQuestion(q api.Question) string {
	yes, no := "answered: ", "dismissed"
	switch {
	case q.Permission != nil:
		yes, no = "allowed: ", "rejected"
	case q.Form != nil:
		no = "declined"
	}
	held := ""
	if q.HeldUntil != nil {
		held = "not sent yet, and may be taken back: "
	}
	switch {
	case q.State == "deciding" && q.Answers == nil, q.State == "dismissed":
		if q.Note != "" {
			no += ": " + letters.OneLine(q.Note)
		}
		return held + no + decidedBy(q)
	case q.State == "deciding", q.State == "answered":
		return held + yes + answerInWords(q) + decidedBy(q)
	}
	return "it waits no longer: " + letters.Escaped(q.State)
}

func decidedBy(q api.Question) string {
	switch question.ActorKind(q.By) {
	case "":
		return ""
	case question.Caller:
		return " (over the API)"
	case question.Deadline:
		return " (nobody answered in time)"
	case question.OpenCode:
		return " (in OpenCode)"
	case question.Person:
	}
	return " (" + letters.OneLine(q.By) + ")"
}

func answerInWords(q api.Question) string {
	if q.Form != nil {
		return strings.Join(filledLines(q.Domain(), q.Answers), "; ")
	}
	var all []string
	for _, list := range q.Answers {
		all = append(all, strings.Join(list, ", "))
	}
	return letters.OneLine(strings.Join(all, "; "))
}

// findQuestion is the only open question whose id, or whose request's id, begins so.
func findQuestion(list []api.Question, beginning string) (api.Question, error) {
	var found []api.Question
	for _, q := range list {
		if string(q.ID) == beginning || string(q.Request) == beginning {
			return q, nil
		}
		if strings.HasPrefix(string(q.ID), beginning) || strings.HasPrefix(string(q.Request), beginning) {
			found = append(found, q)
		}
	}
	switch len(found) {
	case 0:
		return api.Question{}, fmt.Errorf("nothing that waits has an id that begins with %s; hermes pending lists them", letters.Escaped(beginning))
	case 1:
		return found[0], nil
	}
	var ids []question.ID
	for _, q := range found {
		ids = append(ids, q.ID)
	}
	return api.Question{}, config.Mistakes{fmt.Sprintf("ID: %s may mean %v; give more of it", letters.Escaped(beginning), ids)}
}
