// Package inprocess is what the stand-ins for HTTP servers have in common: the
// way to them without a socket ([Transport]), the ways in which a request can
// go wrong ([Fault]), and the queue of an event stream ([Frames]).
package inprocess
