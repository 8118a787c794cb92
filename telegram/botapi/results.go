package botapi

import (
	"encoding/json"
	"maps"
	"slices"
)

// fieldsRead are the fields of a result that hermes reads; nil: the result is plain. A message and a chat hold much else, of
// kinds that grow with the Bot API, and the library fails to decode one that it does not know: a message that was sent would count as
// failed. The first field is the one without which a result is none.
func fieldsRead(op string) []string {
	switch op {
	case "sendMessage", "sendDocument", "editMessageText":
		return []string{"message_id", "date"}
	case "createForumTopic":
		return []string{"message_thread_id"}
	case "getChat":
		return []string{"id", "type", "title", "username", "first_name", "last_name", "is_forum", "permissions", "slow_mode_delay"}
	}
	return nil
}

// trimResult is a result without the fields that hermes does not read. Without the first of them it is something
// that the library fails to decode.
func trimResult(op string, result []byte) []byte {
	fields := fieldsRead(op)
	var all map[string]json.RawMessage
	if fields == nil || json.Unmarshal(result, &all) != nil {
		return result
	}
	if all[fields[0]] == nil {
		return []byte(`""`)
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return !slices.Contains(fields, name) })
	trimmed, err := json.Marshal(all)
	if err != nil {
		return result
	}
	return trimmed
}
