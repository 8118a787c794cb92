package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hermes/internal/page"
	"hermes/internal/question"
	"hermes/internal/simulate/opencodesim/model"
)

// scriptedOpenCode is a real OpenCode with a home of its own and a scripted model. Its agent
// does what a prompt in the script language of package model says.
type scriptedOpenCode struct {
	ledger  *snapshot
	model   *model.Model
	models  *http.Server
	process *openCode
	client  *http.Client
}

// withDemo finds OpenCode, starts it and makes hermes follow it.
func (t *instance) withDemo(ctx context.Context, out io.Writer, dir string) error {
	binary, err := exec.LookPath("opencode")
	if err != nil {
		return errors.New("--opencode-demo: there is no opencode on PATH; install it (https://opencode.ai), or leave the flag out: the scripted agent needs none")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("the scripted model has no port to listen on: %w", err)
	}
	d := &scriptedOpenCode{ledger: t.ledger, model: model.New(), client: &http.Client{Timeout: 20 * time.Second}}
	d.models = &http.Server{Handler: d.model}
	go func() { _ = d.models.Serve(l) }() // until close
	fmt.Fprintf(out, terminal(t.language()).opencode+"\n", binary)
	if d.process, err = newOpenCode(binary, filepath.Join(dir, "opencode"), "http://"+l.Addr().String()+"/v1"); err == nil {
		err = d.process.start(ctx)
	}
	if err != nil {
		d.close()
		return err
	}
	t.agent, t.steps, t.prompt, t.title = d, allSteps(questionSteps), d.promptNewSession, "A real OpenCode with a scripted model"
	t.toAgent = newCutTransport(&http.Transport{MaxIdleConnsPerHost: 4})
	t.hermes.opencode = t.toAgent
	t.hermes.config.OpenCodeURLs = []string{d.process.url}
	return nil
}

func (d *scriptedOpenCode) advice() []page.Line { return nil }

func (d *scriptedOpenCode) close() {
	if d.process != nil {
		d.process.kill()
	}
	_ = d.models.Close()
}

// restart ends the process as kill -9 does and starts it on the same data.
func (d *scriptedOpenCode) restart() error {
	d.process.kill()
	d.client.CloseIdleConnections()
	return d.process.start(context.Background())
}

func (d *scriptedOpenCode) ask(step tourStep) error {
	script, err := json.Marshal(map[string]any{"questions": step.questions})
	if err != nil {
		return err
	}
	text := "CALL question " + string(script)
	if step.subagent {
		text = "TASK " + model.Agent + " " + text
	}
	return d.newSession(step.session, text)
}

// promptNewSession gives the text to a new session. What is no script is answered by the
// model with its own words.
func (d *scriptedOpenCode) promptNewSession(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("the prompt is empty")
	}
	return d.newSession("", text)
}

func (d *scriptedOpenCode) newSession(title, text string) error {
	var session struct {
		ID string `json:"id"`
	}
	body := map[string]any{}
	if title != "" {
		body["title"] = title
	}
	if err := d.post("/session", body, &session); err != nil {
		return err
	}
	prompt := map[string]any{"parts": []map[string]string{{"type": "text", "text": text}}}
	return d.post("/session/"+url.PathEscape(session.ID)+"/prompt_async", prompt, nil)
}

// answerInTerminal speaks with OpenCode as its own screen does.
func (d *scriptedOpenCode) answerInTerminal(id string, dismiss bool) error {
	for _, t := range d.ledger.threads() {
		if string(t.Request.ID) != id || t.Settled() {
			continue
		}
		path := "/question/" + url.PathEscape(id)
		if dismiss {
			return d.post(path+"/reject", map[string]any{}, nil)
		}
		answers := question.Answers{}
		for _, item := range t.Request.Items {
			answer := "typed at the terminal"
			if len(item.Options) > 0 {
				answer = item.Options[0].Label
			}
			answers = append(answers, []string{answer})
		}
		return d.post(path+"/reply", map[string]any{"answers": answers}, nil)
	}
	return errors.New("the agent does not wait for that any more")
}

func (d *scriptedOpenCode) post(path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	res, err := d.client.Post(d.process.url+path+"?directory="+url.QueryEscape(d.process.dir), "application/json", bytes.NewReader(raw))
	if err != nil {
		return errors.New("OpenCode does not answer; is it being restarted?")
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("OpenCode refused it with status %d", res.StatusCode)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(into)
}

func (d *scriptedOpenCode) openAsks() []page.Ask {
	results := map[question.CallID]string{}
	for _, r := range d.model.Results() {
		results[question.CallID(r.CallID)] = r.Text
	}
	threads, told := d.ledger.threads(), map[question.RequestID]string{}
	for _, t := range threads {
		told[t.Request.ID] = results[t.Request.Call]
	}
	asks := threadAsks(threads, told)
	for i := range asks {
		asks[i].Terminal = asks[i].State == askWaiting
	}
	return asks
}
