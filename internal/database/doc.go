// Package database opens the database that the configuration names: the file of HERMES_DB, which one hermes has to itself, or the one of
// HERMES_STORE, which several share.
package database
