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

	tg "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hermes/internal/chat"
	"hermes/internal/clients"
	"hermes/internal/config"
	"hermes/internal/console"
	"hermes/telegram/botapi"
)

// testFor is how long the test question waits for an answer.
const testFor = 5 * time.Minute

// testQuestion is one test question in a chat.
type testQuestion struct {
	chat    config.Chat
	words   chatWords
	nonce   string // in its buttons' data, so that no other message's tap counts
	message int
}

// stepTest sends a question to the phone and waits for its answer. Setup does so
// by itself: the service does not run yet, and two programs cannot poll.
func (s *Wizard) stepTest(ctx context.Context) error {
	switch {
	case s.Given.noTest:
		s.T.Say("Left out, as asked.")
		return nil
	case s.Given.dryRun:
		s.T.Say("Would send a test question to %s and wait for its answer.", s.chatOr("the chat"))
		return nil
	case s.noPoll != "":
		s.T.Say("Left out: %s. To test that hermes: hermes doctor --round-trip", s.noPoll)
		return nil
	}
	for {
		err := s.testOnce(ctx)
		if err == nil {
			return nil
		}
		if again, err := s.testAgain(ctx, err); err != nil || !again {
			return err
		}
	}
}

func (s *Wizard) chatOr(none string) string {
	if len(s.config.TelegramChats) == 0 {
		return none
	}
	return "chat " + s.config.TelegramChats[0].Text()
}

// testAgain says what went wrong, and asks whether to try once more. Without a
// terminal that is the end.
func (s *Wizard) testAgain(ctx context.Context, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, console.ErrStopped
	}
	trouble := s.testTrouble(err)
	if s.T.In == nil {
		return false, errors.New(trouble + " All else is done; hermes setup --no-test leaves the test out.")
	}
	s.T.Bad("%s", trouble)
	return s.T.Confirm(ctx, "Try again? (n goes on without the test)", true)
}

func (s *Wizard) testTrouble(err error) string {
	link := "https://t.me/" + console.Legible(s.me.Username)
	f := clients.ErrorOf(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("Nobody answered in %d minutes.", int(testFor/time.Minute))
	case errors.Is(err, errRefused):
		return err.Error() + "."
	case f.Code == 403 || f.Code == 400:
		return fmt.Sprintf("The bot cannot write to %s: %s. If it is a person's, they have to open %s and press Start once; if it is a group, the bot has to be in it.", s.chatOr(""), console.Legible(f.Said()), link)
	}
	return botError(err).Error()
}

// testOnce sends one question and sees it through to an end that is true.
func (s *Wizard) testOnce(ctx context.Context) error {
	q := s.newTest()
	if err := q.send(ctx, s.bot); err != nil {
		return err
	}
	s.T.Say("A question is on its way to %s. Tap an answer there. Waiting…", s.chatOr(""))
	wait, cancel := context.WithTimeout(ctx, testFor)
	defer cancel()
	var who Account
	answer := ""
	var err error
	for err == nil && answer == "" { // a tap of somebody who may not answer ends only the wait
		err = s.mail.await(wait, func(u incoming) bool {
			chosen, ours := s.tapped(ctx, q, u)
			if chosen != "" && answer == "" {
				who, answer = u.Tap.From, chosen
			}
			return ours
		}, s.lost)
	}
	return s.endTest(ctx, q, who, answer, err)
}

func (s *Wizard) newTest() *testQuestion {
	var b [12]byte
	rand.Read(b[:]) // never fails: crypto/rand
	language := s.Names[s.config.TelegramUsers[0]].Language
	return &testQuestion{
		chat: s.config.TelegramChats[0], words: wordsFor(s.config.Lang, language),
		nonce: base64.RawURLEncoding.EncodeToString(b[:]),
	}
}

func (q *testQuestion) send(ctx context.Context, bot *botapi.Client) error {
	var row []models.InlineKeyboardButton
	for i, answer := range q.words.answers {
		row = append(row, models.InlineKeyboardButton{Text: answer, CallbackData: q.nonce + ":" + strconv.Itoa(i)})
	}
	params := clients.Message(q.chat, q.words.asked())
	params.ReplyMarkup = clients.OneRow(row...)
	sent, err := bot.SendMessage(ctx, params)
	if err == nil {
		q.message = sent.ID
	}
	return err
}

// tapped reads an update. ours says that it is a tap on this question; answer is
// empty if whoever tapped may not answer, and is told so.
func (s *Wizard) tapped(ctx context.Context, q *testQuestion, u incoming) (answer string, ours bool) {
	if u.Tap == nil || u.Tap.Message == nil || u.Tap.Message.ID != q.message || u.Tap.Message.Chat.ID != q.chat.ID {
		return "", false
	}
	text, found := strings.CutPrefix(u.Tap.Data, q.nonce+":")
	n, err := strconv.Atoi(text)
	if !found || err != nil || n < 0 || n >= len(q.words.answers) {
		return "", false
	}
	reply := &tg.AnswerCallbackQueryParams{CallbackQueryID: u.Tap.ID}
	if !slices.Contains(s.config.TelegramUsers, chat.UserID(u.Tap.From.ID)) {
		reply.Text, reply.ShowAlert = q.words.stranger, true
	} else {
		answer = q.words.answers[n]
	}
	_ = s.bot.AnswerCallbackQuery(ctx, reply) // only stops the button's spinning
	return answer, true
}

// endTest makes the message tell how it ended, also when setup is being stopped.
func (s *Wizard) endTest(ctx context.Context, q *testQuestion, who Account, answer string, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clients.Timeout)
	defer cancel()
	s.mail.confirm(ctx)
	text := q.words.givenUp()
	if err == nil {
		text = q.words.answered(answer, who.name()+" · "+time.Now().Format("15:04"))
		s.T.Good("%s answered: %s", who.name(), answer)
	}
	failed := s.bot.EditMessageText(ctx, &tg.EditMessageTextParams{ChatID: int64(q.chat.ID), MessageID: q.message, Text: text})
	if failed != nil {
		s.T.Bad("The message could not be brought up to date: %s", console.Legible(clients.Told(failed)))
	}
	return err
}
