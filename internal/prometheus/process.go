package prometheus

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// processCollector tells of the process, as the operating system has it.
type processCollector struct{ began time.Time }

// NewProcessCollector returns what the operating system says of the process, which began now, under the names that Prometheus' clients give it.
// Its memory and what came over the network are told where there is a /proc as Linux has it; on Windows little but its start is.
func NewProcessCollector() Collector { return processCollector{time.Now()} }

func (p processCollector) families() []family {
	return []family{
		known("process_cpu_seconds_total", "CPU time, of the user and of the system.", counterKind, cpuSeconds),
		known("process_open_fds", "File descriptors that are open.", gaugeKind, openFiles),
		known("process_max_fds", "File descriptors that may be open.", gaugeKind, maxFiles),
		known("process_start_time_seconds", "When the process began, in seconds since 1970.", gaugeKind, func() (float64, bool) {
			return float64(p.began.UnixMilli()) / 1e3, true
		}),
		known("process_virtual_memory_bytes", "Addresses that are in use.", gaugeKind, pages(0)),
		known("process_virtual_memory_max_bytes", "Addresses that may be in use.", gaugeKind, maxMemory),
		known("process_resident_memory_bytes", "Memory that is resident.", gaugeKind, pages(1)),
		known("process_network_receive_bytes_total", "What came over the network, to all in the same network namespace.", counterKind, network("InOctets")),
		known("process_network_transmit_bytes_total", "What went over the network, from all in the same network namespace.", counterKind, network("OutOctets")),
	}
}

// known is a metric that is told where it can be read.
func known(name, help string, k kind, read func() (float64, bool)) family {
	return family{name, help, k, "", func() []sample {
		if v, ok := read(); ok {
			return one(v)
		}
		return nil
	}}
}

func openFiles() (float64, bool) {
	list, err := os.ReadDir("/dev/fd")
	return float64(len(list)), err == nil
}

// pages is a field of /proc/self/statm, in bytes.
func pages(field int) func() (float64, bool) {
	return func() (float64, bool) {
		statm, err := os.ReadFile("/proc/self/statm")
		fields := strings.Fields(string(statm))
		if err != nil || field >= len(fields) {
			return 0, false
		}
		n, err := strconv.ParseFloat(fields[field], 64)
		return n * float64(os.Getpagesize()), err == nil
	}
}

// network is a field of the lines IpExt of /proc/self/net/netstat: one has the names, the
// next one the numbers.
func network(name string) func() (float64, bool) {
	return func() (float64, bool) {
		netstat, err := os.ReadFile("/proc/self/net/netstat")
		if err != nil {
			return 0, false
		}
		var names []string
		for line := range strings.Lines(string(netstat)) {
			fields := strings.Fields(line)
			switch {
			case len(fields) == 0 || fields[0] != "IpExt:":
			case names == nil:
				names = fields
			default:
				return fieldNamed(name, names, fields)
			}
		}
		return 0, false
	}
}

func fieldNamed(name string, names, values []string) (float64, bool) {
	for n := range min(len(names), len(values)) {
		if names[n] == name {
			v, err := strconv.ParseFloat(values[n], 64)
			return v, err == nil
		}
	}
	return 0, false
}
