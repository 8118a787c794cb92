package prometheus

// Windows has none of these under the same meaning.

func cpuSeconds() (float64, bool) { return 0, false }
func maxFiles() (float64, bool)   { return 0, false }
func maxMemory() (float64, bool)  { return 0, false }
