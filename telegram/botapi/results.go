package botapi

import (
	"encoding/json"
	"errors"
)

// What hermes reads of results. All else is taken out before the library sees it, which
// would not read an answer with a kind of thing that it does not know.
type (
	sentMessage struct {
		ID   int `json:"message_id"`
		Date int `json:"date"`
	}
	madeTopic struct {
		ID int `json:"message_thread_id"`
	}
	storedFile struct {
		Path string `json:"file_path"`
		Size int64  `json:"file_size"`
	}
	menuEntry struct {
		Command     string `json:"command"`
		Description string `json:"description"`
	}
	self struct {
		ID       int64  `json:"id"`
		Bot      bool   `json:"is_bot"`
		First    string `json:"first_name"`
		Last     string `json:"last_name"`
		Username string `json:"username"`
		Joins    bool   `json:"can_join_groups"`
		ReadsAll bool   `json:"can_read_all_group_messages"`
		Topics   bool   `json:"has_topics_enabled"`
		Users    bool   `json:"allows_users_to_create_topics"`
	}
	wireChat struct {
		ID          int64        `json:"id"`
		Type        string       `json:"type"`
		Title       string       `json:"title"`
		Username    string       `json:"username"`
		First       string       `json:"first_name"`
		Last        string       `json:"last_name"`
		Forum       bool         `json:"is_forum"`
		Permissions *permissions `json:"permissions,omitempty"`
		SlowMode    int          `json:"slow_mode_delay,omitempty"`
	}
	permissions struct {
		Messages  bool `json:"can_send_messages"`
		Documents bool `json:"can_send_documents"`
	}
	member struct {
		Status    status `json:"status"`
		Member    bool   `json:"is_member"`
		Messages  bool   `json:"can_send_messages"`
		Documents bool   `json:"can_send_documents"`
		Topics    bool   `json:"can_manage_topics"`
	}
	webhook struct {
		URL       string `json:"url"`
		Pending   int    `json:"pending_update_count"`
		ErrorDate int    `json:"last_error_date"`
		LastError string `json:"last_error_message"`
	}
)

// status is what a member of a chat is. For the library, one that it does not know is
// a member.
type status string

func (s status) MarshalJSON() ([]byte, error) {
	switch s {
	case "creator", "administrator", "member", "restricted", "left", "kicked":
		return json.Marshal(string(s))
	}
	return json.Marshal("member")
}

// resultShapes are the results that are more than true, by method.
func resultShapes() map[string]any {
	return map[string]any{
		"sendMessage":      new(sentMessage),
		"sendDocument":     new(sentMessage),
		"createForumTopic": new(madeTopic),
		"getFile":          new(storedFile),
		"getMyCommands":    new([]menuEntry),
		"getMe":            new(self),
		"getChat":          new(wireChat),
		"getChatMember":    new(member),
		"getWebhookInfo":   new(webhook),
	}
}

// readResult is an answer with what hermes reads of the result, and true for the result
// of a method of which it reads nothing.
func readResult(op string, result []byte) ([]byte, error) {
	shape, ok := resultShapes()[op]
	if !ok {
		return []byte(`{"ok":true,"result":true}`), nil
	}
	// A field of another type is left at zero, and the others are read all the same.
	var odd *json.UnmarshalTypeError
	err := json.Unmarshal(result, shape)
	if err != nil && !(errors.As(err, &odd) && odd.Field != "") || lacksID(shape) {
		return nil, unreadableAnswer(op)
	}
	body, err := json.Marshal(map[string]any{"ok": true, "result": shape})
	if err != nil {
		return nil, unreadableAnswer(op)
	}
	return body, nil
}

// lacksID reports whether a result lacks what alone makes it one.
func lacksID(shape any) bool {
	switch s := shape.(type) {
	case *sentMessage:
		return s.ID == 0
	case *madeTopic:
		return s.ID == 0
	case *self:
		return s.ID == 0
	case *wireChat:
		return s.ID == 0
	}
	return false
}
