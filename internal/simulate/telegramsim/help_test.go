package telegramsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"hermes/internal/simulate/telegramsim"
)

const (
	token = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	ada   = int64(42)
	bob   = int64(43)
	group = int64(-5)
	super = int64(-1001)
	forum = int64(-1002)
	news  = int64(-1003) // a channel
)

type (
	args map[string]any

	answer struct {
		OK          bool            `json:"ok"`
		Code        int             `json:"error_code"`
		Description string          `json:"description"`
		Result      json.RawMessage `json:"result"`
		Parameters  struct {
			RetryAfter int   `json:"retry_after"`
			MigrateTo  int64 `json:"migrate_to_chat_id"`
		} `json:"parameters"`
		Status int
		Header http.Header
	}

	sent struct {
		ID      int `json:"message_id"`
		Date    int64
		Edited  int64 `json:"edit_date"`
		Text    string
		Thread  int `json:"message_thread_id"`
		ReplyTo struct {
			ID int `json:"message_id"`
		} `json:"reply_to_message"`
		Chat struct{ ID int64 }
	}
)

// world has two people, a group, a supergroup, a forum and a channel; Ada has
// written to the bot in private.
func world(t *testing.T, o telegramsim.Options) *telegramsim.Server {
	t.Helper()
	o.Token = token
	s := telegramsim.New(o)
	t.Cleanup(s.Close)
	s.AddUser(telegramsim.User{ID: ada, FirstName: "Ada", LanguageCode: "en"})
	s.AddUser(telegramsim.User{ID: bob, FirstName: "Bob", LastName: "Ross"})
	both := []int64{ada, bob}
	s.AddChat(telegramsim.Chat{ID: group, Type: telegramsim.Group, Title: "Team", Members: both})
	s.AddChat(telegramsim.Chat{ID: super, Type: telegramsim.Supergroup, Title: "Big team", Members: both, Admins: []int64{ada}})
	s.AddChat(telegramsim.Chat{ID: forum, Type: telegramsim.Supergroup, Title: "Forum", Forum: true, Members: both})
	s.AddChat(telegramsim.Chat{ID: news, Type: telegramsim.Channel, Title: "News"})
	say(t, s, ada, ada, "/start")
	return s
}

func say(t *testing.T, s *telegramsim.Server, user, chat int64, text string, how ...telegramsim.SayOption) int {
	t.Helper()
	id, err := s.Say(user, chat, text, how...)
	if err != nil {
		t.Fatalf("Say: %v", err)
	}
	return id
}

func call(t *testing.T, s *telegramsim.Server, method string, a args) answer {
	t.Helper()
	got, err := try(context.Background(), s, method, a)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return got
}

// ok is call for a call that must work.
func ok(t *testing.T, s *telegramsim.Server, method string, a args) answer {
	t.Helper()
	got := call(t, s, method, a)
	if !got.OK {
		t.Fatalf("%s: %d %s", method, got.Code, got.Description)
	}
	return got
}

func send(t *testing.T, s *telegramsim.Server, a args) sent {
	t.Helper()
	var m sent
	if err := json.Unmarshal(ok(t, s, "sendMessage", a).Result, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func try(ctx context.Context, s *telegramsim.Server, method string, a args) (answer, error) {
	var got answer
	if a == nil {
		a = args{}
	}
	body, err := json.Marshal(a)
	if err != nil {
		return got, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", "http://telegram.invalid/bot"+token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return got, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.Transport().RoundTrip(req)
	if err != nil {
		return got, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return got, err
	}
	got.Status, got.Header = resp.StatusCode, resp.Header
	return got, json.Unmarshal(raw, &got)
}

// updates polls without waiting and returns what came.
func updates(t *testing.T, s *telegramsim.Server, a args) []update {
	t.Helper()
	var list []update
	if err := json.Unmarshal(ok(t, s, "getUpdates", a).Result, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

type update struct {
	ID       int             `json:"update_id"`
	Message  *incoming       `json:"message"`
	Edited   *incoming       `json:"edited_message"`
	Callback *callback       `json:"callback_query"`
	Member   json.RawMessage `json:"my_chat_member"`
}

type incoming struct {
	sent
	From       *telegramsim.User   `json:"from"`
	SenderChat *struct{ ID int64 } `json:"sender_chat"`
	Entities   []telegramsim.Entity
	MigrateTo  int64 `json:"migrate_to_chat_id"`
	MigrateOld int64 `json:"migrate_from_chat_id"`
}

type callback struct {
	ID      string
	Data    string
	From    telegramsim.User
	Message incoming
}

func keyboard(rows ...[]args) args { return args{"inline_keyboard": rows} }

func button(label, data string) args { return args{"text": label, "callback_data": data} }
