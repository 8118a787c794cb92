package question

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hermes/internal/chat"
	"hermes/internal/retry"
)

func typing(t *Thread) { t.Wizard.Typing = true }

func box(i int, b ReplyBox) func(*Thread) {
	return func(t *Thread) { t.Cards[i].Boxes = append(t.Cards[i].Boxes, b) }
}

func TestNextMindsReplyBoxes(t *testing.T) {
	there := ReplyBox{Begun: true, Message: 5}
	checkMoments(t, []moment{
		{"one that is there stays while words are wanted", shown(typing, box(0, there)), minute, "", 15 * minute},
		{"one that was not sent is", shown(typing, box(1, ReplyBox{})), minute, "boxes 1", 15 * minute},
		{"when it is time", shown(typing, box(1, ReplyBox{Tries: retry.Attempts{Next: after(2 * minute)}})), minute, "", 2 * minute},
		{"one that may be there is left alone", shown(typing, box(0, ReplyBox{Begun: true})), minute, "", 15 * minute},
		{"no words are wanted", shown(box(0, there), box(1, there)), minute, "boxes 0, boxes 1", 15 * minute},
		{"those of another step are", shown(typing, box(0, ReplyBox{Begun: true, Message: 5, Item: 1})), minute, "boxes 0", 15 * minute},
		{"two of a card are one step", shown(box(0, there), box(0, ReplyBox{Begun: true, Message: 6})), minute, "boxes 0", 15 * minute},
		{"a refused one waits", shown(box(0, ReplyBox{Message: 5, Tries: retry.Attempts{Next: after(2 * minute)}})), minute, "", 2 * minute},
		{"one that is over is left alone", shown(box(0, ReplyBox{Message: 5, Over: true})), minute, "", 15 * minute},
		{"a reminder stays while it waits", shown(box(0, ReplyBox{Begun: true, Message: 5, Reminder: true})), minute, "", 15 * minute},
		{"a reminder goes with the end", settled(card(0, right(3)), card(1, right(3)), box(0, ReplyBox{Begun: true, Message: 5, Reminder: true})), 20 * minute, "boxes 0", never},
		{"a reminder that is gone", settled(card(0, right(3)), card(1, right(3)), box(0, ReplyBox{Begun: true, Message: 5, Reminder: true, Over: true})), 20 * minute, "retire", never},
		{"nothing is sent for what ended", settled(card(0, right(3)), card(1, right(3)), box(0, ReplyBox{})), 20 * minute, "retire", never},
		{"the ended keeps its record until it is gone", settled(card(0, right(3)), card(1, right(3)), typing, box(0, there)), 20 * minute, "boxes 0", never},
		{"but not for one that is not known", settled(card(0, right(3)), card(1, right(3)), box(0, ReplyBox{Begun: true})), 20 * minute, "retire", never},
		{"nor in a chat that refuses", shown(card(0, refused(2*day)), box(0, there)), minute, "", 15 * minute},
	})
}

