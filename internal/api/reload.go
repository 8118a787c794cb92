package api

// Reloaded is what POST /v1/reload tells. Fields are only added.
type Reloaded struct {
	Rules   string   `json:"rules"`   // the file's name; "": there is none
	Changes []string `json:"changes"` // what is other, in words; empty: nothing
	Restart []string `json:"restart"` // variables with another value, which a restart takes over
}
