package doctor

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"hermes/internal/api"
	"hermes/internal/simulate/inprocess"
	"hermes/internal/simulate/opencode2sim"
	"hermes/opencode"
	"hermes/opencode/call"
	"hermes/opencode/plugin"
	"hermes/opencode/service"
)

// TestService_Check plays what can be found where the service of OpenCode 2 should be. No line may
// have its password.
func TestService_Check(t *testing.T) {
	const password = "canary-of-the-service"
	for _, c := range []struct {
		title  string
		spoil  func(t *testing.T, s *opencode2sim.Simulator, file string)
		status grade
		detail string
		remedy string
	}{
		{"it runs", func(*testing.T, *opencode2sim.Simulator, string) {}, gradeOK, "it takes the password", ""},
		{"it was stopped", func(_ *testing.T, s *opencode2sim.Simulator, _ string) { s.Stop() }, gradeSkip, "opencode service get password", ""},
		{"it was killed", func(_ *testing.T, s *opencode2sim.Simulator, _ string) { s.Kill() }, gradeSkip, "was left behind by a service that was killed", ""},
		{"its file can be read", func(t *testing.T, _ *opencode2sim.Simulator, file string) {
			if err := os.Chmod(file, 0o644); err != nil {
				t.Fatal(err)
			}
		}, gradeFail, "can be read or written by other users", "chmod 600"},
		{"its file is no good", rewritten("{"), gradeFail, "is not what OpenCode writes", "opencode service restart"},
		{"its file names another process", replaced(`"version":"`, `"version":"9`), gradeFail, "is not the process", "opencode service restart"},
		{"its file names another machine", replaced("127.0.0.1", "192.0.2.1"), gradeFail, "is not of this machine", "HERMES_OPENCODE_URLS"},
		{"its file has another password", replaced(password, "canary"), gradeFail, "refuses the password", "opencode service restart"},
		{"it starts", func(_ *testing.T, s *opencode2sim.Simulator, _ string) { s.FailBoot() }, gradeFail, "is starting, or cannot", "in a minute"},
		{"it does not answer", func(_ *testing.T, s *opencode2sim.Simulator, _ string) {
			s.SetFault(func(*http.Request) inprocess.Fault { return inprocess.FailBeforeEffect })
		}, gradeFail, "does not answer", "opencode service restart"},
		{"it is another program", func(_ *testing.T, s *opencode2sim.Simulator, _ string) {
			s.SetFault(func(*http.Request) inprocess.Fault { return inprocess.HTMLPage })
		}, gradeFail, "is not the OpenCode service", "opencode service restart"},
	} {
		t.Run(c.title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "service.json")
				s := opencode2sim.New(opencode2sim.Options{Password: password, Registration: file})
				defer s.Stop()
				running := func(pid int) bool { return s.Running() && pid == s.PID() }
				c.spoil(t, s, file)
				at := opencode.Service{File: service.File{Path: file, IsRunning: running}, Transport: s.Transport()}
				got := checkService(t.Context(), at)
				if got.Status != c.status || !strings.Contains(got.Detail, c.detail) || !strings.Contains(got.Remedy, c.remedy) || (got.Remedy == "") != (c.remedy == "") {
					t.Errorf("got %+v", got)
				}
				if strings.Contains(got.Detail+got.Remedy, "canary") {
					t.Errorf("it shows the password: %+v", got)
				}
			})
		})
	}
}

