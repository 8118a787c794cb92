// Package pgtest runs real PostgreSQL servers for tests: in a temporary directory, on a loopback port, as an ordinary user. A test that imports it has
// a build tag, for a machine without PostgreSQL must play the others all the same; with the tag, a missing PostgreSQL fails the test.
package pgtest
