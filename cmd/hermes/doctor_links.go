package main

import (
	"cmp"
	"context"
	"fmt"
)

// examLinks looks for an OpenCode that could ask now.
func (d *doctor) examLinks(context.Context) diagnosis {
	reply := d.daemon()
	if !reply.known {
		return skipped("only a running hermes knows them")
	}
	s := reply.status
	if s.Links+s.Answer == 0 {
		return gradeWarn.because("no OpenCode is connected now", "start OpenCode; one that ran before the plugin was installed must be restarted")
	}
	if len(s.Servers) == 0 {
		return sane("%d open now", s.Links)
	}
	return sane("%d open now, and %d of %d servers connected", s.Links, s.Answer, len(s.Servers))
}

// examEachLink looks at every OpenCode that is linked, and at those that would be if
// their plugin spoke hermes' protocol.
func (d *doctor) examEachLink(context.Context) []diagnosis {
	s := d.daemon().status
	var list []diagnosis
	for _, l := range s.Open {
		list = append(list, judgeLink(s, l))
	}
	for _, l := range s.Refused {
		list = append(list, gradeWarn.because(fmt.Sprintf("%s cannot ask: its plugin speaks link protocol %d, and hermes %d", linkInWords(l), l.Protocol, s.Protocol), reinstall(l)))
	}
	return list
}

func judgeLink(s apiStatus, l apiLink) diagnosis {
	switch {
	case l.Link == "":
		return gradeWarn.because(linkInWords(l)+" has the token of hermes' API: whatever reads its file, an agent too, can do far more than the plugin needs",
			tokenAnew(l))
	case l.Plugin != s.Plugin:
		return gradeWarn.because(fmt.Sprintf("%s runs plugin %s, and hermes has %s", linkInWords(l), cmp.Or(l.Plugin, "of no version"), s.Plugin), reinstall(l))
	case l.OpenCode != "" && !tested(l.OpenCode):
		return gradeWarn.because(linkInWords(l)+"; hermes is tested with 1.1.53 to 1.18", "use a version in that range, or try a question and see")
	}
	return sane("%s, plugin %s, link %s", linkInWords(l), l.Plugin, l.Link)
}

// linkInWords is the link in words.
func linkInWords(l apiLink) string {
	return fmt.Sprintf("%s on %s, OpenCode %s", cmp.Or(l.Directory, "a directory that is not known"),
		cmp.Or(l.Host, "a host that is not known"), cmp.Or(l.OpenCode, "of a version that is not known"))
}

// reinstall is the remedy for the plugin of a link, which may be another machine's.
func reinstall(l apiLink) string {
	if l.Host == "" || l.Host == hostname() {
		return "run hermes plugin install, and restart that OpenCode"
	}
	return "run hermes plugin install on " + l.Host + ", and restart that OpenCode"
}

// tokenAnew is the remedy for a link that has the API's token.
func tokenAnew(l apiLink) string {
	if l.Host == "" || l.Host == hostname() {
		return "run hermes plugin install"
	}
	return "run hermes link add " + linkNameFor(l.Host) + " here, and hermes plugin install with --token-file on " + l.Host
}
