package sessions_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
	"hermes/telegram/ui"
)

// voiceReply is a voice message of Ada's in reply to a card.
func voiceReply(update int) inbound.Input {
	in := typed(update, "")
	in.Kind, in.What, in.ReplyTo, in.Text, in.Command = inbound.Attached, chat.Voice, 50, "", ""
	in.File = chat.File{ID: "voice", Mime: "audio/ogg", Size: 4}
	return in
}

// saysOf is a tap about what was heard.
func saysOf(update int, message chat.MessageID, by chat.UserID, kind inbound.ButtonKind) inbound.Input {
	in := tapped(update, message, inbound.Button{Kind: kind})
	in.User.ID = by
	return in
}

// takeHeard is nothing if the store does not take it.
func (w *world) takeHeard(tap inbound.Input) (answer inbound.Input, ok bool) {
	w.t.Helper()
	err := w.loop.Do(context.Background(), func() { answer, ok = w.TakeHeard(tap) })
	return answer, ok && err == nil
}

// What was heard goes by the tap of who spoke alone, and by that tap again if it comes again,
// also to the next life of hermes.
func TestVoiceAnswer_GoesByOneTap(t *testing.T) {
	inThat(t, newWorld().hears(), func(w *world) {
		w.inLoop(func() { w.HearAnswer(voiceReply(1)) })
		pass(time.Second)
		w.wantTold(en.Files.IsItSaid)
		take := func(in inbound.Input) (string, bool) {
			got, ok := w.takeHeard(in)
			synctest.Wait()
			if ok && (got.Update != in.Update || got.ReplyTo != 50 || got.Kind != inbound.Typed || got.User.ID != 1 || got.Message != 1) {
				t.Errorf("given %+v", got)
			}
			return got.Text, ok
		}
		for _, c := range []struct {
			name string
			tap  inbound.Input
			want bool
		}{
			{"of another person", saysOf(2, 1001, 2, inbound.ButtonSay), false},
			{"on another message", saysOf(3, 77, 1, inbound.ButtonSay), false},
			{"of who spoke", saysOf(4, 1001, 1, inbound.ButtonSay), true},
			{"the same again", saysOf(4, 1001, 1, inbound.ButtonSay), true},
			{"another one", saysOf(5, 1001, 1, inbound.ButtonSay), false},
			{"not, after all", saysOf(6, 1001, 1, inbound.ButtonUnsay), false},
		} {
			if text, ok := take(c.tap); ok != c.want || ok && text == "" {
				t.Errorf("%s: %q, %v", c.name, text, ok)
			}
		}
		w.wantAlerts(ui.NotWriter(), ui.NotKept(), nil, nil, ui.AlreadySent(), ui.AlreadySent())
		w.restart()
		if _, ok := take(saysOf(4, 1001, 1, inbound.ButtonSay)); !ok {
			t.Error("after a restart the tap does not count any more")
		}
	})
}

// Who would rather type has it forgotten.
func TestVoiceAnswer_TypedInstead(t *testing.T) {
	inThat(t, newWorld().hears(), func(w *world) {
		w.inLoop(func() { w.HearAnswer(voiceReply(1)) })
		pass(time.Second)
		if _, ok := w.takeHeard(saysOf(2, 1001, 1, inbound.ButtonUnsay)); ok {
			t.Error("it was sent")
		}
		if _, ok := w.takeHeard(saysOf(3, 1001, 1, inbound.ButtonSay)); ok {
			t.Error("it was sent afterwards")
		}
		synctest.Wait()
		w.wantAlerts(nil, ui.NotKept())
		w.wantTold(en.Files.IsItSaid, en.Files.Unsaid)
	})
}

// Which tap sends it is stored first.
func TestVoiceAnswer_NotStoredIsNotSent(t *testing.T) {
	inThat(t, newWorld().hears(), func(w *world) {
		w.inLoop(func() { w.HearAnswer(voiceReply(1)) })
		pass(time.Second)
		w.fullDisk()
		if _, ok := w.takeHeard(saysOf(2, 1001, 1, inbound.ButtonSay)); ok {
			t.Error("it was sent")
		}
		w.restart()
		if _, ok := w.takeHeard(saysOf(3, 1001, 1, inbound.ButtonSay)); !ok {
			t.Error("it cannot be sent any more")
		}
	})
}
