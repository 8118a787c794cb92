package api

// Reloaded is what POST /v1/reload tells. Fields are only added.
type Reloaded struct {
	Rules   string   `json:"rules"`   // the file's name
	Changes []string `json:"changes"` // what is other, in words; empty: nothing
}
