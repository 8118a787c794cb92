package intake_test

import (
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/inbound"
)

// A text that a client cut is for whom its first part is for, whatever is asked meanwhile.
func TestCut_BelongsToWhomItsFirstPartIsFor(t *testing.T) {
	t.Run("a question that is answered meanwhile", func(t *testing.T) {
		play(t, func(w *world) {
			w.asks = asked
			w.say(long)
			w.asks = nothingAsked
			w.say("rest")
			w.want(`cardq: [1 2] "long\nrest"`)
		})
	})
	t.Run("a session, and something is asked meanwhile", func(t *testing.T) {
		play(t, func(w *world) {
			w.say(long, replyTo(70))
			w.asks = asked
			w.say("rest")
			w.want(`place: [1] "long"`, `session: [1 2] "long\nrest"`)
		})
	})
	t.Run("a text in doubt", func(t *testing.T) {
		play(t, func(w *world) {
			w.asks = asked
			w.say("/data " + long)
			w.say("/more of it")
			w.want(`whichq: [1 2] "/data long\n/more of it"`)
			w.say("", taps(inbound.ButtonAnswer, 1))
			w.want(`dismissed: [3] "answer"`, `cardq: [1 2] "/data long\n/more of it"`)
		})
	})
	t.Run("a text that waits", func(t *testing.T) {
		play(t, func(w *world) {
			arrived := w.SendingMessage(adaChat)
			w.say(long, replyTo(5))
			w.say("rest")
			w.want()
			arrived()
			w.want(`place: [1 2] "long\nrest"`, `session: [1 2] "long\nrest"`)
		})
	})
}

// The rest is waited for, for a while after each part.
func TestCut_RestIsAwaited(t *testing.T) {
	play(t, func(w *world) {
		w.asks = asked
		w.say(long)
		time.Sleep(inbound.RestWithin - 1)
		w.say(long)
		time.Sleep(inbound.RestWithin - 1)
		w.want()
		time.Sleep(time.Nanosecond)
		w.want(`cardq: [1 2] "long\nlong"`)
		w.say("more")
		w.want(`cardq: [3] "more"`)
	})
}

// What is no rest makes the text whole that was begun, before it is taken itself.
func TestCut_EndsWithWhatIsNoRest(t *testing.T) {
	for name, c := range map[string]struct {
		alter func(*inbound.Input)
		text  string
		want  []string
	}{
		"another reply":     {replyTo(70), "next", []string{`place: [1] "long"`, `session: [1] "long"`, `place: [2] "next"`, `session: [2] "next"`}},
		"a command":         {replyTo(0), "/status", []string{`place: [1] "long"`, `session: [1] "long"`, `place: [2] "/status"`, `session: [2] "/status"`}},
		"a file":            {file(""), "look", []string{`place: [1] "long"`, `session: [1] "long"`, `place: [2] "look"`, `session: [2] "look"`}},
		"another topic":     {func(in *inbound.Input) { in.Topic = 3 }, "next", []string{`place: [1] "long"`, `session: [1] "long"`, `place: [2] "next"`, `session: [2] "next"`}},
		"too late":          {func(in *inbound.Input) { in.Sent = in.Sent.Add(4 * time.Second) }, "next", []string{`place: [1] "long"`, `session: [1] "long"`, `place: [2] "next"`, `session: [2] "next"`}},
		"of another person": {by(bob), "next", []string{`place: [1] "long"`, `place: [2] "next"`, `session: [2] "next"`}},
		"forwarded":         {func(in *inbound.Input) { in.Forwarded = true }, "next", []string{`place: [1] "long"`, `not-own: [2] "next"`}},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(w *world) {
				w.say(long)
				w.say(c.text, c.alter)
				w.want(c.want...)
			})
		})
	}
}

// Words for an ask are cut anywhere, so that their rest may begin like a command. A link is none.
func TestCut_RestOfAnAnswerMayBeginLikeACommand(t *testing.T) {
	play(t, func(w *world) {
		w.asks = asked
		w.say(long)
		w.say("/usr/lib")
		w.want(`cardq: [1 2] "long\n/usr/lib"`)
		w.say(long)
		w.asks = func(in inbound.Input) inbound.Found {
			f := nothingAsked(in)
			f.Link = true
			return f
		}
		w.say("/start code")
		w.want(`cardq: [3] "long"`, `link: [4] "/start code"`)
	})
}

// Files that are shown as one are one input, in their order, and have their place from the first on.
func TestCut_Albums(t *testing.T) {
	play(t, func(w *world) {
		w.say("one", file("a"))
		time.Sleep(inbound.AlbumWithin - 1)
		w.say("", file("a"))
		w.want(`place: [1] "one"`)
		time.Sleep(inbound.AlbumWithin)
		w.want(`session: [1 2] "one"`)
		if got := w.given[0]; len(got.Rest) != 1 || got.Rest[0].What != chat.Photo {
			t.Errorf("given %+v", got)
		}
		w.say("", file("a"))
		w.say("", file("b"))
		w.want(`place: [3] ""`, `session: [3] ""`, `place: [4] ""`)
		w.say("words")
		w.want(`session: [4] ""`, `place: [5] "words"`, `session: [5] "words"`)
	})
}

// An album that waits for what it may be for is one input as well.
func TestCut_AlbumThatWaits(t *testing.T) {
	play(t, func(w *world) {
		arrived := w.SendingMessage(adaChat)
		w.say("look", file("a"), replyTo(71))
		w.say("", file("a"), replyTo(71))
		time.Sleep(time.Minute)
		w.want()
		arrived()
		w.want(`place: [1 2] "look"`, `session: [1 2] "look"`)
	})
}

// Files for no session are told of at once, each alone.
func TestCut_AlbumForNoSession(t *testing.T) {
	play(t, func(w *world) {
		w.asks = asked
		w.say("", file("a"))
		w.say("", file("a"))
		w.want(`no-fileq: [1] ""`, `no-fileq: [2] ""`)
	})
}

// What has begun is left to the next start when hermes ends.
func TestCut_EndOfHermes(t *testing.T) {
	play(t, func(w *world) {
		w.say(long)
		w.stop()
		time.Sleep(time.Minute)
		w.want(`place: [1] "long"`)
		w.say("late")
		w.want()
	})
}
