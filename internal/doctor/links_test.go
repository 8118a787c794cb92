package doctor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/simulate/rig"
	"hermes/opencode/plugin"
)

// linkUp opens a link as the plugin of an OpenCode would, or tries to.
func (c *doctorRig) linkUp(directory, host string, protocol int, versions ...string) {
	c.T.Helper()
	good := []string{"1.18.33", plugin.Version()}
	versions = append(versions, good[len(versions):]...) // of OpenCode, of the plugin
	hello, err := json.Marshal(map[string]any{
		"protocol": protocol, "instance": directory, "process": directory, "directory": directory, "host": host,
		"version": versions[0], "plugin": versions[1],
	})
	if err != nil {
		c.T.Fatal(err)
	}
	want := http.StatusOK
	if protocol != 1 {
		want = http.StatusUpgradeRequired
	}
	if code, text := c.Request("POST", "/v1/link", string(hello), "Authorization", "Bearer "+c.linkToken); code != want {
		c.T.Fatalf("the link was answered with %d %s", code, text)
	}
}

// linkService opens a link as hermes link run would, or tries to.
func (c *doctorRig) linkService(protocol int) {
	c.T.Helper()
	hello := fmt.Sprintf(`{"kind":"service","protocol":%d,"instance":"relay","process":"service-1","pid":7,"host":"laptop","version":"2.0.18","plugin":"v1.2.3"}`, protocol)
	want := http.StatusOK
	if protocol != 2 {
		want = http.StatusUpgradeRequired
	}
	if code, text := c.Request("POST", "/v1/link", hello, "Authorization", "Bearer "+c.linkToken); code != want {
		c.T.Fatalf("the link was answered with %d %s", code, text)
	}
}

func TestDoctor_CountsLinks(t *testing.T) {
	for _, test := range []struct {
		status api.Status
		grade  grade
		detail string
	}{
		{api.Status{LinksMax: 3072}, gradeFail, "no OpenCode is connected now"},
		{api.Status{Links: 2, LinksMax: 3072}, gradeOK, "2 of at most 3072 open now"},
		{api.Status{Links: 2}, gradeOK, "2 open now"},
		{api.Status{Links: 2, LinksMax: 3, Servers: []string{"a", "b"}, Answer: 1}, gradeOK, "2 of at most 3 open now, and 1 of 2 servers connected"},
		{api.Status{Links: 3, LinksMax: 3}, gradeWarn, "3 open now, and hermes takes no more"},
	} {
		if got := judgeLinks(test.status); got.Status != test.grade || got.Detail != test.detail {
			t.Errorf("%d of %d: %+v", test.status.Links, test.status.LinksMax, got)
		}
	}
	playDoctor(t, false, func(c *doctorRig) {
		c.linkUp("/src/shop", "laptop", 1)
		c.finds("links", gradeOK, "1 of at most ", "")
	})
}

func TestDoctor_LooksAtEachLink(t *testing.T) {
	own := plugin.Version()
	for _, test := range []struct {
		title          string
		link           func(*doctorRig)
		status         grade
		detail, remedy string
	}{
		{
			"a good one", func(c *doctorRig) { c.linkUp("/src/shop", "laptop", 1) },
			gradeOK, "/src/shop on laptop, OpenCode 1.18.33, plugin " + own + ", link laptop", "",
		},
		{
			"a process beside the service of OpenCode 2", func(c *doctorRig) { c.linkService(2) },
			gradeOK, "OpenCode 2.0.18 on laptop, by hermes link run (v1.2.3), link laptop", "",
		},
		{
			"such a process of another version", func(c *doctorRig) { c.linkService(3) },
			gradeWarn, "the OpenCode 2.0.18 of laptop cannot be linked", "update the older one of the two",
		},
		{
			"one with the API's token", func(c *doctorRig) { c.linkToken = rig.HookKey; c.linkUp("/src/shop", "laptop", 1) },
			gradeWarn, "/src/shop on laptop, OpenCode 1.18.33 has the token of hermes' API", "run hermes link add laptop here, and hermes plugin install with --token-file on laptop",
		},
		{
			"one here with the API's token", func(c *doctorRig) { c.linkToken = rig.HookKey; c.linkUp("/src/shop", apiclient.Hostname(), 1) },
			gradeWarn, "has the token of hermes' API", "run hermes plugin install",
		},
		{
			"an old plugin", func(c *doctorRig) { c.linkUp("/src/shop", "laptop", 1, "1.18.33", "0.9.0") },
			gradeWarn, "/src/shop on laptop, OpenCode 1.18.33 runs plugin 0.9.0, and hermes has " + own,
			"run hermes plugin install on laptop, and restart that OpenCode",
		},
		{
			"an old plugin here", func(c *doctorRig) { c.linkUp("/src/shop", apiclient.Hostname(), 1, "1.18.33", "0.9.0") },
			gradeWarn, "runs plugin 0.9.0", "run hermes plugin install, and restart that OpenCode",
		},
		{
			"another protocol", func(c *doctorRig) { c.linkUp("/src/shop", "laptop", 99) },
			gradeWarn, "/src/shop on laptop, OpenCode 1.18.33 cannot ask: its plugin speaks link protocol 99, and hermes 1",
			"update hermes here: that plugin is newer",
		},
		{
			"an older protocol", func(c *doctorRig) { c.linkUp("/src/shop", "laptop", 0) },
			gradeWarn, "/src/shop on laptop, OpenCode 1.18.33 cannot ask: its plugin speaks link protocol 0, and hermes 1",
			"run hermes plugin install on laptop, and restart that OpenCode",
		},
		{
			"an OpenCode that nobody has tested", func(c *doctorRig) { c.linkUp("/src/shop", "laptop", 1, "1.19.0") },
			gradeWarn, "OpenCode 1.19.0, which is newer than all of 1.x that hermes is tested with, 1.1.53 to 1.18 and 2.0", "a version in that range",
		},
		{
			"the second of two", func(c *doctorRig) {
				c.linkUp("/src/shop", "laptop", 1)
				c.linkUp("/src/web", "laptop", 1, "1.18.33", "0.9.0")
			},
			gradeWarn, "/src/web on laptop", "hermes plugin install",
		},
	} {
		t.Run(test.title, func(t *testing.T) {
			playDoctor(t, false, func(c *doctorRig) {
				test.link(c)
				c.finds("link", test.status, test.detail, test.remedy)
			})
		})
	}
}
