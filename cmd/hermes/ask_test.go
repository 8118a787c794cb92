package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"hermes/internal/api"
	"hermes/internal/apiclient"
	"hermes/internal/console"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
	"hermes/internal/storage"
)

// askRun is a hermes ask under way. When end has returned, out and code are its end.
type askRun struct {
	r    *rig.Rig
	out  bytes.Buffer
	said string
	code int
	stop context.CancelFunc
	end  func()
}

// askOnTerminal runs hermes ask beside the rig's daemon, and waits until the phone shows it.
func askOnTerminal(r *rig.Rig, args ...string) *askRun { return askThrough(r, r.RoundTrip, args...) }

func askThrough(r *rig.Rig, way rig.RoundTripper, args ...string) *askRun {
	r.T.Helper()
	body, asJSON, err := askBody("", args...)
	if err != nil {
		r.T.Fatal(err)
	}
	c := r.Config
	c.HookToken = rig.HookKey
	ctx, stop := context.WithCancel(context.Background())
	a := &askRun{r: r, stop: stop}
	a.end = r.Background(func() {
		once := askOnce{hermes: apiclient.New(c, way), out: &a.out, json: asJSON, shown: console.NewWaiting(io.Discard, os.Getenv)}
		if err := once.run(ctx, body); err != nil {
			a.said, a.code = err.Error(), exitCode(err, true)
		}
	})
	r.Wait(3 * time.Second)
	return a
}

// askBody is what a command line means.
func askBody(in string, args ...string) (body []byte, asJSON bool, err error) {
	var f askFlags
	cmd := &cobra.Command{RunE: func(cmd *cobra.Command, args []string) error {
		body, err = f.requestBody(cmd, args)
		return nil
	}}
	f.addTo(cmd)
	cmd.SetIn(strings.NewReader(in))
	cmd.SetArgs(append([]string{}, args...))
	return body, f.json, errors.Join(cmd.Execute(), err)
}

func (a *askRun) ended(code int, out, said string) {
	a.r.T.Helper()
	a.end()
	if a.code != code || a.out.String() != out || a.said != said {
		a.r.T.Errorf("it ended with %d, printed %q and said %q; want %d, %q and %q", a.code, a.out.String(), a.said, code, out, said)
	}
	rig.NoCanary(a.r.T, "hermes ask", a.out.String()+a.said)
}

func deployOrNot(more ...string) []string {
	return append([]string{"Deploy to production?", "--option", "yes=Yes, deploy", "--option", "no=No"}, more...)
}

func TestAsk(t *testing.T) {
	for name, test := range map[string]struct {
		args      []string
		do        func(*rig.Rig, *askRun)
		code      int
		out, said string
	}{
		"answered":  {deployOrNot(), func(r *rig.Rig, _ *askRun) { r.Tap("1.") }, 0, "yes\n", ""},
		"several":   {deployOrNot("--multiple", "--text"), func(r *rig.Rig, _ *askRun) { r.Say("1, 2", r.Last().ID) }, 0, "yes\nno\n", ""},
		"typed":     {[]string{"What now?"}, func(r *rig.Rig, _ *askRun) { r.Say("Wait.\nThen go.", r.Last().ID) }, 0, "Wait.\nThen go.\n", ""},
		"cancelled": {deployOrNot("--option", "cancel=Stop the release"), func(r *rig.Rig, _ *askRun) { r.Tap("3.") }, exitCancelled, "", "cancelled: answer: cancel"},
		"dismissed": {deployOrNot(), func(r *rig.Rig, _ *askRun) { r.Dismiss() }, exitCancelled, "", "dismissed by Ada"},
		"expired":   {deployOrNot("--ttl", "5m"), func(r *rig.Rig, _ *askRun) { r.Wait(6 * time.Minute) }, exitExpired, "", "nobody answered in time"},
		"default":   {deployOrNot("--ttl", "5m", "--default", "no"), func(r *rig.Rig, _ *askRun) { r.Wait(6 * time.Minute) }, 0, "no\n", ""},
		"as JSON":   {deployOrNot("--json", "--ttl", "10s"), func(r *rig.Rig, _ *askRun) { r.Wait(20 * time.Second) }, exitExpired, `{"status":"aborted","answers":[],"aborted_by":{"kind":"deadline"}}` + "\n", "nobody answered in time"},
		"withdrawn": {deployOrNot(), func(r *rig.Rig, a *askRun) { a.stop() }, exitCancelled, "", "withdrawn"},
		"answered just before it was withdrawn": {deployOrNot(), func(r *rig.Rig, a *askRun) {
			if _, err := r.Telegram.Tap(rig.Ada, rig.Ada, r.Last().ID, "1."); err != nil {
				t.Error(err)
			}
			r.Wait(0)
			a.stop()
		}, 0, "yes\n", ""},
		"over the API": {deployOrNot(), func(r *rig.Rig, _ *askRun) { r.CallQuestion(r.OpenQuestion().ID, `{"reject":true}`) }, exitCancelled, "", "dismissed"},
	} {
		t.Run(name, func(t *testing.T) {
			rig.Play(t, nil, func(r *rig.Rig) {
				a := askOnTerminal(r, test.args...)
				test.do(r, a)
				a.ended(test.code, test.out, test.said)
				r.Wait(2 * time.Second)
				if name == "withdrawn" {
					r.WantScreen("🚫", "Withdrawn by the program that asked")
				}
			})
		})
	}
}

