package plugin

import "os"

// Uninstall removes the plugin and its link file; where there are none it does nothing. A hermes.js that hermes did not write just
// so is kept aside under a name that OpenCode does not load. A running OpenCode keeps the plugin until it is restarted, but without
// the link file it does not come back after hermes has gone.
func Uninstall(o Options) (Report, error) {
	p, err := findInstallation(o)
	if err != nil {
		return Report{}, err
	}
	report := Report{Plugin: p.js, Link: p.link, Version: Version(), Warnings: p.warnOfDuplicates()}
	js, err := p.check()
	if err != nil {
		return Report{}, err
	}
	if report.Kept, err = p.keepEdited(js); err != nil {
		return Report{}, err
	}
	report.Changed = js != nil
	return report, p.remove()
}

func (p installation) remove() error {
	if _, err := os.Stat(p.folder); os.IsNotExist(err) {
		return nil
	}
	for _, path := range []string{p.js, p.link} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return explainError("remove", path, err)
		}
	}
	return syncFolder(p.folder)
}
