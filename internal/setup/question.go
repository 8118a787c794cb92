package setup

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/internal/letters"
	"hermes/telegram/botapi"
)

// testFor is how long the test question waits for an answer.
const testFor = 5 * time.Minute

// testQuestion is one test question in a chat.
type testQuestion struct {
	chat    config.Chat
	words   chatWords
	nonce   string // in its buttons' data, so that no other message's tap counts
	message clients.Sent
}

// stepTest sends a question to the phone and waits for its answer. Setup does so
// by itself: the service does not run yet, and two programs cannot poll.
func (s *Wizard) stepTest(ctx context.Context) error {
	switch {
	case s.flags.noTest:
		s.term.Say("Left out, as asked.")
		return nil
	case s.flags.dryRun:
		chat := "the chat"
		if len(s.config.TelegramChats) > 0 {
			chat = "chat " + s.config.TelegramChats[0].Text()
		}
		s.term.Say("Would send a test question to %s and wait for its answer.", chat)
		return nil
	case s.noPoll != "":
		s.term.Say("Left out: %s. To test that hermes: hermes doctor --round-trip", s.noPoll)
		return nil
	}
	t := &tester{
		bot: s.bot, term: s.term, chat: s.config.TelegramChats[0], users: s.config.TelegramUsers, names: s.names, lang: s.config.Lang,
	}
	return t.run(ctx)
}

// tester sends test questions to the first chat.
type tester struct {
	bot   *botConnection
	term  *console.Terminal
	chat  config.Chat
	users []chat.UserID // who may answer
	names nameBook
	lang  string // HERMES_LANG
}

// run asks until somebody answers, or the person gives up.
func (t *tester) run(ctx context.Context) error {
	for {
		err := t.askOnce(ctx)
		if err == nil {
			return nil
		}
		if again, err := t.askAgain(ctx, err); err != nil || !again {
			return err
		}
	}
}

// askAgain says what went wrong, and asks whether to try once more. Without a
// terminal that is the end.
func (t *tester) askAgain(ctx context.Context, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, console.ErrStopped
	}
	trouble := t.troubleOf(err)
	if !t.term.Asks() {
		return false, errors.New(trouble + " All else is done; hermes setup --no-test leaves the test out.")
	}
	t.term.Bad("%s", trouble)
	return t.term.Confirm(ctx, "Try again? (n goes on without the test)", true)
}

// troubleOf words what went wrong.
func (t *tester) troubleOf(err error) string {
	f := clients.ErrorOf(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("Nobody answered in %d minutes.", int(testFor/time.Minute))
	case errors.Is(err, errRefused):
		return err.Error() + "."
	case f.Code == 403 || f.Code == 400:
		return t.bot.cannotWrite(t.chat, err)
	}
	return botError(err).Error()
}

// askOnce sends one question and sees it through to an end that is true.
func (t *tester) askOnce(ctx context.Context) error {
	q := t.newQuestion()
	if err := q.send(ctx, t.bot.client); err != nil {
		return err
	}
	t.term.Say("A question is on its way to %s. Tap an answer there. Waiting…", t.chatName())
	wait, cancel := context.WithTimeout(ctx, testFor)
	defer cancel()
	var who clients.Account
	answer := ""
	var err error
	for err == nil && answer == "" { // a tap of somebody who may not answer ends only the wait
		err = t.bot.updates.waitFor(wait, func(u clients.Update) bool {
			chosen, ours := t.readTap(ctx, q, u)
			if chosen != "" && answer == "" {
				who, answer = u.Tap.From, chosen
			}
			return ours
		}, t.bot.reportLost)
	}
	return t.endQuestion(ctx, q, who, answer, err)
}

func (t *tester) chatName() string { return "chat " + t.chat.Text() }

func (t *tester) newQuestion() *testQuestion {
	var b [12]byte
	rand.Read(b[:]) // never fails: crypto/rand
	language := t.names[t.users[0]].Language
	return &testQuestion{
		chat: t.chat, words: wordsFor(t.lang, language),
		nonce: base64.RawURLEncoding.EncodeToString(b[:]),
	}
}

// send shows the question.
func (q *testQuestion) send(ctx context.Context, bot *botapi.Client) (err error) {
	var buttons []clients.Button
	for i, answer := range q.words.answers {
		buttons = append(buttons, clients.Button{Text: answer, Data: q.nonce + ":" + strconv.Itoa(i)})
	}
	q.message, err = clients.Send(ctx, bot, q.chat, q.words.waitingText(), buttons...)
	return err
}

// readTap reads an update. ours says that it is a tap on this question; answer is
// empty if whoever tapped may not answer, and is told so.
func (t *tester) readTap(ctx context.Context, q *testQuestion, u clients.Update) (answer string, ours bool) {
	if u.Tap == nil || u.Tap.Message == nil || u.Tap.Message.ID != q.message.ID || u.Tap.Message.Chat.ID != q.chat.ID {
		return "", false
	}
	text, found := strings.CutPrefix(u.Tap.Data, q.nonce+":")
	n, err := strconv.Atoi(text)
	if !found || err != nil || n < 0 || n >= len(q.words.answers) {
		return "", false
	}
	if !slices.Contains(t.users, u.Tap.From.ID) {
		clients.AnswerTap(ctx, t.bot.client, *u.Tap, q.words.stranger, true)
		return "", true
	}
	clients.AnswerTap(ctx, t.bot.client, *u.Tap, "", false)
	return q.words.answers[n], true
}

// endQuestion makes the message tell how it ended, also when setup is being stopped.
func (t *tester) endQuestion(ctx context.Context, q *testQuestion, who clients.Account, answer string, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clients.Timeout)
	defer cancel()
	t.bot.updates.confirm(ctx)
	text := q.words.givenUpText()
	if err == nil {
		text = q.words.answeredText(answer, fullName(who)+" · "+time.Now().Format("15:04"))
		t.term.Good("%s answered: %s", fullName(who), answer)
	}
	failed := q.message.Replace(ctx, t.bot.client, text)
	if failed != nil {
		t.term.Bad("The message could not be brought up to date: %s", letters.Escaped(clients.ErrorText(failed)))
	}
	return err
}
