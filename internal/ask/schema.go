package ask

// What a model reads of the tool. The schemas are those of Parse and Result; a field of
// Parse that is not here is refused.

const toolInstructions = `ask_user reaches a person on their phone. Use it for decisions that are theirs, and when you would otherwise guess.`

const toolDescription = `Ask a person one or more questions on their phone, and wait for the answer. It can take minutes or hours.

Use it when you cannot go on without a decision that is not yours to make: several reasonable ways, missing facts, or something that is hard to undo. Do not use it for what you can find out yourself, or only to report. Ask everything you need now in one call, as separate questions.

The person sees only what you send, on a small screen: say in "question" or "context" all they must know, in plain text. Give options where you can (2 to 6, with short labels; the consequence belongs into "description"), and "allow_text" if another answer would help you.

The result has a "status": "answered", with the ids of the chosen options and any text that was typed, for each question; "cancelled", when an option that cancels was chosen; "aborted", when the person dismissed the questions. After "cancelled" and "aborted" do not go on as if there were an answer. An error says that nobody was asked, or that nobody answered in time: nothing was decided then.`

const toolInput = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["questions"],
  "properties": {
    "questions": {
      "type": "array", "minItems": 1,
      "description": "The questions, in the order in which they are asked.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["question_id", "question"],
        "properties": {
          "question_id": {"type": "string", "minLength": 1, "description": "Names this question in the result; different for every question, such as \"database\"."},
          "question": {"type": "string", "minLength": 1, "description": "The whole question, as the person reads it. Plain text."},
          "header": {"type": "string", "description": "A word or two that stand above the question, such as \"Database\"."},
          "options": {
            "type": "array",
            "description": "The choices. Without any, allow_text must be true.",
            "items": {
              "type": "object",
              "additionalProperties": false,
              "required": ["id", "label"],
              "properties": {
                "id": {"type": "string", "minLength": 1, "description": "What the result says when this is chosen; different for every option of the question. The ids \"cancel\" and \"skip\" cancel everything that is asked."},
                "label": {"type": "string", "minLength": 1, "description": "What the person taps, 1 to 5 words; different for every option of the question."},
                "description": {"type": "string", "description": "What choosing this means, in a sentence."},
                "cancels": {"type": "boolean", "default": false, "description": "Choosing this ends everything that is asked at once, also in the middle; the status is \"cancelled\" then."}
              }
            }
          },
          "allow_multiple": {"type": "boolean", "default": false, "description": "Several options may be chosen."},
          "allow_text": {"type": "boolean", "default": false, "description": "The person may type an answer that is none of the options."}
        }
      }
    },
    "title": {"type": "string", "description": "What the questions belong to, such as the project and the task: \"shop-api: fix checkout\"."},
    "context": {"type": "string", "description": "What the person must know to decide, and cannot see from the questions. Plain text."},
    "ttl": {"type": ["string", "number"], "description": "How long to wait, counted from when the person can see it: \"30m\", \"2h\", or a number of seconds; 0 waits for ever. Leave it out unless you were told a time."}
  }
}`

const toolOutput = `{
  "type": "object",
  "required": ["status", "answers"],
  "properties": {
    "status": {"type": "string", "enum": ["answered", "cancelled", "aborted"]},
    "answers": {
      "type": "array",
      "description": "One for each question, in their order; none unless the status is answered.",
      "items": {
        "type": "object",
        "required": ["question_id", "selected_option_ids"],
        "properties": {
          "question_id": {"type": "string"},
          "selected_option_ids": {"type": "array", "items": {"type": "string"}},
          "text": {"type": "string", "description": "What was typed."}
        }
      }
    },
    "answered_by": {"$ref": "#/$defs/by"},
    "aborted_by": {"$ref": "#/$defs/by"},
    "cancelled_by": {
      "type": "object",
      "required": ["question_id", "option_id"],
      "properties": {"question_id": {"type": "string"}, "option_id": {"type": "string"}}
    }
  },
  "$defs": {
    "by": {
      "type": "object",
      "required": ["kind"],
      "properties": {
        "kind": {"type": "string", "description": "person, rule (the owner's), api (a program), or deadline."},
        "name": {"type": "string"},
        "user": {"type": "integer"}
      }
    }
  }
}`