// A restart in the middle is waited out, and so is a hermes that is just starting.
func TestAsk_OutlivesRestarts(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		a := askOnTerminal(r, deployOrNot()...)
		r.Halt()
		r.Wait(time.Minute)
		r.Start()
		r.Wait(3 * time.Second)
		r.Tap("2.")
		a.ended(0, "no\n", "")
		if n := len(r.Journal(storage.EntryAsked)); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
	})
}

// A hermes that does not come back is given up, and says what is left.
func TestAsk_GivesUp(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		a := askOnTerminal(r, deployOrNot()...)
		r.Halt()
		r.Wait(6 * time.Minute)
		a.end()
		if a.code != exitFailure || !strings.Contains(a.said, "does not answer") || !strings.Contains(a.said, "; if the ask ask_") {
			t.Errorf("it ended with %d and %q", a.code, a.said)
		}
		r.Start()
	})
}

// An answer to the call that asks may be lost: the call is made again, and asks once.
func TestAsk_AsksOnce(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		lost := 0
		a := askThrough(r, func(req *http.Request) (*http.Response, error) {
			res, err := r.RoundTrip(req)
			if req.Method == http.MethodPost && lost < 2 && err == nil {
				lost++
				res.Body.Close()
				return nil, errors.New("connection reset")
			}
			return res, err
		}, deployOrNot()...)
		r.Tap("1.")
		a.ended(0, "yes\n", "")
		if n := len(r.Journal(storage.EntryAsked)); n != 1 || lost != 2 {
			t.Errorf("it was asked %d times, and %d answers were lost", n, lost)
		}
	})
}

func TestAsk_Body(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ask.json")
	if err := os.WriteFile(file, []byte(rig.AskDeploy), 0o600); err != nil {
		t.Fatal(err)
	}
	const single = `{"questions":[{"allow_multiple":false,"allow_text":true,"options":[],"question":"Why?","question_id":"answer"}]}`
	for _, test := range []struct {
		args string
		in   string
		want string
	}{
		{"Why?", "", single},
		{"Why? --text", "not read", single},
		{"--file " + file, "", rig.AskDeploy},
		{"--file -", rig.AskDeploy, rig.AskDeploy},
		{"", rig.AskDeploy, rig.AskDeploy},
		{"--json", rig.AskDeploy, rig.AskDeploy},
		{
			"Go? --option a=b=c --option skip --ttl 90s --on-timeout wait --chat 42 --chat -100/5 --key k", "",
			`{"chats":["42","-100/5"],"idempotency_key":"k","on_timeout":"wait","questions":[{"allow_multiple":false,"allow_text":false,` +
				`"options":[{"id":"a","label":"b=c"},{"id":"skip","label":"skip"}],"question":"Go?","question_id":"answer"}],"ttl":"90s"}`,
		},
		{
			"--permission edit --pattern a --pattern b --directory /x --ttl 5m", "not read",
			`{"directory":"/x","permission":{"kind":"edit","patterns":["a","b"]},"ttl":"5m"}`,
		},
		{"Why? --directory /x", "", `{"directory":"/x",` + single[1:]},
	} {
		got, _, err := askBody(test.in, strings.Fields(test.args)...)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.args, got, err, test.want)
		}
	}
}

func TestAsk_Usage(t *testing.T) {
	for _, test := range []struct{ args, in, want string }{
		{"Go? Now?", "", "accepts at most 1 arg(s), received 2"},
		{"Go? --option a --default b", "", "--default: must be the id of an --option"},
		{"Go? --ttl soon", "", "--ttl: must be a duration such as 5m or 30s; 0 waits for ever"},
		{"Go? --file -", rig.AskDeploy, "--file: goes without a question"},
		{"--file - --ttl 5m --text", rig.AskDeploy, "--text: belongs into the JSON"},
		{"--file /nonexistent/ask.json", "", "--file: cannot be read"},
		{"", "", `ask: there is no question: none on the command line, and standard input is empty; give one such as hermes ask "Deploy?" --option yes --option no`},
		{"--file -", "", "--file: there is nothing in it"},
		{"", "Deploy?", "ask: must be one JSON object"},
		{"Go? --permission bash --command ls", "", "--permission: goes without a question"},
		{"--permission bash --command ls --option once", "", "--option: does not go with --permission"},
		{"Go? --command ls", "", "--command and --pattern: go with --permission"},
		{"", strings.Repeat(" ", api.MaxAsk) + rig.AskDeploy, "larger than 1 MiB"},
	} {
		testenv.Isolate(t)
		var out, errs bytes.Buffer
		code := run(append([]string{"ask"}, strings.Fields(test.args)...), streams{in: strings.NewReader(test.in), out: &out, err: &errs})
		if code != exitUsage || !strings.Contains(errs.String(), test.want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %s%s", test.args, code, out.String(), errs.String())
		}
	}
}
