package plugin

import (
	"encoding/json"
	"fmt"
	"os"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// State says what is installed.
type State struct {
	Plugin    string   // path of hermes.js
	Link      string   // path of hermes.json
	Installed bool     // hermes.js is there
	Edited    bool     // but is not as hermes wrote it
	Version   string   // of the installed plugin; empty if Edited or not Installed
	Current   bool     // it is the plugin in this binary
	URLs      []string // of hermes, from the link file; none if that is missing or no good
	APIToken  bool     // the link file does not hold the token of a link: an older hermes put its API's there
	Warnings  []string
}

// Status looks, and changes nothing. Nothing installed is no error.
func Status(o Options) (State, error) {
	p, err := findInstallation(o)
	if err != nil {
		return State{}, err
	}
	s := State{Plugin: p.js, Link: p.link, Warnings: p.warnOfDuplicates()}
	js, err := readPlain(p.js)
	if err != nil {
		return State{}, err
	}
	link, err := readPlain(p.link)
	if err != nil {
		return State{}, err
	}
	s.lookAt(js)
	s.lookAtLink(link)
	return s, nil
}

func (s *State) lookAt(js []byte) {
	if js == nil {
		return
	}
	version, ours := versionOfSealed(js)
	s.Installed, s.Edited, s.Version = true, !ours, version
	s.Current = string(js) == string(sealedSource())
}

func (s *State) lookAtLink(content []byte) {
	if content == nil {
		if s.Installed {
			s.warn("%s is missing, so the plugin does not know where hermes is; run hermes plugin install", s.Link)
		}
		return
	}
	var file linkFile
	broken := json.Unmarshal(content, &file)
	urls, err := file.addresses()
	if broken != nil || err != nil || file.Token == "" {
		s.warn("%s cannot be used; run hermes plugin install", s.Link)
		return
	}
	s.URLs = textsOf(urls)
	if s.APIToken = !link.IsToken(secret.Text(file.Token)); s.APIToken {
		s.warn("%s holds the token of hermes' API, which opens far more than the plugin needs; run hermes plugin install", s.Link)
	}
	if info, err := os.Stat(s.Link); err == nil && secret.IsExposed(info.Mode()) {
		s.warn("others can read the token in %s; run chmod 600 on it", s.Link)
	}
}

func (s *State) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}
