//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/e2e/lab"
)

// TestTry_Demo runs hermes try with each OpenCode as the one on PATH, and answers
// its question on the page's phone.
func TestTry_Demo(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		v := visit(t, startDemo(t, hermesProgram(t), lab.Binary(t, version)))
		q := database("Which database does the demo need?")
		v.do(map[string]any{"do": "prompt", "text": call(q)})
		v.until("the question on the phone", func(s tryState) bool { return v.newest(s).has("❓", q.Question) })
		m := v.newest(v.now)
		v.do(map[string]any{
			"do": "tap", "person": v.now.People[0].ID, "message": m.ID, "label": m.Keys[1][0].Label, "data": m.Keys[1][0].Data,
		})
		v.until("what the agent received", func(s tryState) bool {
			return len(s.Asks) == 1 && s.Asks[0].State == "received" && s.Asks[0].Received == answered(q.Question, "PostgreSQL (Recommended)")
		})
		v.until("the end on the phone", func(s tryState) bool { return v.newest(s).has("✅", "→ PostgreSQL (Recommended)") })
	})
}

// startDemo runs hermes try until the test ends, which must leave nothing behind,
// and returns the page's address.
func startDemo(t *testing.T, bin, opencode string) string {
	t.Helper()
	tmp := t.TempDir()
	cmd := exec.Command(bin, "try", "--opencode-demo", "--no-browser")
	cmd.Env = []string{"HOME=" + tmp, "TMPDIR=" + tmp, "PATH=" + filepath.Dir(opencode) + ":" + os.Getenv("PATH")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address := strings.TrimSpace(lines.Text()); strings.HasPrefix(address, "http://") {
			t.Cleanup(func() { endDemo(t, cmd, tmp) })
			return address
		}
	}
	_ = cmd.Wait()
	t.Fatalf("hermes try printed no address: %s", errs.String())
	return ""
}

func endDemo(t *testing.T, cmd *exec.Cmd, tmp string) {
	_ = cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err != nil {
		t.Errorf("hermes try ends with %v", err)
	}
	left, err := os.ReadDir(tmp)
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

// tryState is what this test reads of the page's state.
type tryState struct {
	People []struct {
		ID       int64        `json:"id"`
		Messages []tryMessage `json:"messages"`
	} `json:"people"`
	Asks []struct {
		State    string `json:"state"`
		Received string `json:"received"`
	} `json:"asks"`
}

type tryMessage struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Keys [][]struct {
		Label string `json:"label"`
		Data  string `json:"data"`
	} `json:"keys"`
}

func (m tryMessage) has(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(m.Text, text) })
}

// visitor is a browser on the page of hermes try.
type visitor struct {
	t      *testing.T
	root   string
	client *http.Client
	states *bufio.Scanner
	now    tryState
}

func visit(t *testing.T, address string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{t: t, root: strings.Split(address, "/?")[0], client: &http.Client{Jar: jar}}
	res, err := v.client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res, err = v.client.Get(v.root + "/state"); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("no state: %v, %v", res, err)
	}
	t.Cleanup(func() { res.Body.Close() })
	v.states = bufio.NewScanner(res.Body)
	v.states.Buffer(nil, 8<<20)
	return v
}

func (v *visitor) newest(s tryState) tryMessage {
	if len(s.People) == 0 || len(s.People[0].Messages) == 0 {
		return tryMessage{}
	}
	return s.People[0].Messages[len(s.People[0].Messages)-1]
}

func (v *visitor) do(action map[string]any) {
	v.t.Helper()
	body, err := json.Marshal(action)
	if err != nil {
		v.t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, v.root+"/do", bytes.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", v.root)
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode >= 300 {
		v.t.Fatalf("%s is refused: %d", body, res.StatusCode)
	}
}

// until follows the page until it is as wanted.
func (v *visitor) until(what string, cond func(tryState) bool) {
	v.t.Helper()
	late := time.AfterFunc(patience, v.client.CloseIdleConnections)
	defer late.Stop()
	for end := time.Now().Add(patience); !cond(v.now); {
		if time.Now().After(end) || !v.states.Scan() {
			v.t.Fatalf("not within %v: %s; the page has %+v", patience, what, v.now)
		}
		if data, ok := strings.CutPrefix(v.states.Text(), "data: "); ok {
			v.now = tryState{}
			if err := json.Unmarshal([]byte(data), &v.now); err != nil {
				v.t.Fatal(err)
			}
		}
	}
}
