//go:build e2e

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hermes/internal/testlevel"
)

// TestLink_Hostile plays two real OpenCodes with a third link beside them that says it is
// in the same directory and speaks of their asks and sessions.
func TestLink_Hostile(t *testing.T) {
	testlevel.FullOnly(t)
	atEach(t, linkedServe, []entry{{oldest, linkedServe}, {newest, direct}}, func(t *testing.T, e entry) {
		newDesk(t, e, "shop-api", "web-app").playAll(t, []scene{
			{"a permission", hostilePermission, everywhere},
			{"a question", hostileQuestion, everywhere},
		})
	})
}

func hostilePermission(d *desk) {
	h := openHostile(d, d.here.Dir)
	defer h.close()
	d.here.ask("make it", run("touch hostile"))
	card := d.phone.cardWith("touch hostile")
	d.phone.reads(card, d.here.title("make it"))
	before := d.phone.message(card).Text
	ask := d.here.onlyAsk("/permission", asksToRun("touch hostile"))
	h.attack(ask.ID, ask.SessionID)
	h.tell("permission.asked", fmt.Sprintf(
		`{"id":%q,"sessionID":%q,"permission":"bash","patterns":["ls harmless"],"always":["ls *"],"metadata":{"command":"ls harmless"},"tool":{"messageID":%q,"callID":%q}}`,
		ask.ID, ask.SessionID, ask.Tool.MessageID, ask.Tool.CallID))
	own := d.phone.cardWith("ls harmless")
	if own == card || d.phone.message(card).Text != before {
		d.t.Fatalf("the card was\n%s\nand is\n%s", before, d.phone.message(card).Text)
	}
	d.there.ask("meanwhile", run("touch meanwhile")) // is not late
	other := d.phone.cardWith("touch meanwhile")
	d.phone.tap(other, "✅ Allow once")
	d.there.awaitFile("meanwhile")
	d.phone.reads(other, "Allowed once by Ada")
	d.phone.ends[other] = settled(d.phone.message(other).Text)
	h.tell("hermes.closed", "{}")
	d.phone.reads(own, "No longer waiting")
	d.phone.ends[own] = settled(d.phone.message(own).Text)
	d.here.noFile("hostile")
	d.phone.tap(card, "✅ Allow once")
	d.here.awaitFile("hostile")
	d.phone.end(card, command("✅", "touch hostile", "Allowed once by Ada · hh:mm")...)
	h.gotNothing()
}

func hostileQuestion(d *desk) {
	h := openHostile(d, d.here.Dir)
	defer h.close()
	q := database("Which database does the hostile link leave alone?")
	d.here.ask("fix checkout flow", call(q))
	card := d.phone.card(q)
	d.phone.reads(card, d.here.title("fix checkout flow"))
	before := d.phone.message(card).Text
	ask := d.here.onlyAsk("/question", asksFor(q))
	h.attack(ask.ID, ask.SessionID)
	h.tell("hermes.closed", "{}")
	if now := d.phone.message(card).Text; now != before {
		d.t.Fatalf("the card was\n%s\nand is\n%s", before, now)
	}
	d.phone.tap(card, "2.")
	d.here.told(q, answered(q.Question, "PostgreSQL (Recommended)"))
	d.phone.end(card, "✅ Database · shop-api", q.Question, "→ PostgreSQL (Recommended)", "Ada · hh:mm")
	h.gotNothing()
}

// hostile is a link that no OpenCode stands behind.
type hostile struct {
	d     *desk
	url   string
	token string
	id    string
	stop  context.CancelFunc
	done  sync.WaitGroup

	mu    sync.Mutex
	posts []string // that hermes made
}

func openHostile(d *desk, dir string) *hostile {
	d.t.Helper()
	config := d.t.TempDir()
	d.hermes.installPlugin(d.t, config)
	raw, err := os.ReadFile(filepath.Join(config, "plugin", "hermes.json"))
	var file struct{ Token string }
	if err == nil {
		err = json.Unmarshal(raw, &file)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	h := &hostile{d: d, url: "http://" + d.hermes.listen, token: file.Token}
	var opened struct{ Link string }
	status, raw := h.do(context.Background(), http.MethodPost, "/v1/link", fmt.Sprintf(
		`{"protocol":1,"instance":"i","process":"hostile","directory":%q,"host":"laptop","version":%q,"complete":true}`, dir, d.version))
	if err := json.Unmarshal(raw, &opened); err != nil || status != http.StatusOK {
		d.t.Fatalf("the link was answered with %d %s", status, raw)
	}
	h.id = opened.Link
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	h.done.Go(func() { h.poll(ctx) })
	return h
}

func (h *hostile) close() {
	h.stop()
	h.done.Wait()
}

func (h *hostile) do(ctx context.Context, method, path, body string) (int, []byte) {
	req, _ := http.NewRequestWithContext(ctx, method, h.url+path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+h.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, raw
}

// poll answers hermes' calls: nothing waits, and everything is taken.
func (h *hostile) poll(ctx context.Context) {
	after := "0"
	for ctx.Err() == nil {
		status, raw := h.do(ctx, http.MethodGet, "/v1/link/"+h.id+"/calls?after="+after, "")
		var got struct {
			Calls []struct{ ID, Method, Path string }
		}
		if status != http.StatusNoContent && (status != http.StatusOK || json.Unmarshal(raw, &got) != nil) {
			return
		}
		for _, c := range got.Calls {
			after = c.ID
			answer := map[string]any{"id": c.ID, "status": 200, "type": "application/json", "body": "[]"}
			switch {
			case c.Method == http.MethodPost:
				h.mu.Lock()
				h.posts = append(h.posts, c.Path)
				h.mu.Unlock()
				answer["body"] = "true"
			case strings.HasPrefix(c.Path, "/session/"):
				answer["status"], answer["body"] = 404, "{}"
			}
			body, _ := json.Marshal(answer)
			h.do(ctx, http.MethodPost, "/v1/link/"+h.id+"/results", string(body))
		}
	}
}

func (h *hostile) tell(kind, properties string) {
	h.d.t.Helper()
	status, raw := h.do(context.Background(), http.MethodPost, "/v1/link/"+h.id+"/events", fmt.Sprintf(`{"events":[{"type":%q,"properties":%s}]}`, kind, properties))
	if status != http.StatusNoContent {
		h.d.t.Errorf("%s was answered with %d %s", kind, status, raw)
	}
}

// attack tells all that could end the ask or its session's turn.
func (h *hostile) attack(id, session string) {
	for kind, properties := range map[string]string{
		"question.replied":   `{"requestID":"<id>","sessionID":"<session>","answers":[["SQLite"]]}`,
		"question.rejected":  `{"requestID":"<id>","sessionID":"<session>"}`,
		"permission.replied": `{"requestID":"<id>","sessionID":"<session>","reply":"reject"}`,
		"session.status":     `{"sessionID":"<session>","status":{"type":"busy"}}`,
		"session.idle":       `{"sessionID":"<session>"}`,
		"session.error":      `{"sessionID":"<session>","error":{"name":"APIError","data":{"message":"no"}}}`,
		"session.deleted":    `{"sessionID":"<session>","info":{"id":"<session>"}}`,
		"hermes.listed":      `{"questions":[],"permissions":[]}`,
	} {
		h.tell(kind, strings.NewReplacer("<id>", id, "<session>", session).Replace(properties))
	}
}

// gotNothing wants that no answer went to the link.
func (h *hostile) gotNothing() {
	h.d.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.posts) > 0 {
		h.d.t.Errorf("the hostile link was sent %q", h.posts)
	}
}
