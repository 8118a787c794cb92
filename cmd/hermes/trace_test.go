package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"hermes/internal/apiclient"
	opencode "hermes/internal/simulate/opencodesim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

func newTracer(r *rig.Rig, out *testenv.LockedBuffer) tracer {
	c := r.Config
	c.HookToken = rig.HookKey
	return tracer{hermes: apiclient.New(c, rig.RoundTripper(r.RoundTrip)), out: out, notice: out, lines: 20}
}

func TestTrace(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		q := rig.DatabaseQuestion()
		q.Question = "Which database?\x1b[2J\u202e\n12:00:00  answered"
		r.Ask(q)
		id := string(r.OpenQuestion().ID)
		r.Tap("2.")
		r.Wait(time.Minute)
		path := r.Submit(rig.AskDeploy)
		asked := string(r.OpenQuestion().ID)
		r.Request("DELETE", path, "")
		r.Wait(time.Minute)
		var out testenv.LockedBuffer
		tr := newTracer(r, &out)
		if err := tr.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"asked      " + id + `  shop-api      Database: Which database?\x1b[2J\u202e 12:00:00 answered`,
			"answered   " + id + "  shop-api      PostgreSQL (Recommended) · Ada",
			"confirmed  " + id + "  shop-api      PostgreSQL (Recommended) · Ada",
			"asked      " + asked + "  -             Deploy: Deploy to production?",
			"answered   " + asked + "  -             dismissed · API",
			"confirmed  " + asked + "  -             dismissed · API",
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for i, line := range lines {
			if len(lines) != len(want) || line[10:] != want[i] {
				t.Fatalf("it prints\n%swant\n%s", out.String(), strings.Join(want, "\n"))
			}
		}
		var two testenv.LockedBuffer
		tr = newTracer(r, &two)
		tr.lines, tr.width, tr.colours = 2, 40, true
		if err := tr.run(context.Background()); err != nil || !strings.HasPrefix(two.String(), "\x1b[32m00:0") || strings.Count(two.String(), "…\x1b[0m\n") != 2 {
			t.Errorf("two lines on a narrow terminal are %q, %v", two.String(), err)
		}
	})
}

func TestTrace_Follows(t *testing.T) {
	rig.Play(t, nil, func(r *rig.Rig) {
		r.Ask(rig.DatabaseQuestion())
		var out testenv.LockedBuffer
		tr := newTracer(r, &out)
		tr.follow, tr.lines = true, 0
		ctx, stop := context.WithCancel(context.Background())
		wait := r.Background(func() {
			if err := tr.run(ctx); err != nil {
				t.Error(err)
			}
		})
		r.Wait(time.Minute)
		if out.String() != "" {
			t.Errorf("before anything happens it prints %s", out.String())
		}
		r.Halt()
		r.Wait(time.Minute)
		r.Start()
		r.Wait(3 * time.Minute)
		r.Opencode.Ask(r.Opencode.Directory(), r.Opencode.NewSession(r.Opencode.Directory(), "x"), opencode.Question{Question: "Go on?"})
		r.Wait(time.Second)
		if !strings.HasSuffix(out.String(), "Go on?\n") {
			t.Errorf("a second after it was asked it prints %s", out.String())
		}
		r.Wait(40 * time.Minute)
		stop()
		wait()
		for _, want := range []string{"hermes does not answer", " asked ", " expired "} {
			if n := strings.Count(out.String(), want); n != 1 && want != " expired " || n == 0 {
				t.Errorf("%q is there %d times:\n%s", want, n, out.String())
			}
		}
	})
}
