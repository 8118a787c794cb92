// Package failover finds, among the addresses of several hermes that share one store, the one that acts. The others are
// standbys: they answer every request with 503 and a [Reply], until one of them takes over.
//
// A client speaks to the addresses that it was given, and to no other: what a standby says of the hermes that acts is for
// people.
package failover
