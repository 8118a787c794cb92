package lab

import "testing"

// SpeakTo makes t the test that the methods fail, which is for an Instance that
// several subtests share one after another. The Instance still ends with the
// test that started it.
func (in *Instance) SpeakTo(t testing.TB) { in.t = t }
