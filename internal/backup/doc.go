// Package backup writes copies of the database to files, and keeps the newest of them in a
// folder. A file has its name only when all of it is on disk and was read again.
package backup
