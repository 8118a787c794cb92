package opencodesim

import "hermes/internal/simulate/opencodesim/model"

// Question is one question of a request, as the question tool takes it.
type Question = model.Question

// Option is one choice of a Question.
type Option = model.Option

// Permission is what an agent asks leave for.
type Permission = model.Permission

type toolRef struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

type questionRequest struct {
	ID        string     `json:"id"`
	SessionID string     `json:"sessionID"`
	Questions []Question `json:"questions"`
	Tool      *toolRef   `json:"tool,omitempty"`
}

type permissionRequest struct {
	ID        string `json:"id"`
	SessionID string `json:"sessionID"`
	Permission
	Tool *toolRef `json:"tool,omitempty"`
}

type sessionInfo struct {
	ID        string      `json:"id"`
	Version   string      `json:"version"`
	ProjectID string      `json:"projectID"`
	Directory string      `json:"directory"`
	ParentID  string      `json:"parentID,omitempty"`
	Title     string      `json:"title"`
	Agent     string      `json:"agent,omitempty"`
	Time      sessionTime `json:"time"`
}

type sessionTime struct {
	Created  int64 `json:"created"`
	Updated  int64 `json:"updated"`
	Archived int64 `json:"archived,omitempty"`
}

type tokens struct {
	Input     int   `json:"input"`
	Output    int   `json:"output"`
	Reasoning int   `json:"reasoning"`
	Cache     cache `json:"cache"`
}

type cache struct {
	Read  int `json:"read"`
	Write int `json:"write"`
}

type messageInfo struct {
	ID         string       `json:"id"`
	SessionID  string       `json:"sessionID"`
	Role       string       `json:"role"`
	Time       messageTime  `json:"time"`
	Agent      string       `json:"agent"`
	Model      *modelRef    `json:"model,omitempty"`
	ParentID   string       `json:"parentID,omitempty"`
	ModelID    string       `json:"modelID,omitempty"`
	ProviderID string       `json:"providerID,omitempty"`
	Cost       *int         `json:"cost,omitempty"`
	Tokens     *tokens      `json:"tokens,omitempty"`
	Finish     string       `json:"finish,omitempty"`
	Summary    *summary     `json:"summary,omitempty"`
	Error      *sessionFail `json:"error,omitempty"`
}

// summary is what a prompt led to, written when its turn has ended.
type summary struct {
	Diffs []fileDiff `json:"diffs"`
}

// fileDiff is one change: 1.1.53 gives both texts, newer versions the patch.
type fileDiff struct {
	File      string  `json:"file"`
	Before    *string `json:"before,omitempty"`
	After     *string `json:"after,omitempty"`
	Patch     string  `json:"patch,omitempty"`
	Additions int     `json:"additions"`
	Deletions int     `json:"deletions"`
	Status    string  `json:"status"`
}

type messageTime struct {
	Created   int64 `json:"created"`
	Completed int64 `json:"completed,omitempty"`
}

type modelRef struct {
	ProviderID string `json:"providerID"`
	ModelID    string `json:"modelID"`
}

type sessionFail struct {
	Name string            `json:"name"`
	Data map[string]string `json:"data"`
}

type part struct {
	ID        string     `json:"id"`
	SessionID string     `json:"sessionID"`
	MessageID string     `json:"messageID"`
	Type      string     `json:"type"`
	Text      string     `json:"text,omitempty"`
	Synthetic bool       `json:"synthetic,omitempty"`
	Name      string     `json:"name,omitempty"`
	Reason    string     `json:"reason,omitempty"`
	Tool      string     `json:"tool,omitempty"`
	CallID    string     `json:"callID,omitempty"`
	State     *toolState `json:"state,omitempty"`
	Mime      string     `json:"mime,omitempty"`
	Filename  string     `json:"filename,omitempty"`
	URL       string     `json:"url,omitempty"`
	Time      *partTime  `json:"time,omitempty"`
}

type toolState struct {
	Status   string         `json:"status"`
	Input    any            `json:"input"`
	Raw      *string        `json:"raw,omitempty"`
	Output   *string        `json:"output,omitempty"`
	Title    *string        `json:"title,omitempty"`
	Error    string         `json:"error,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Time     *partTime      `json:"time,omitempty"`
}

type partTime struct {
	Start int64 `json:"start"`
	End   int64 `json:"end,omitempty"`
}
