// Package model is a scripted language model behind the HTTP API that OpenCode
// and others speak to OpenAI-compatible providers: POST /v1/chat/completions,
// streamed or whole, and GET /v1/models.
//
// It thinks nothing. The last message decides the answer: a user's message is
// read in the script language of [Parse], so a prompt says which tools are
// called with which arguments; tool results are echoed ([Echo]); a request for
// a title gets [Title]. Every request is recorded, so that a test can read
// exactly what a model would have been told.
//
// With it a real OpenCode asks real questions without a provider, a key or
// cost.
package model
