package contract

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// id is one of OpenCode's form that is ahead of the time now by n.
func (p *prober) id(prefix string, ahead time.Duration, n int) string {
	at := uint64(time.Now().Add(ahead).UnixMilli()*4096) + uint64(n)
	return fmt.Sprintf("%s_%012xAAAAAAAAAAAAAA", prefix, at&(1<<48-1))
}

func textPart(id, text string) map[string]any {
	return map[string]any{"id": id, "type": "text", "text": text}
}

func filePart(id, name, mime, data string) map[string]any {
	return map[string]any{
		"id": id, "type": "file", "mime": mime, "filename": name,
		"url": "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString([]byte(data)),
	}
}

// send a prompt with these parts.
func (p *prober) promptParts(session string, more map[string]any, parts ...map[string]any) {
	p.Helper()
	body := map[string]any{"parts": append([]map[string]any{}, parts...)}
	for key, value := range more {
		body[key] = value
	}
	p.WantStatus("prompt_async", p.post("/session/"+session+"/prompt_async", body), http.StatusNoContent)
}

// driven is what a message says of how it came to be.
type driven struct {
	Info struct {
		ID       string `json:"id"`
		Role     string `json:"role"`
		ParentID string `json:"parentID"`
		Agent    string `json:"agent"`
		Provider string `json:"providerID"`
		ModelID  string `json:"modelID"`
		Model    struct {
			Provider string `json:"providerID"`
			ID       string `json:"modelID"`
		} `json:"model"`
		Time struct {
			Created   float64 `json:"created"`
			Completed float64 `json:"completed"`
		} `json:"time"`
		Tokens struct {
			Input  int `json:"input"`
			Output int `json:"output"`
		} `json:"tokens"`
		Error struct {
			Name string `json:"name"`
		} `json:"error"`
		Summary json.RawMessage `json:"summary"`
	} `json:"info"`
	Parts []struct {
		ID        string `json:"id"`
		Type      string `json:"type"`
		Text      string `json:"text"`
		Synthetic bool   `json:"synthetic"`
	} `json:"parts"`
}

func (p *prober) driven(session string) []driven {
	p.Helper()
	var list []driven
	p.decode(p.get("/session/"+session+"/message"), &list)
	return list
}

// awaitAnswers waits until the session is idle with n answers of the agent.
func (p *prober) awaitAnswers(session string, n int) []driven {
	p.Helper()
	var list []driven
	p.Eventually(fmt.Sprintf("%d answers", n), func() bool {
		list = p.driven(session)
		count := 0
		for _, m := range list {
			if m.Info.Role == "assistant" && (m.Info.Time.Completed > 0 || m.Info.Error.Name != "") {
				count++
			}
		}
		return count == n && !p.busy(session)
	})
	return list
}

type change struct {
	File      string  `json:"file"`
	Additions int     `json:"additions"`
	Deletions int     `json:"deletions"`
	Patch     string  `json:"patch"`
	Before    *string `json:"before"`
	After     *string `json:"after"`
}

// changes are the diffs of a prompt, nil while there is no summary.
func (m driven) changes() []change {
	var summary struct {
		Diffs []change `json:"diffs"`
	}
	if json.Unmarshal(m.Info.Summary, &summary) != nil {
		return nil
	}
	return summary.Diffs
}