func rewritten(text string) func(*testing.T, *opencode2sim.Simulator, string) {
	return func(t *testing.T, _ *opencode2sim.Simulator, file string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func replaced(before, after string) func(*testing.T, *opencode2sim.Simulator, string) {
	return func(t *testing.T, s *opencode2sim.Simulator, file string) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rewritten(strings.Replace(string(raw), before, after, 1))(t, s, file)
	}
}

func TestService_IsSwitchedOff(t *testing.T) {
	if got := checkService(t.Context(), opencode.Service{}); got.Status != "" {
		t.Errorf("it says %+v", got)
	}
}

// Where somebody else listens, no password goes, and that is what is wrong.
func TestService_AnotherUserListens(t *testing.T) {
	taken := &service.Error{Path: "127.0.0.1:49374", Fault: service.Taken}
	got := serviceFault(service.Registration{}, &call.Error{Reason: call.Unreachable, Err: taken})
	if got.Status != gradeFail || !strings.Contains(got.Detail, "no process of this user does") {
		t.Errorf("got %+v", got)
	}
}

// A 2.x that hermes does not know is told of here as in the log, whichever way it is found.
func TestService_AnotherMinorVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "service.json")
		s := opencode2sim.New(opencode2sim.Options{Version: "2.1.0", Registration: file})
		defer s.Stop()
		at := opencode.Service{File: service.File{Path: file, IsRunning: func(int) bool { return s.Running() }}, Transport: s.Transport()}
		server := opencode.Server{URL: s.URL(), Username: "opencode", Password: "secret", Transport: s.Transport()}
		for _, got := range []result{checkService(t.Context(), at), checkServer(t.Context(), server)} {
			if got.Status != gradeWarn || !strings.Contains(got.Detail, "OpenCode 2.1.0, which is newer than all that hermes is tested with") {
				t.Errorf("got %+v", got)
			}
		}
	})
}

// Where OpenCode 2 runs, the plugin is not missed, and a server of OpenCode 2 is no stranger.
func TestService_NeedsNoPlugin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "service.json")
		s := opencode2sim.New(opencode2sim.Options{Registration: file})
		defer s.Stop()
		at := opencode.Service{File: service.File{Path: file, IsRunning: func(int) bool { return s.Running() }}, Transport: s.Transport()}
		d := &Doctor{service: at, opts: Options{Plugin: plugin.Options{ConfigDir: t.TempDir()}}, status: noStatus}
		if got := d.checkPlugin(t.Context()); got.Status != gradeOK || !strings.Contains(got.Detail, "OpenCode 2 needs none") {
			t.Errorf("got %+v", got)
		}
		server := opencode.Server{URL: s.URL(), Username: "opencode", Password: "secret", Transport: s.Transport()}
		if got := checkServer(t.Context(), server); got.Status != gradeOK || got.Detail != s.URL()+" is OpenCode "+s.Version() {
			t.Errorf("got %+v", got)
		}
		if list := checkServerAgents(t.Context(), server); list.Status != "" {
			t.Errorf("its agents: %+v", list)
		}
		s.Stop()
		if got := d.checkPlugin(t.Context()); got.Status != gradeFail {
			t.Errorf("without the service: %+v", got)
		}
	})
}

// Where the service was killed, or is on machines that are linked, the plugin is not missed either; it is where an OpenCode 1.x is linked too.
func TestService_NeedsNoPluginElsewhere(t *testing.T) {
	killed := filepath.Join(t.TempDir(), "service.json")
	s := opencode2sim.New(opencode2sim.Options{Registration: killed})
	s.Kill()
	process, extension := api.Link{By: api.LinkedByProcess}, api.Link{By: api.LinkedByPlugin}
	for name, c := range map[string]struct {
		file string
		open []api.Link
		want grade
	}{
		"killed":               {killed, nil, gradeOK},
		"linked":               {"", []api.Link{process}, gradeOK},
		"linked, with another": {"", []api.Link{process, extension}, gradeFail},
		"nothing":              {"", nil, gradeFail},
	} {
		d := &Doctor{
			service: opencode.Service{File: service.File{Path: c.file, IsRunning: func(int) bool { return false }}},
			status:  func() statusReply { return statusReply{known: true, status: api.Status{Open: c.open}} },
			opts:    Options{Plugin: plugin.Options{ConfigDir: t.TempDir()}},
		}
		if got := d.checkPlugin(t.Context()); got.Status != c.want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
