package plugin

import (
	"encoding/json"
	"os"

	"hermes/internal/secret"
	"hermes/opencode/link"
)

// Report says what Install or Uninstall did. It never holds the token.
type Report struct {
	Plugin   string   // path of hermes.js
	Link     string   // path of hermes.json
	Version  string   // of the plugin in this binary
	Changed  bool     // whether OpenCode must be restarted to load what is there now
	Kept     string   // where a hermes.js that a person had changed is now; empty if there was none
	Warnings []string // sentences for the person
}

// Install writes the plugin and its link file; doing so again changes nothing. A hermes.js that hermes did not write just so is
// kept aside. Each file is replaced as a whole, and Install can be run again if it fails half-way.
func Install(o Options) (Report, error) {
	file, err := newLinkFile(o.URLs, o.Token)
	if err != nil {
		return Report{}, err
	}
	content, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return Report{}, err
	}
	p, report, err := begin(o)
	if err != nil {
		return Report{}, err
	}
	urls, _ := file.addresses() // they are good
	report.Warnings = append(warnOfPlain(urls), report.Warnings...)
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return Report{}, explainError("make", p.folder, err)
	}
	// The link file first: a plugin without it does nothing.
	told, err := write(p.link, append(content, '\n'), 0o600)
	if err != nil {
		return Report{}, err
	}
	if report.Kept, err = p.keepEdited(); err != nil {
		return Report{}, err
	}
	written, err := write(p.js, sealedSource(), 0o644)
	report.Changed = written || told
	return report, err
}

// Uninstall removes the plugin and its link file; where there are none it does nothing. A hermes.js that hermes did not write just
// so is kept aside under a name that OpenCode does not load. A running OpenCode keeps the plugin until it is restarted, but without
// the link file it does not come back after hermes has gone.
func Uninstall(o Options) (Report, error) {
	p, report, err := begin(o)
	if err != nil {
		return Report{}, err
	}
	report.Changed = p.found != nil
	if report.Kept, err = p.keepEdited(); err != nil {
		return Report{}, err
	}
	for _, path := range []string{p.js, p.link} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return Report{}, explainError("remove", path, err)
		}
	}
	return report, nil
}

// begin fails where a file is not what hermes could have made, before anything is changed.
func begin(o Options) (installation, Report, error) {
	p, err := findInstallation(o)
	if err != nil {
		return p, Report{}, err
	}
	if _, err := readPlain(p.link); err != nil {
		return p, Report{}, err
	}
	p.found, err = readPlain(p.js)
	return p, Report{Plugin: p.js, Link: p.link, Version: Version(), Warnings: p.warnOfDuplicates()}, err
}

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
	p, report, err := begin(o)
	if err != nil {
		return State{}, err
	}
	s := State{Plugin: p.js, Link: p.link, Installed: p.found != nil, Current: string(p.found) == string(sealedSource()), Warnings: report.Warnings}
	version, ours := versionOfSealed(p.found)
	s.Version, s.Edited = version, s.Installed && !ours
	content, err := readPlain(p.link)
	if err == nil {
		s.lookAtLink(content)
	}
	return s, err
}

func (s *State) lookAtLink(content []byte) {
	if content == nil {
		if s.Installed {
			s.Warnings = append(s.Warnings, s.Link+" is missing, so the plugin does not know where hermes is; run hermes plugin install")
		}
		return
	}
	var file linkFile
	broken := json.Unmarshal(content, &file)
	urls, err := file.addresses()
	if broken != nil || err != nil || file.Token == "" {
		s.Warnings = append(s.Warnings, errUnusable(s.Link).Error())
		return
	}
	s.URLs = urls
	if s.APIToken = !link.IsToken(secret.Text(file.Token)); s.APIToken {
		s.Warnings = append(s.Warnings, s.Link+" holds the token of hermes' API, which opens far more than the plugin needs; run hermes plugin install")
	}
	s.Warnings = append(s.Warnings, warnOfExposed(s.Link)...)
}
