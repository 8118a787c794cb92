package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"hermes/internal/apiclient"
	"hermes/internal/ask"
	"hermes/internal/config"
	"hermes/internal/letters"
	"hermes/internal/question"
)

// Serve is hermes serve with this configuration: it takes requests at the listener, calls ready
// when it acts, and returns when ctx has ended or hermes cannot go on.
type Serve func(ctx context.Context, c config.Config, l net.Listener, log *slog.Logger, ready func()) error

// ownHermes is a hermes that setup runs in its own process until the service takes over. It has the lock of the
// database meanwhile, and setup killed is hermes killed: what it stored is there at the next start.
type ownHermes struct {
	stop   func()
	ended  context.Context // its cause is why hermes has ended
	client apiclient.Client
}

// hermes is the hermes that runs, or would.
func (s *Wizard) hermes() apiclient.Client {
	if s.own != nil {
		return s.own.client
	}
	return apiclient.New(s.config, nil)
}

// withHermes has a hermes run: the one that did before setup, or its own. The context that it returns ends with that, too.
func (s *Wizard) withHermes(ctx context.Context) (context.Context, error) {
	if s.running {
		return ctx, nil
	}
	if s.own == nil {
		if err := s.freePort(ctx); err != nil {
			return ctx, err
		}
		if err := s.startOwn(ctx); err != nil {
			return ctx, err
		}
	}
	ended := s.own.ended
	ctx, cancel := context.WithCancelCause(ctx)
	context.AfterFunc(ended, func() { cancel(context.Cause(ended)) })
	return ctx, nil
}

// startOwn starts a hermes and waits until it runs.
func (s *Wizard) startOwn(ctx context.Context) error {
	l, err := net.Listen("tcp", s.config.Listen)
	if err != nil {
		return fmt.Errorf("HERMES_LISTEN: hermes cannot listen there: %w", err)
	}
	at := s.config
	at.Listen = l.Addr().String()
	work, stop := context.WithCancel(context.WithoutCancel(ctx)) // ctrl-C leaves it the time to withdraw a question
	ended, end := context.WithCancelCause(context.Background())
	ready := make(chan struct{})
	c := s.config
	go func() {
		defer l.Close() // where hermes could not begin
		end(s.serve(work, c, l, slog.New(slog.DiscardHandler), sync.OnceFunc(func() { close(ready) })))
	}()
	select {
	case <-ready:
		s.own = &ownHermes{stop, ended, apiclient.New(at, nil).Own()}
		return nil
	case <-ctx.Done():
		stop()
		<-ended.Done()
		return ctx.Err()
	case <-ended.Done():
		stop()
		return fmt.Errorf("hermes does not start: %w", context.Cause(ended))
	}
}

// stopOwn stops the hermes that setup runs. What it owes a chat, the next start sends.
func (s *Wizard) stopOwn() error {
	if s.own == nil {
		return nil
	}
	s.own.stop()
	<-s.own.ended.Done()
	err := context.Cause(s.own.ended)
	s.own = nil
	if errors.Is(err, context.Canceled) { // which stands for nil
		return nil
	}
	return err
}

// because is why a call to hermes failed: hermes itself may have ended.
func (s *Wizard) because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.running && errors.Is(err, apiclient.ErrNotRunning) {
		return s.hermes().LockedElsewhere("setup")
	}
	return s.hermes().Explain(err)
}

// tellTrouble says once what keeps hermes from its chats.
func (s *Wizard) tellTrouble(ctx context.Context) {
	status, err := s.hermes().Status(ctx)
	if err != nil || status.Telegram == s.trouble {
		return
	}
	s.trouble = status.Telegram
	if s.trouble != "" {
		s.term.Bad("%s. Trying again.", letters.Escaped(s.trouble))
	}
}

