package wire

import (
	"encoding/json"

	"hermes/internal/session"
)

// ActiveSessions reads which sessions work, as GET /api/session/active tells it of 1.16 and later.
func ActiveSessions(body []byte) (map[session.ID]bool, error) {
	var list struct{ Data map[session.ID]any }
	err := json.Unmarshal(body, &list)
	active := map[session.ID]bool{}
	for id := range list.Data {
		active[id] = true
	}
	return active, err
}
