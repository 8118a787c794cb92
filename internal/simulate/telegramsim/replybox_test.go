package telegramsim_test

import (
	"slices"
	"strings"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

const (
	plainKeys = `{"inline_keyboard":[[{"text":"a","callback_data":"a"}]]}`
	boxKeys   = `{"force_reply":true,"inline_keyboard":[[{"text":"a","callback_data":"a"}]]}`
	movedKeys = `{"inline_keyboard":[[{"text":"b","callback_data":"b"}]]}`
)

// Whether an edit that would open the reply box is refused or passed over, the box stays as it was.
func TestAnEditOpensNoReplyBox(t *testing.T) {
	for _, refuses := range []bool{false, true} {
		s := world(t, telegramsim.Options{RefuseForceReplyEdits: refuses})
		call(t, s, "sendMessage", to(ada, args{"reply_markup": plainKeys}))
		m := s.Messages(ada)[1]
		got := call(t, s, "editMessageText", to(ada, args{"text": "y", "message_id": m.ID, "reply_markup": boxKeys}))
		if got.OK == refuses {
			t.Errorf("refused %v: %+v", refuses, got)
		}
		if m := s.Messages(ada)[1]; m.ForceReply || (m.Text == "y") == refuses {
			t.Errorf("refused %v: it shows %+v", refuses, m)
		}
		if v := s.Violations(); len(v) != 1 || !strings.Contains(v[0], "force_reply") {
			t.Errorf("violations %q", v)
		}
	}
}

// Nor does one close it; it is no mistake to leave the field out.
func TestAnEditClosesNoReplyBox(t *testing.T) {
	s := world(t, telegramsim.Options{})
	call(t, s, "sendMessage", to(ada, args{"reply_markup": boxKeys}))
	call(t, s, "editMessageReplyMarkup", to(ada, args{"message_id": s.Messages(ada)[1].ID, "reply_markup": movedKeys}))
	if m := s.Messages(ada)[1]; !m.ForceReply || m.Labels()[0] != "b" {
		t.Errorf("it shows %+v", m)
	}
	if v := s.Violations(); len(v) != 0 {
		t.Errorf("violations %q", v)
	}
}

// A selective prompt opens the box of those whom it mentions, and of whoever wrote the message that it replies to.
func TestASelectivePrompt(t *testing.T) {
	s := world(t, telegramsim.Options{})
	call(t, s, "sendMessage", to(group, args{"text": `<a href="tg://user?id=42">Ada</a>?`, "parse_mode": "HTML", "reply_markup": `{"force_reply":true,"selective":true,"input_field_placeholder":"Your answer"}`}))
	call(t, s, "sendMessage", to(group, args{"text": "all", "reply_markup": `{"force_reply":true}`}))
	call(t, s, "sendMessage", to(group, args{"text": "nobody", "reply_markup": `{"force_reply":true,"selective":true}`}))
	all := s.Messages(group)
	if m := all[0]; !m.ForceReply || !slices.Equal(m.Opens, []int64{42}) || m.Holder != "Your answer" {
		t.Errorf("%+v", m)
	}
	if m := all[1]; !m.ForceReply || m.Opens != nil {
		t.Errorf("%+v", m)
	}
	if m := all[2]; m.Opens == nil || len(m.Opens) != 0 {
		t.Errorf("%+v", m)
	}
	long := `{"force_reply":true,"input_field_placeholder":"` + strings.Repeat("ä", 65) + `"}`
	if got := call(t, s, "sendMessage", to(ada, args{"reply_markup": long})); got.OK {
		t.Errorf("a placeholder of 65 characters: %+v", got)
	}
}
