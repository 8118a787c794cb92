package doctor

import (
	"cmp"
	"context"
	"fmt"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/opencode/release"
)

// checkLinks looks for an OpenCode that could ask now.
func (h *hermesProbe) checkLinks(context.Context) result {
	reply := h.status()
	if !reply.known {
		return skip("only a running hermes knows them")
	}
	return judgeLinks(reply.status)
}

// judgeLinks says how many links are open of those that may be, and whether the servers are connected.
func judgeLinks(s api.Status) result {
	switch {
	case s.Links+s.Answer == 0:
		return gradeWarn.because("no OpenCode is connected now", "start OpenCode; one that ran before the plugin was installed must be restarted")
	case s.LinksMax > 0 && s.Links >= s.LinksMax:
		return gradeWarn.because(fmt.Sprintf("%d open now, and hermes takes no more", s.Links), "let hermes have more descriptors (ulimit -n, LimitNOFILE=), or close an OpenCode")
	}
	open := fmt.Sprintf("%d open now", s.Links)
	if s.LinksMax > 0 { // an older hermes does not tell it
		open = fmt.Sprintf("%d of at most %d open now", s.Links, s.LinksMax)
	}
	servers := len(s.Servers)
	if s.Service {
		servers++
	}
	if servers == 0 {
		return pass("%s", open)
	}
	return pass("%s, and %d of %d servers connected", open, s.Answer, servers)
}

// checkEachLink looks at every OpenCode that is linked, and at those that would be if
// their plugin spoke hermes' protocol.
func (h *hermesProbe) checkEachLink(context.Context) []result {
	s := h.status().status
	var list []result
	for _, l := range s.Open {
		list = append(list, judgeLink(s, l))
	}
	for _, l := range s.Refused {
		if l.By == api.LinkedByProcess {
			list = append(list, gradeWarn.because(processInWords(l)+" cannot be linked: hermes there and this one are of versions that do not fit", "update the older one of the two"))
			continue
		}
		list = append(list, gradeWarn.because(fmt.Sprintf("%s cannot ask: its plugin speaks link protocol %d, and hermes %d", linkInWords(l), l.Protocol, s.Protocol), protocolRemedy(s, l)))
	}
	return list
}

func judgeLink(s api.Status, l api.Link) result {
	switch {
	case l.By == api.LinkedByProcess:
		return pass("OpenCode %s on %s, by hermes link run (%s), link %s", l.OpenCode, l.Host, cmp.Or(l.Plugin, "of no version"), l.Link)
	case l.Link == "":
		return gradeWarn.because(linkInWords(l)+" has the token of hermes' API: whatever reads its file, an agent too, can do far more than the plugin needs",
			tokenRemedy(l))
	case l.Plugin != s.Plugin:
		return gradeWarn.because(fmt.Sprintf("%s runs plugin %s, and hermes has %s", linkInWords(l), cmp.Or(l.Plugin, "of no version"), s.Plugin), reinstallRemedy(l))
	case l.OpenCode != "" && !release.Tested(l.OpenCode):
		return gradeWarn.because(linkInWords(l)+", which "+release.Outside(l.OpenCode), outsideRemedy)
	}
	return pass("%s, plugin %s, link %s", linkInWords(l), l.Plugin, l.Link)
}

// outsideRemedy is the remedy for a version that is not tested.
const outsideRemedy = "use a version in that range, or try a question and see"

// processInWords is a link of hermes link run in words.
func processInWords(l api.Link) string {
	return fmt.Sprintf("the OpenCode %s of %s", cmp.Or(l.OpenCode, "2"), cmp.Or(l.Host, "a host that is not known"))
}

// linkInWords is the link in words.
func linkInWords(l api.Link) string {
	return fmt.Sprintf("%s on %s, OpenCode %s", cmp.Or(l.Directory, "a directory that is not known"),
		cmp.Or(l.Host, "a host that is not known"), cmp.Or(l.OpenCode, "of a version that is not known"))
}

// protocolRemedy is the remedy for a plugin of another protocol: the older side is to be updated.
func protocolRemedy(s api.Status, l api.Link) string {
	if l.Protocol > s.Protocol {
		return "update hermes here: that plugin is newer"
	}
	return reinstallRemedy(l)
}

// reinstallRemedy is the remedy for the plugin of a link, which may be another machine's.
func reinstallRemedy(l api.Link) string {
	if l.Host == "" || l.Host == apiclient.Hostname() {
		return "run hermes plugin install, and restart that OpenCode"
	}
	return "run hermes plugin install on " + l.Host + ", and restart that OpenCode"
}

// tokenRemedy is the remedy for a link that has the API's token.
func tokenRemedy(l api.Link) string {
	if l.Host == "" || l.Host == apiclient.Hostname() {
		return "run hermes plugin install"
	}
	return "run hermes link add " + api.LinkNameFor(l.Host) + " here, and hermes plugin install with --token-file on " + l.Host
}
