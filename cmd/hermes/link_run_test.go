package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	opencode2 "hermes/internal/simulate/opencode2sim"
	"hermes/internal/simulate/rig"
	"hermes/internal/simulate/testenv"
)

// linkedService is an OpenCode 2 that listens on loopback, as on a machine where hermes does not run, with hermes' address and a
// token in the link file.
func (d *desk) linkedService() *opencode2.Simulator {
	d.t.Helper()
	d.runs = "link"
	token, code := d.flags("add", "laptop-7")
	if code != 0 {
		d.t.Fatalf("hermes link add: %s", token)
	}
	d.write(`{"url":"http://`+d.setting("HERMES_LISTEN")+`","token":"`+strings.TrimSpace(token)+`"}`, ".config", "opencode", "plugin", "hermes.json")
	server := httptest.NewUnstartedServer(nil)
	file := d.path(".local", "state", "opencode", "service.json")
	service := opencode2.New(opencode2.Options{
		URL: "http://" + server.Listener.Addr().String(), Password: servicePassword, Registration: file, PID: os.Getpid(),
	})
	server.Config.Handler = service
	server.Start()
	d.t.Cleanup(func() {
		service.Stop()
		server.CloseClientConnections()
		server.Close()
	})
	return service
}

// setting is what the environment of the desk's processes says last.
func (d *desk) setting(name string) (value string) {
	for _, entry := range d.env {
		if text, ok := strings.CutPrefix(entry, name+"="); ok {
			value = text
		}
	}
	return value
}

// startLink starts hermes link run as the process that it is.
func (d *desk) startLink(log *testenv.LockedBuffer) *exec.Cmd {
	d.t.Helper()
	cmd := d.command("run")
	cmd.Stderr, cmd.Stdout = log, log
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// serviceAsks has the agent of a service ask, and gives the call when the phone shows it.
func (d *desk) serviceAsks(s *opencode2.Simulator, q opencode2.Question) (call string) {
	d.t.Helper()
	_, call = s.Ask("/home/ada/src/shop-api", "", q)
	d.shows(q.Question)
	return call
}

// serviceReceives waits until the card says that the agent got the label, and looks whether it did.
func (d *desk) serviceReceives(s *opencode2.Simulator, call, label string) {
	d.t.Helper()
	d.shows("→ " + label + "\nAda")
	if got, ok := s.Received(call); !ok || len(got) != 1 || len(got[0]) != 1 || got[0][0] != label {
		d.t.Errorf("the agent received %q, %v", got, ok)
	}
}

// The real process, between a hermes and a service on sockets: it is killed while a question waits and started again, the service
// is restarted, and it ends when it is asked to. Neither secret is in its arguments or its log.
func TestLinkRun_Process(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.serve()
	service := d.linkedService()
	var log testenv.LockedBuffer
	first := d.startLink(&log)
	call := d.serviceAsks(service, rig.DatabaseQuestion())
	d.taps("Which database", "1.")
	d.serviceReceives(service, call, "SQLite")
	if list, code := d.flags("list"); code != 0 || !strings.Contains(list, opencode2.VersionRelease+" (process ") {
		t.Errorf("hermes link list ends with %d and says %s", code, list)
	}

	call = d.serviceAsks(service, rig.ColourQuestion())
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	second := d.startLink(&log)
	d.taps("colour", "1.")
	d.serviceReceives(service, call, "Red")

	service.Restart()
	call = d.serviceAsks(service, opencode2.Question{Question: "Which port?", Header: "Port", Options: rig.ColourQuestion().Options})
	d.taps("Which port?", "2.")
	d.serviceReceives(service, call, rig.ColourQuestion().Options[1].Label)

	if err := second.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := second.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	rig.NoCanary(t, "the log of hermes link run", log.String())
	for _, secret := range []string{"hermes_link_", servicePassword} {
		if strings.Contains(log.String(), secret) || strings.Contains(strings.Join(second.Args, " "), secret) {
			t.Error("a secret is shown")
		}
	}
	if !strings.Contains(log.String(), "the OpenCode service is linked") {
		t.Errorf("its log:\n%s", log.String())
	}
}

// What keeps it from beginning is a mistake of whoever started it.
func TestLinkRun_Mistakes(t *testing.T) {
	for name, c := range map[string]struct {
		env  []string
		says string
	}{
		"no link":    {nil, "it is not known where hermes is"},
		"no service": {[]string{"HERMES_OPENCODE_SERVICE=off"}, "HERMES_OPENCODE_SERVICE: leads to no service"},
		"no token":   {[]string{"HERMES_URL=http://127.0.0.1:4097", "HERMES_TOKEN=canary"}, "not the token of a link"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.runs, d.env = "link", append(d.env, c.env...)
			if text, code := d.flags("run"); code != exitUsage || !strings.Contains(text, c.says) {
				t.Errorf("it ends with %d and says %s", code, text)
			}
		})
	}
}

// What looks whose process listens at the service's port must be able to dial.
func TestLinkRun_DialsTheServiceAsHermesDoes(t *testing.T) {
	if serviceTransport().DialContext != nil {
		t.Error("it dials by itself")
	}
}

// servicePassword is that of a service of OpenCode 2. Nobody has configured it.
const servicePassword = "service-canary-0123456789abcdefghijklmnopqr"