func TestWhatBecameOfABox(t *testing.T) {
	next, failed := after(time.Minute), errors.New("no")
	begun, over := ReplyBox{Begun: true}, ReplyBox{Begun: true, Over: true}
	tried := ReplyBox{Begun: true, Tries: retry.Attempts{Made: 2}}
	for name, c := range map[string]struct{ got, want ReplyBox }{
		"sent":                   {tried.Sent(BoxDone{ID: 5}, next), ReplyBox{Begun: true, Message: 5}},
		"perhaps":                {begun.Sent(BoxDone{Err: failed, Unknown: true}, next), begun},
		"not, and tried again":   {begun.Sent(BoxDone{Err: failed}, next), ReplyBox{Tries: retry.Attempts{Made: 1, Next: next}}},
		"not, and never":         {begun.Sent(BoxDone{Err: failed, Final: true}, next), ReplyBox{Over: true}},
		"not, too often":         {tried.Sent(BoxDone{Err: failed}, next), ReplyBox{Over: true, Tries: retry.Attempts{Made: 2}}},
		"removed":                {ReplyBox{Message: 5}.Removed(BoxDone{}, next), ReplyBox{Message: 5, Over: true}},
		"not removed":            {ReplyBox{Message: 5}.Removed(BoxDone{Err: failed, Unknown: true}, next), ReplyBox{Message: 5, Tries: retry.Attempts{Made: 1, Next: next}}},
		"not removed, and never": {ReplyBox{Message: 5}.Removed(BoxDone{Err: failed, Final: true}, next), ReplyBox{Message: 5, Over: true}},
		"sent, and over before":  {over.Sent(BoxDone{ID: 5}, next), ReplyBox{Begun: true, Message: 5}},
		"not, and over before":   {over.Sent(BoxDone{Err: failed}, next), ReplyBox{Over: true}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

// One a person, card and step; the last of those that are over are remembered.
func TestBoxesAreBounded(t *testing.T) {
	thread := shown(typing)
	before := thread.Cards[0].Boxes
	for range 3 {
		thread = thread.WithBox(0, chat.User{ID: 1})
	}
	thread = thread.WithBox(0, chat.User{ID: 2})
	if n := len(thread.Cards[0].Boxes); n != 2 || len(before) != 0 || len(thread.Cards[1].Boxes) != 0 {
		t.Errorf("%d boxes: %+v", n, thread.Cards)
	}
	for i := range 100 {
		thread = shown(typing, func(t *Thread) { t.Cards = thread.Cards }).WithBox(0, chat.User{ID: 3})
		boxes := thread.Cards[0].Boxes
		boxes[len(boxes)-1].Over, boxes[len(boxes)-1].Message = true, chat.MessageID(i+1)
	}
	c := thread.Cards[0]
	if n := len(c.Boxes); n > pastBoxes+3 || c.Box(100) < 0 || c.UnsureBox(2, 0) < 0 || !c.Has(100) {
		t.Errorf("%d boxes: %+v", n, c.Boxes)
	}
}

// What is not known to be there is over when its words are not wanted any more. A reply can still tell where it is.
func TestUnsureBoxesAreClosed(t *testing.T) {
	begun := ReplyBox{Begun: true, User: chat.User{ID: 1}}
	known := ReplyBox{Begun: true, Message: 5, User: chat.User{ID: 1}}
	waits := ReplyBox{User: chat.User{ID: 1}, Tries: retry.Attempts{Made: 1, Next: after(time.Minute)}}
	later := ReplyBox{Begun: true, Item: 1, User: chat.User{ID: 1}}
	over := func(b ReplyBox) ReplyBox { b.Over = true; return b }
	before := shown(box(0, begun), box(0, known), box(0, later), box(0, waits))
	if got := before.CloseUnsure().Cards[0]; !slices.Equal(got.Boxes, []ReplyBox{over(begun), known, over(later), over(waits)}) || before.Cards[0].Boxes[0].Over {
		t.Errorf("no words are wanted: %+v, of %+v", got.Boxes, before.Cards[0].Boxes)
	}
	c := shown(typing, box(0, begun), box(0, later)).CloseUnsure().Cards[0]
	if !slices.Equal(c.Boxes, []ReplyBox{begun, over(later)}) {
		t.Errorf("words are wanted: %+v", c.Boxes)
	}
	c.Boxes = append(c.Boxes, begun, over(begun), over(ReplyBox{User: chat.User{ID: 2}}))
	for _, want := range []struct {
		user        chat.UserID
		step, index int
	}{{1, 0, 2}, {1, 1, 1}, {1, 2, 2}, {2, 0, -1}} {
		if i := c.UnsureBox(want.user, want.step); i != want.index {
			t.Errorf("%+v: %d", want, i)
		}
	}
}

// A step that takes words alone wants them from the tap that led to it, until something else was done there.
func TestAStepWithoutOptionsWantsWords(t *testing.T) {
	for action, want := range map[Action]bool{Pick: true, Done: true, Go: true, "": false, Type: false, Say: false, Drop: false} {
		th := shown(func(t *Thread) {
			t.Request = Request{Items: []Item{{Options: []Option{{Label: "a"}}}, {}}}
			t.Wizard.Step, t.Wizard.Last = 1, WizardInput{Action: action}
		})
		if th.WantsWords(1) != want || th.WantsWords(0) {
			t.Errorf("after %q: %v, %v", action, th.WantsWords(1), th.WantsWords(0))
		}
	}
}
