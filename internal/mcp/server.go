// Package mcp is the server's side of the Model Context Protocol on a pair of streams, as far as a server takes it that has tools and nothing
// else: JSON-RPC messages one after the other, the versions of the protocol from 2024-11-05 to 2026-07-28, progress, and calls that the client
// cancels. The tests hold it against the official SDK's client. Why it is not the SDK's server: docs/design/size.md.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// Server is what a client is offered.
type Server struct {
	Name, Title, Version string
	Instructions         string // for the model
	Tools                []Tool
}

// Tool is something that a model may call.
type Tool struct {
	Name, Title, Description string
	Input, Output            json.RawMessage // their JSON schemas
	ReadOnly                 bool            // it changes nothing

	// Do does it. Calls run side by side, each with a context that ends when the client cancels the call or has gone; nobody reads the
	// result then.
	Do func(ctx context.Context, c *Call) Result
}

// Result is what a call ends with.
type Result struct {
	Texts      []string
	Structured json.RawMessage // by the tool's Output; empty: none
	Failed     bool            // the texts tell the model why
}

// Serve speaks with one client until that closes in, or ctx ends; then it ends the calls and waits for them. Its error says that the client
// sent what is no JSON, or could not be read or written to. A read or write that hangs when ctx ends goes on behind it.
func (s Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	life, end := context.WithCancelCause(ctx)
	c := &connection{server: s, outgoing: make(chan any), calls: map[string]context.CancelFunc{}}
	written := make(chan struct{})
	go func() {
		defer close(written)
		if err := c.write(out); err != nil {
			end(err)
		}
	}()
	end(c.read(life, in))
	c.running.Wait()
	close(c.outgoing)
	err := context.Cause(life)
	if !errors.Is(err, io.EOF) {
		return err
	}
	select { // what was asked before the client closed in is answered
	case <-written:
	case <-ctx.Done():
	}
	return nil
}

// read takes what the client sends, until that ends with io.EOF or another error, or ctx does.
func (c *connection) read(ctx context.Context, in io.Reader) error {
	incoming, ended := make(chan json.RawMessage), make(chan error, 1)
	go func() { ended <- receive(ctx, in, incoming) }()
	for {
		select {
		case message := <-incoming:
			c.take(ctx, message)
		case err := <-ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func receive(ctx context.Context, in io.Reader, to chan<- json.RawMessage) error {
	read := json.NewDecoder(in)
	for {
		var message json.RawMessage
		if err := read.Decode(&message); err != nil {
			return err
		}
		select {
		case to <- message:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// connection is the speaking with one client.
type connection struct {
	server   Server
	outgoing chan any
	running  sync.WaitGroup // calls

	client string // its name, as it said at first; only take reads and writes it

	mu    sync.Mutex
	calls map[string]context.CancelFunc // that are under way, by the id of the request
}

// write writes what is to be sent, a line each.
func (c *connection) write(out io.Writer) error {
	for message := range c.outgoing {
		line, err := json.Marshal(message)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// send has a message written, unless the connection ends first.
func (c *connection) send(ctx context.Context, message any) error {
	select {
	case c.outgoing <- message:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
