package telegram_test

import (
	"testing"

	"hermes/internal/chat"
	"hermes/internal/remote"
	"hermes/internal/simulate/telegramsim"
)

// What replies to a message that somebody has deleted is sent all the same.
func TestNote_ReplyToWhatIsGone(t *testing.T) {
	inWorld(t, func(w *world) {
		say, err := w.tele.Say(7, 7, "what?")
		if err != nil {
			t.Fatal(err)
		}
		w.tele.FailNext("sendMessage", telegramsim.Fault{Kind: telegramsim.Refuse, Code: 400, Description: "Bad Request: REPLY_MESSAGE_ID_INVALID"})
		done := make(chan error, 1)
		w.bot.Tell(remote.Message{Kind: remote.TellUnknown, Chat: 7, ReplyTo: chat.MessageID(say)}, func(s remote.MessageShown) { done <- s.Err })
		if err := <-done; err != nil {
			t.Error(err)
		}
		all := w.tele.Messages(7)
		if last := all[len(all)-1]; !last.FromBot || last.ReplyTo != 0 || w.tele.Count("sendMessage") != 2 {
			t.Errorf("%+v after %d calls", last, w.tele.Count("sendMessage"))
		}
	})
}
