// Package ask takes questions from programs that are no OpenCode: a script, a CI job,
// hermes doctor, another agent. It reads what they send, and tells them what people
// chose in words of their own: ids, never labels or positions.
//
//	{"questions":[{"question_id","question","header"?,
//	               "options":[{"id","label","description"?,"cancels"?,"default"?}],
//	               "allow_multiple"?,"allow_text"?}],
//	 "title"?,"context"?,"ttl"?,"on_timeout"?,"chats"?,"idempotency_key"?}
//
// becomes one of
//
//	{"status":"pending","answers":[],"deadline"?}                      it waits for a person
//	{"status":"answered","answers":[{"question_id","selected_option_ids":[…],"text"?}],
//	 "answered_by":{"kind","name"?,"user"?}}
//	{"status":"cancelled","answers":[],"cancelled_by":{"question_id","option_id"}}
//	{"status":"aborted","answers":[],"aborted_by":{"kind","name"?,"user"?}}
//	                                                                   withdrawn, expired or dismissed
//
// An option cancels if it says so, or its id is "cancel" or "skip": whoever chooses it
// ends the ask at once, whatever else was asked. A field that is not named here is
// refused, because to ignore it would break what it promises the sender.
//
// The context is shown with the questions. The ttl is text like "5m" or a number of
// seconds, and counts from when the first chat shows the ask; 0 waits for ever. At its
// end on_timeout is done, in the words of [question.Expiry]; an option that is the
// "default" counts as the first of its question. Without these two the configuration counts.
// The chats, ids or "id/topic", are some of those that hermes may use anyway.
//
// An idempotency_key sent twice gives the same ask, for as long as that is kept, and
// another body under the same key is refused. The ask's id follows from the key, so
// that neither has to be looked for.
//
// ServeMCP gives the same to agents that speak the Model Context Protocol, as a tool.
//
// Nothing is remembered here. An ask is a thread like OpenCode's, so the store is its
// record: it can be answered after a restart, and its end can be read for as long as
// ended questions are kept.
package ask
