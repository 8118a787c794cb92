package api

import (
	"time"

	"hermes/opencode/link"
)

// Status is what GET /v1/status tells of the running hermes. Fields are only
// added.
type Status struct {
	Version     string     `json:"version"`             // as hermes version prints it
	Plugin      string     `json:"plugin"`              // version of the plugin in this hermes
	Protocol    int        `json:"link_protocol"`       // that a plugin must speak
	Links       int        `json:"links"`               // open now
	LinksMax    int        `json:"links_max"`           // that may be open at once; a quarter of hermes' connections is for all else
	Servers     []string   `json:"servers"`             // those of HERMES_OPENCODE_URLS
	Answer      int        `json:"servers_connected"`   // of them, and the service of OpenCode 2
	Service     bool       `json:"service"`             // the service of OpenCode 2 is connected
	LastPoll    *time.Time `json:"last_poll,omitempty"` // when Telegram was last heard; absent: never by this process
	Telegram    string     `json:"telegram"`            // what is wrong with the way to Telegram, "" for nothing
	TokenWorked bool       `json:"token_worked"`        // Telegram has taken the bot's token, now or before with this database
	Store       string     `json:"store"`               // what is wrong with the database, "" for nothing
	Schema      int        `json:"schema"`              // of the database; 0: it cannot be read
	Unread      int        `json:"unreadable"`          // records of the database that cannot be read
	Open        []Link     `json:"open_links"`
	Refused     []Link     `json:"refused_links"` // of late, for their plugin speaks another protocol
	Journal     uint64     `json:"journal"`       // number of its last entry

	Started    time.Time      `json:"started"`
	Asks       OpenAsks       `json:"asks"`
	Waiting    map[string]int `json:"cards_waiting"`         // messages about asks, by the limit of Telegram's that they wait for
	Bytes      int64          `json:"database_bytes"`        // size of the database's pages; 0: not known
	Free       *uint64        `json:"disk_free,omitempty"`   // bytes that hermes may still fill where the database is; absent: not known
	Backups    bool           `json:"backups"`               // HERMES_BACKUP_DIR is set
	LastBackup *time.Time     `json:"last_backup,omitempty"` // when the newest copy there was made; absent: there is none
	Rules      RulesInForce   `json:"rules"`
	Lease      *Lease         `json:"lease,omitempty"` // with HERMES_STORE; absent: the database is this hermes' alone

	NotReady []string `json:"not_ready"` // why no question could reach a person now, as /readyz says it
}

// OpenAsks are the asks that have not ended.
type OpenAsks struct {
	Count  int        `json:"count"`
	Oldest *time.Time `json:"oldest,omitempty"` // when it was asked; absent: there is none
}

// Lease is how the hermes that answers acts on behalf of those that share its database. A standby answers 503 in its place.
type Lease struct {
	Name    string  `json:"name"`    // of its machine
	Address string  `json:"address"` // where clients reach it, as it tells the others
	Epoch   int64   `json:"epoch"`   // how many times a hermes has begun to act
	Age     float64 `json:"age"`     // seconds since it was renewed
	Delay   float64 `json:"delay"`   // seconds that the database took for that
}

// RulesInForce are the rules that hold now.
type RulesInForce struct {
	File  string `json:"file"` // the name of HERMES_RULES; "": there is none
	Count int    `json:"count"`
}

// Link is what a plugin said of itself and its OpenCode. What it did not say is "".
type Link struct {
	Directory string `json:"directory"`
	Host      string `json:"host"`
	OpenCode  string `json:"opencode"` // version
	Plugin    string `json:"plugin"`   // version
	Protocol  int    `json:"link_protocol"`
	Link      string `json:"link"` // name of its token; "": it has the API's
	By        string `json:"by"`   // what linked it: LinkedByPlugin or LinkedByProcess; of a process, Directory is "" and Plugin the version of hermes there
}

// LinksOf lists links by what their plugins said when they opened them.
func LinksOf(list []link.Hello) []Link {
	out := make([]Link, 0, len(list))
	for _, h := range list {
		out = append(out, Link{h.Directory, h.Host, h.Version, h.Plugin, h.Protocol, h.Token, linkedBy(h.Kind)})
	}
	return out
}
