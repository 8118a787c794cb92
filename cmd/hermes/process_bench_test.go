//go:build linux

package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/internal/simulate/rig"
	telegram "hermes/internal/simulate/telegramsim"
	"hermes/pending"
)

// BenchmarkProcess starts the built binary and measures what an operator would:
// the time to the first poll, resident memory and CPU time when idle, and the
// binary's size.
func BenchmarkProcess(b *testing.B) {
	binary := buildHermes(b)
	info, err := os.Stat(binary)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{0, 1000} {
		b.Run(fmt.Sprintf("open=%d", n), func(b *testing.B) {
			var first, resident, own, cpu float64
			for range b.N {
				p := startProcess(b, binary, n)
				first += p.first.Seconds() * 1000
				resident += p.memory(b, "VmRSS:")
				own += p.memory(b, "RssAnon:")
				cpu += p.idleCPU(b)
				p.end(b)
			}
			b.ReportMetric(first/float64(b.N), "ms-to-first-poll")
			b.ReportMetric(resident/float64(b.N), "MB-resident")
			b.ReportMetric(own/float64(b.N), "MB-anonymous")
			b.ReportMetric(cpu/float64(b.N), "ms-CPU-in-5s-idle")
			b.ReportMetric(float64(info.Size())/1e6, "MB-binary")
			b.ReportMetric(0, "ns/op")
		})
	}
}

type process struct {
	cmd   *exec.Cmd
	first time.Duration
}

func startProcess(b *testing.B, binary string, open int) process {
	db := filepath.Join(b.TempDir(), "hermes.db")
	store, err := pending.Open(db, pending.Options{})
	if err != nil {
		b.Fatal(err)
	}
	rig.FillStore(b, store, open, 10*open)
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	return startFirst(b, binary, "HERMES_DB="+db)
}

// startFirst starts a process that polls Telegram, with further settings, and waits until its start is over.
func startFirst(b *testing.B, binary string, settings ...string) process {
	sim := telegram.New(telegram.Options{Token: rig.TestToken})
	polled := make(chan time.Time, 1)
	sim.SetFault(func(c telegram.Call) telegram.Fault {
		if c.Method == "getUpdates" {
			select {
			case polled <- time.Now():
			default:
			}
		}
		return telegram.Fault{}
	})
	api := httptest.NewServer(sim)
	b.Cleanup(func() { api.CloseClientConnections(); api.Close() })
	began := time.Now()
	p := startAny(b, binary, append(settings, "HERMES_TELEGRAM_API_URL="+api.URL)...)
	p.first = (<-polled).Sub(began)
	time.Sleep(3 * time.Second) // start-up is over
	return p
}

func startAny(b *testing.B, binary string, settings ...string) process {
	cmd := exec.Command(binary, "serve")
	cmd.Env = append(settings,
		"HOME="+b.TempDir(), "HERMES_TELEGRAM_TOKEN="+rig.TestToken, "HERMES_TELEGRAM_USERS=42", "HERMES_LISTEN=127.0.0.1:0", "HERMES_LOG_LEVEL=error",
	)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return process{cmd: cmd}
}

func (p process) end(b *testing.B) {
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		b.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		b.Error("the daemon's end:", err)
	}
}

// memory is a line of /proc/…/status, in megabytes: VmRSS is all that is resident, RssAnon what
// of it is not a file's, as the binary's pages and the database's are.
func (p process) memory(b *testing.B, line string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), line)
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Fatal(err)
	}
	return kB / 1000
}

// idleCPU is the CPU time that five idle seconds take, in milliseconds.
func (p process) idleCPU(b *testing.B) float64 {
	before := p.ticks(b)
	time.Sleep(5 * time.Second)
	return (p.ticks(b) - before) * 10 // a tick is 10 ms
}

func (p process) ticks(b *testing.B) float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var user, system float64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		b.Fatal(err)
	}
	return user + system
}
