// Package cardtest has views, for tests of whatever shows them, and the golden files that such
// tests compare.
package cardtest