// freePort looks whether hermes can listen, because the plugin is told where. If
// another program has the port, the next free one is offered.
func (s *Wizard) freePort(ctx context.Context) error {
	if s.running || s.own != nil || !portBusy(s.config.Listen) {
		return nil
	}
	host, text, _ := net.SplitHostPort(s.config.Listen)
	port, _ := strconv.Atoi(text) // both checked when it was loaded
	next := port + 1
	for next < port+100 && portBusy(net.JoinHostPort(host, strconv.Itoa(next))) {
		next++
	}
	s.term.Bad("another program listens on %s, where the plugin would reach hermes (HERMES_LISTEN)", s.config.Listen)
	listen := net.JoinHostPort(host, strconv.Itoa(next))
	if s.term.In == nil || config.InEnvironment("HERMES_LISTEN") { // which would win over the file
		return fmt.Errorf("%s is in use; end the other program, or set HERMES_LISTEN to another address, such as %s", s.config.Listen, listen)
	}
	if err := agree(ctx, s.term, "Use "+listen+" instead?"); err != nil {
		return err
	}
	s.config.Listen = listen
	return s.env.write(envEdit{"HERMES_LISTEN", listen})
}

// portBusy reports whether something listens there. An address that cannot be
// used for other reasons is for hermes serve to explain.
func portBusy(address string) bool {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return errors.Is(err, syscall.EADDRINUSE)
	}
	return l.Close() != nil
}

// testFor is how long the test question waits for an answer.
const testFor = 5 * time.Minute

// stepTest has hermes ask a question, and waits for its answer.
func (s *Wizard) stepTest(ctx context.Context) error {
	switch {
	case s.flags.noTest:
		s.term.Say("Left out, as asked.")
		return nil
	case s.flags.dryRun:
		s.term.Say("Would send a test question to %s and wait for its answer.", s.chatNames())
		return nil
	}
	if err := s.stopOwn(); err != nil { // the one that paired did not have all of the configuration
		return err
	}
	ctx, err := s.withHermes(ctx)
	if err != nil {
		return err
	}
	to := s.chatNames()
	if s.running { // it may have another configuration until it is restarted
		to = "the chats of the hermes that runs"
	}
	for {
		s.term.Say("A question is on its way to %s. Tap an answer there. Waiting…", to)
		result, err := s.hermes().AskPeople(ctx, s.testQuestion(), func(ask.Result, bool) { s.tellTrouble(ctx) })
		if err != nil || ctx.Err() != nil {
			return s.because(ctx, err)
		}
		trouble := ""
		switch {
		case result.Status == ask.Answered:
			s.term.Good("%s answered: %s", letters.Escaped(result.AnsweredBy.Name), strings.Join(result.Answers[0].Selected, ", "))
			return nil
		case result.AbortedBy != nil && result.AbortedBy.Kind == question.Deadline:
			trouble = fmt.Sprintf("Nobody answered in %d minutes.", int(testFor/time.Minute))
		default:
			trouble = "The question was dismissed."
		}
		if !s.term.Asks() {
			return errors.New(trouble + " All else is done; hermes setup --no-test leaves the test out.")
		}
		s.term.Bad("%s", trouble)
		if again, err := s.term.Confirm(ctx, "Try again? (n goes on without the test)", true); err != nil || !again {
			return err
		}
	}
}

// testQuestion is the question, as hermes ask sends one, in Chinese where hermes or this terminal speaks that.
func (s *Wizard) testQuestion() []byte {
	header, text, answers := "Test", "A test question from hermes setup. Which answer should arrive in your terminal?", []string{"Red", "Green"}
	if s.config.Lang == "zh" || s.config.Lang == "auto" && strings.HasPrefix(os.Getenv("LANG"), "zh") {
		header, text, answers = "测试", "这是 hermes setup 的测试问题。要让哪个答案出现在你的终端里？", []string{"红色", "绿色"}
	}
	var options []map[string]string
	for _, a := range answers {
		options = append(options, map[string]string{"id": a, "label": a})
	}
	body, _ := json.Marshal(map[string]any{ // texts can be encoded
		"questions": []any{map[string]any{"question_id": "test", "header": header, "question": text, "options": options}},
		"title":     "hermes setup", "ttl": testFor.String(), "on_timeout": string(question.ExpireReject),
	})
	return body
}
