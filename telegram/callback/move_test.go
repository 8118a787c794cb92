package callback_test

import (
	"math"
	"testing"

	"hermes/internal/question"
	"hermes/telegram/callback"
)

func TestDecodeMove_ReadsWhatIsWritten(t *testing.T) {
	id := question.ID("AbCdEfGh-_12")
	for _, action := range []question.Action{
		question.Pick, question.Drop, question.Go, question.Done, question.Page, question.Type, question.Send, question.Dismiss, question.Take, question.Undo, question.Skip, question.UseDefault,
	} {
		for _, n := range []int{0, 35, 36, 999, math.MaxInt32} {
			for _, on := range []bool{false, true} {
				m := question.WizardInput{Action: action, Rev: n, Item: n, Option: n, On: on}
				data := callback.EncodeMove(id, m)
				gotID, got, ok := callback.DecodeMove(data)
				if !ok || gotID != id || got != m || len(data) > 64 {
					t.Errorf("%q: got %v %+v %v, want %+v", data, gotID, got, ok, m)
				}
			}
		}
	}
}

// What was ever sent stays readable.
func TestDecodeMove_OldButtons(t *testing.T) {
	id, m, ok := callback.DecodeMove("1abcdefghijklp1z.2.a+")
	want := question.WizardInput{Action: question.Pick, Rev: 71, Item: 2, Option: 10, On: true}
	if !ok || id != "abcdefghijkl" || m != want {
		t.Errorf("got %v %+v %v", id, m, ok)
	}
}

func TestDecodeMove_RefusesWhatIsMadeUp(t *testing.T) {
	for _, data := range []string{
		"", "1", "q1:abc", "2abcdefghijklp1.2.a+", "1abcdefghijk!p1.2.a+", "1abcdefghijklz1.2.a+", "1abcdefghijklp1.2+",
		"1abcdefghijklp01.2.a+", "1abcdefghijklp-1.2.a+", "1abcdefghijklp1.2.a", "1abcdefghijklp1.2.A+", "1abcdefghijklpzzzzzzzz.2.a+",
	} {
		if _, m, ok := callback.DecodeMove(data); ok {
			t.Errorf("%q was taken as %+v", data, m)
		}
	}
}

func FuzzDecodeMove(f *testing.F) {
	f.Add("1abcdefghijklp1z.2.a+")
	f.Add("1abcdefghijkl?..-")
	f.Fuzz(func(t *testing.T, data string) {
		id, m, ok := callback.DecodeMove(data)
		if !ok {
			return
		}
		if callback.EncodeMove(id, m) != data || !id.Valid() || m.Action == question.Say || m.Text != "" {
			t.Fatalf("%q was read as %v %+v", data, id, m)
		}
	})
}
