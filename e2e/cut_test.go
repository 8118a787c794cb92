//go:build e2e

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"hermes/e2e/lab"
)

// otherNamespace is set for the process that plays TestCut in a network namespace of its own: the name of the one beside it.
const otherNamespace = "HERMES_TEST_NAMESPACE"

// TestCut plays questions over a link whose way is cut without a word. OpenCode and hermes are in one network namespace, nginx between
// them is in another: one pair of interfaces is the plugin's side of the way, the other is hermes'. Nothing leaves the two.
func TestCut(t *testing.T) {
	if other := os.Getenv(otherNamespace); other != "" {
		playCuts(t, other)
		return
	}
	t.Parallel()
	program := nginx().program
	for _, name := range []string{program, "ip"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed; .ci/run installs it on Debian", name)
		}
	}
	near, far := fmt.Sprintf("hermes-near-%d", os.Getpid()), fmt.Sprintf("hermes-far-%d", os.Getpid())
	for _, name := range []string{near, far} {
		if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
			t.Skipf("network namespaces are not permitted here: %v %s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", name).Run() })
	}
	for _, line := range []string{
		"-n NEAR link set lo up", "-n FAR link set lo up",
		"-n NEAR link add plugin type veth peer name plugin netns FAR", "-n NEAR link add hermes type veth peer name hermes netns FAR",
		"-n NEAR addr add 10.77.0.1/24 dev plugin", "-n FAR addr add 10.77.0.2/24 dev plugin",
		"-n NEAR addr add 10.78.0.1/24 dev hermes", "-n FAR addr add 10.78.0.2/24 dev hermes",
		"-n NEAR link set plugin up", "-n FAR link set plugin up", "-n NEAR link set hermes up", "-n FAR link set hermes up",
	} {
		ip(t, strings.NewReplacer("NEAR", near, "FAR", far).Replace(line))
	}
	cmd := exec.Command("ip", "netns", "exec", near, os.Args[0], "-test.run=^TestCut$", "-test.v")
	cmd.Env = append(os.Environ(), otherNamespace+"="+far)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestCut") {
		t.Errorf("%v\n%s", err, out)
	}
}

func ip(t testing.TB, line string) {
	t.Helper()
	if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v\n%s", line, err, out)
	}
}

func playCuts(t *testing.T, other string) {
	p := newPhone(t)
	h := newHermes(t, p.url)
	_, port, _ := strings.Cut(lab.FreeAddress(t), ":")
	h.listen = "10.78.0.1:" + port
	h.env["HERMES_LISTEN"], h.env["HERMES_BEHIND_PROXY"] = h.listen, "true"
	kind := nginx()
	path, err := exec.LookPath(kind.program)
	if err != nil {
		t.Fatal(err)
	}
	x := newProxyAt(t, kind, path, h.listen, "10.77.0.2:"+port)
	x.namespace = other
	x.start()
	_, files := linkBy(t, h, x.url())
	d := &desk{t: t, entry: entry{newest, linkedServe}, phone: p, hermes: h}
	d.here = openWindowWith(t, d.entry, "shop-api", files, "NODE_EXTRA_CA_CERTS="+x.cert)
	d.windows = []*window{d.here}
	p.say("/start", 0)
	var scenes []scene
	for _, side := range []string{"plugin", "hermes", "plugin hermes"} {
		scenes = append(scenes,
			scene{"asked during a cut: " + side, func(d *desk) { askedInCut(d, other, side) }, quick},
			scene{"tapped during a cut: " + side, func(d *desk) { tappedInCut(d, other, side) }, quick})
	}
	d.playAll(t, scenes)
}

// cut takes interfaces of the far side down, or up: whoever sends there gets no answer.
func cut(d *desk, other, sides, state string) {
	d.t.Helper()
	for _, side := range strings.Fields(sides) {
		ip(d.t, "-n "+other+" link set "+side+" "+state)
	}
}

func askedInCut(d *desk, other, sides string) {
	cut(d, other, sides, "down")
	q := database("Which database is asked while cut at " + sides + "?")
	d.here.ask("asked in a cut", call(q))
	d.here.awaitAsked(q)
	cut(d, other, sides, "up")
	card := d.phone.card(q)
	d.phone.tap(card, "1.")
	d.answeredOnce(q, card, "SQLite")
}

func tappedInCut(d *desk, other, sides string) {
	q := database("Which database is tapped while cut at " + sides + "?")
	d.here.ask("tapped in a cut", call(q))
	card := d.phone.card(q)
	cut(d, other, sides, "down")
	d.phone.tap(card, "2.")
	d.phone.reads(card, "sending…")
	cut(d, other, sides, "up")
	d.answeredOnce(q, card, "PostgreSQL (Recommended)")
}
