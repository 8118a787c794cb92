package prometheus

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// goCollector tells of the Go runtime.
type goCollector struct{}

// NewGoCollector returns what the Go runtime says of itself, under the names that Prometheus' clients give it.
func NewGoCollector() Collector { return goCollector{} }

func (goCollector) families() []family {
	memory := sync.OnceValue(func() (m runtime.MemStats) {
		runtime.ReadMemStats(&m)
		return m
	})
	return append(memoryFamilies(memory),
		family{"go_gc_duration_seconds", "How long collections of garbage stopped everything.", summaryKind, "", pauses},
		gauge("go_goroutines", "Goroutines now.", func() float64 { return float64(runtime.NumGoroutine()) }),
		gauge("go_threads", "Threads of the operating system that were made.", threads),
		gauge("go_gc_gogc_percent", "By how much the heap may grow before garbage is collected (GOGC).", setting("/gc/gogc:percent")),
		gauge("go_gc_gomemlimit_bytes", "The memory that the runtime tries to stay below (GOMEMLIMIT).", setting("/gc/gomemlimit:bytes")),
		gauge("go_sched_gomaxprocs_threads", "Threads that run Go code at the same time (GOMAXPROCS).", func() float64 { return float64(runtime.GOMAXPROCS(0)) }),
		family{"go_info", "The version of Go.", gaugeKind, label("version", runtime.Version()), func() []sample { return one(1) }},
	)
}

// memoryFamilies are the fields of runtime.MemStats, which says what they mean.
func memoryFamilies(memory func() runtime.MemStats) []family {
	list := []family{
		gauge("go_memstats_last_gc_time_seconds", "When garbage was collected last, in seconds since 1970.", func() float64 { return float64(memory().LastGC) / 1e9 }),
	}
	for _, m := range []struct {
		name, help string
		kind       kind
		of         func(*runtime.MemStats) uint64
	}{
		{"alloc_bytes", "Heap that objects take.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.Alloc }},
		{"alloc_bytes_total", "Heap that objects have taken since the start.", counterKind, func(m *runtime.MemStats) uint64 { return m.TotalAlloc }},
		{"buck_hash_sys_bytes", "Memory of profiles.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.BuckHashSys }},
		{"frees_total", "Objects of the heap that were freed.", counterKind, func(m *runtime.MemStats) uint64 { return m.Frees }},
		{"gc_sys_bytes", "Memory of the garbage collector.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.GCSys }},
		{"heap_alloc_bytes", "Heap that objects take.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.HeapAlloc }},
		{"heap_idle_bytes", "Heap that waits to be used.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.HeapIdle }},
		{"heap_inuse_bytes", "Heap in use.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.HeapInuse }},
		{"heap_objects", "Objects of the heap.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.HeapObjects }},
		{"heap_released_bytes", "Heap that was given back to the operating system.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.HeapReleased }},
		{"heap_sys_bytes", "Heap from the operating system.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.HeapSys }},
		{"mallocs_total", "Objects of the heap that were made.", counterKind, func(m *runtime.MemStats) uint64 { return m.Mallocs }},
		{"mcache_inuse_bytes", "Memory of mcache structures in use.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.MCacheInuse }},
		{"mcache_sys_bytes", "Memory of mcache structures.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.MCacheSys }},
		{"mspan_inuse_bytes", "Memory of mspan structures in use.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.MSpanInuse }},
		{"mspan_sys_bytes", "Memory of mspan structures.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.MSpanSys }},
		{"next_gc_bytes", "The heap at which garbage is collected next.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.NextGC }},
		{"other_sys_bytes", "Other memory from the operating system.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.OtherSys }},
		{"stack_inuse_bytes", "Memory of goroutines' stacks.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.StackInuse }},
		{"stack_sys_bytes", "Memory of all stacks.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.StackSys }},
		{"sys_bytes", "Memory from the operating system.", gaugeKind, func(m *runtime.MemStats) uint64 { return m.Sys }},
	} {
		list = append(list, family{"go_memstats_" + m.name, m.help, m.kind, "", func() []sample {
			stats := memory()
			return one(float64(m.of(&stats)))
		}})
	}
	return list
}

func gauge(name, help string, read func() float64) family {
	return family{name, help, gaugeKind, "", func() []sample { return one(read()) }}
}

func threads() float64 {
	n, _ := runtime.ThreadCreateProfile(nil)
	return float64(n)
}

// setting reads a setting of the runtime.
func setting(name string) func() float64 {
	return func() float64 {
		read := []metrics.Sample{{Name: name}}
		metrics.Read(read)
		return float64(read[0].Value.Uint64())
	}
}

// pauses are the shortest pause, the quartiles and the longest.
func pauses() []sample {
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	var list []sample
	for n, p := range stats.PauseQuantiles {
		list = append(list, sample{"", label("quantile", number(float64(n)/4)), p.Seconds()})
	}
	return append(list, sample{"_sum", "", stats.PauseTotal.Seconds()}, sample{"_count", "", float64(stats.NumGC)})
}
