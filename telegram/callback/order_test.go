package callback_test

import (
	"strings"
	"testing"
	"time"

	"hermes/internal/inbound"
	"hermes/internal/session"
	"hermes/telegram/callback"
)

func TestDecodeOrder_ReadsWhatIsWritten(t *testing.T) {
	const sessionID = "ses_5f2c1b7a9ffeABCDEFGHIJKLMN"
	for _, o := range []inbound.Button{
		{Kind: inbound.ButtonUse, Session: sessionID},
		{Kind: inbound.ButtonNew, Folder: session.Tag("/home/ada/src/" + strings.Repeat("long/", 80))},
		{Kind: inbound.ButtonPage},
		{Kind: inbound.ButtonPage, Page: 7},
		{Kind: inbound.ButtonStop, Session: sessionID, At: time.Unix(1_800_000_000, 0)},
		{Kind: inbound.ButtonKeep, Session: sessionID},
		{Kind: inbound.ButtonSend, Session: sessionID},
		{Kind: inbound.ButtonUnlinks, Tag: "0123abcd"},
		{Kind: inbound.ButtonLinked, Tag: "0123abcd"},
		{Kind: inbound.ButtonUnlink, Tag: "0123abcd", At: time.Unix(1795176120, 0)},
		{Kind: inbound.ButtonAgent, Session: session.ID(strings.Repeat("s", 50)), Tag: "0123abcd"},
		{Kind: inbound.ButtonAgent, Session: sessionID, Tag: session.ShortTag("build")},
		{Kind: inbound.ButtonModel, Session: session.ID(strings.Repeat("s", 50)), Tag: session.ShortTag("")},
		{Kind: inbound.ButtonAgents, Session: sessionID, Page: 3},
		{Kind: inbound.ButtonModels, Session: session.ID(strings.Repeat("s", 50)), Page: 1 << 29},
		{Kind: inbound.ButtonLevel, Level: "questions"},
		{Kind: inbound.ButtonSay},
		{Kind: inbound.ButtonUnsay},
		{Kind: inbound.ButtonAnswer, Update: 987654321},
		{Kind: inbound.ButtonCommand, Update: 1<<62 + 5},
		{Kind: inbound.ButtonLate, Thread: "abcdefghijkl"},
	} {
		data := callback.EncodeOrder(o)
		got, ok := callback.DecodeOrder(data)
		if !ok || got != o || len(data) > 64 {
			t.Errorf("%+v became %q and came back as %+v, %v", o, data, got, ok)
		}
		if id, move, ok := callback.DecodeMove(data); ok {
			t.Errorf("%q is read as a question's: %v %+v", data, id, move)
		}
	}
}

func TestEncodeOrder_SessionThatFitsInNoButton(t *testing.T) {
	for _, id := range []session.ID{"", "ses 1", "ses_\x00", "ses_ü", session.ID(make([]byte, 51))} {
		if data := callback.EncodeOrder(inbound.Button{Kind: inbound.ButtonUse, Session: id}); data != "" {
			t.Errorf("%q became %q", id, data)
		}
	}
}

func FuzzDecodeOrder(f *testing.F) {
	for _, s := range []string{"2uses_1", "2p0", "2p-1", "2s1.ses_1", "2s.ses_1", "2a01", "2n0123456789abcdef", "2n0123456789ABCDEF", "2n../../etc/passwd", "1abcdefghijklp0.0.0-", "2", "2labcdefghijkl", "2labcdefghijklp0.0.0-", "2l", "2labc", "2d0123abcd.ses_1", "2d0123abcd", "2d.ses_1", "2G1.ses_1", "2M-1.ses_1", "2vturns", "2v", "2vALL"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		o, ok := callback.DecodeOrder(data)
		if ok && (callback.EncodeOrder(o) != data || o.Page < 0 && o.Kind != inbound.ButtonPage) {
			t.Errorf("%q was taken as %+v", data, o)
		}
		if _, _, both := callback.DecodeMove(data); ok && both {
			t.Errorf("%q is both", data)
		}
	})
}
