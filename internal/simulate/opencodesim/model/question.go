package model

// Question is one question of a call of the question tool, as a model writes it.
type Question struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []Option `json:"options"`
	// Multiple allows more than one label in the answer.
	Multiple bool `json:"multiple,omitempty"`
	// Custom is absent for what a model asks; OpenCode's own questions
	// (plan mode) set it to false.
	Custom *bool `json:"custom,omitempty"`
}

// Option is one choice of a Question.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Permission is what an agent asks leave for: a kind of doing, on what, and what an
// always would allow from then on.
type Permission struct {
	Permission string         `json:"permission"`
	Patterns   []string       `json:"patterns"`
	Metadata   map[string]any `json:"metadata"`
	Always     []string       `json:"always"`
}
