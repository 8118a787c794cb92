// Package ask takes questions from programs that are no OpenCode: a script, a CI job,
// hermes doctor, another agent. It reads what they send, and tells them what people
// chose in words of their own: ids, never labels or positions.
//
//	{"questions":[{"question_id","question","header"?,
//	               "options":[{"id","label","description"?,"cancels"?}],
//	               "allow_multiple"?,"allow_text"?}],
//	 "title"?}
//
// becomes one of
//
//	{"status":"pending","answers":[]}                                  it waits for a person
//	{"status":"answered","answers":[{"question_id","selected_option_ids":[…],"text"?}],
//	 "answered_by":{"kind","name"?,"user"?}}
//	{"status":"cancelled","answers":[],"cancelled_by":{"question_id","option_id"}}
//	{"status":"aborted","answers":[]}                                  withdrawn, expired or dismissed
//
// An option cancels if it says so, or its id is "cancel" or "skip". A field that is not
// named here is refused, as one that is passed over would promise what nobody keeps.
//
// Nothing is remembered here. An ask is a thread like OpenCode's, so the store is its
// record: it can be answered after a restart, and its end can be read for as long as
// ended questions are kept.
package ask
