package session

import (
	"path"
	"strings"
)

// ID is OpenCode's name of a session: ses_….
type ID string

// MessageID is OpenCode's name of a message in a session: msg_….
type MessageID string

// Origin is one OpenCode process and directory, reached by one way. Pending asks
// live in exactly one process and directory (measured on every 1.x), so an ask
// can be answered only through an origin where it was seen.
type Origin struct {
	Way       Way    `json:"way,omitzero"`
	Process   string `json:"process,omitzero"`   // link: the process's random token; direct: the server's URL
	Directory string `json:"directory,omitzero"` // as OpenCode spells it, byte for byte
	Host      string `json:"host,omitzero"`      // for people
	Resolved  string `json:"resolved,omitzero"`  // the directory without symbolic links, where the process says that it is another; else empty
	Token     string `json:"token,omitzero"`     // id of the link whose token it was opened with (see NewLinkID); empty: the API's token, or no link
}

// Source names who shares with whom: one machine, which has one token, gets one share of what
// is bounded. The API's token is that of many machines, so each process of them has a share.
func (o Origin) Source() string {
	if o.Token != "" {
		return "token " + o.Token
	}
	return string(o.Way) + " " + o.Process
}

// TokenName is how the journal names the token by which the origin reaches hermes: a link's, by the name that the caller knows
// for it, or the API's; empty for a server, which hermes reaches.
func (o Origin) TokenName(link string) string {
	switch {
	case o.Way != Link && o.Way != AskAPI:
		return ""
	case o.Token != "":
		return "link " + link
	}
	return APIToken
}

// Logged names the origin in the log, as slog takes it: a link by its id, as the directory is the business of its owner and
// of who may see what they ask; else the directory. Both with the host.
func (o Origin) Logged() []any {
	if o.Token != "" {
		return []any{"link", o.Token, "host", o.Host}
	}
	return []any{"directory", o.Directory, "host", o.Host}
}

// SameProcess reports whether both are ways into one OpenCode process. Asks belong to a
// process: only what it says itself ends its asks, and only it gets their answers.
func (o Origin) SameProcess(p Origin) bool { return o.Way == p.Way && o.Process == p.Process }

// MayHave reports whether the OpenCode at o may have the sessions of the one at p.
// Sessions are kept on disk, so every OpenCode of one machine and directory has them. A
// machine is told by the token of its links. A direct server is what the configuration
// names, and is believed; a link is not believed to be on the machine of a direct server
// unless it was opened with the API's token.
func (o Origin) MayHave(p Origin) bool {
	switch {
	case o.SameProcess(p):
		return true
	case o.Directory != p.Directory || o.Way == AskAPI || p.Way == AskAPI:
		return false
	case o.Way == Direct:
		return true
	case p.Way == Link:
		return o.Token == p.Token
	}
	return o.Token == ""
}

// Way is how hermes reaches an OpenCode process.
type Way string

const (
	Link   Way = "link"   // the plugin inside OpenCode dialled out to hermes
	Direct Way = "direct" // hermes dials an OpenCode server
	AskAPI Way = "ask"    // no OpenCode: a program asked hermes itself
)

// Place says where an ask comes from, in words for people.
type Place struct {
	Title    string `json:"title,omitzero"`    // title of the root session; empty while it has none
	Subagent string `json:"subagent,omitzero"` // title of the session that asks, when it is not the root
	Root     ID     `json:"root,omitzero"`
}

// Project is the directory's last part, the short name that people see; empty where
// there is no directory.
func (o Origin) Project() string {
	if o.Directory == "" {
		return ""
	}
	return path.Base(o.slashed())
}

// LongProject is the directory's last two parts, for when two open projects
// have the same last part.
func (o Origin) LongProject() string {
	parent := path.Base(path.Dir(path.Clean(o.slashed())))
	if parent == "/" || parent == "." {
		return o.Project()
	}
	return parent + "/" + o.Project()
}

// slashed is the directory with slashes, also where it is one of Windows.
func (o Origin) slashed() string {
	if strings.HasPrefix(o.Directory, "/") {
		return o.Directory
	}
	return strings.ReplaceAll(o.Directory, `\`, "/")
}

// Same reports whether both are one way into one process and directory.
func (o Origin) Same(p Origin) bool {
	return o.Way == p.Way && o.Process == p.Process && o.Directory == p.Directory
}
