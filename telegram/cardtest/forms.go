package cardtest

import "hermes/internal/question"

// FormOf is an open view of a form of an MCP server with these fields.
func FormOf(fields ...question.Item) question.View {
	v := Asks(fields...)
	v.Request.Form = &question.Form{Title: "elicitor is requesting input", Kind: "mcp-elicitation", Server: "elicitor"}
	v.Request.Context = "Order details"
	v.Place.Title = ""
	return v
}

// Order is the form that was measured at OpenCode's preview of 2.0.
func Order() []question.Item {
	one, nine := 1.0, 9.0
	return []question.Item{
		question.FieldItem("size", "Size", "", question.Field{Kind: question.FieldString, Required: true}, []question.Option{{ID: "S", Label: "Small"}, {ID: "M", Label: "Medium"}}, false),
		question.FieldItem("n", "How many", "", question.Field{Kind: question.FieldInteger, Required: true, Min: &one, Max: &nine}, nil, false),
		question.FieldItem("w", "w", "Its weight in kg", question.Field{Kind: question.FieldNumber, Default: []string{"1.5"}}, nil, false),
		question.FieldItem("gift", "Gift?", "", question.Field{Kind: question.FieldBoolean, Required: true, Default: []string{question.ValueFalse}}, nil, false),
		question.FieldItem("paper", "Paper", "", question.Field{Kind: question.FieldString, Required: true, When: []question.When{{Key: "gift", Value: question.ValueTrue}}}, nil, false),
		question.FieldItem("mail", "mail", "", question.Field{Kind: question.FieldString, Format: question.FormatEmail}, nil, false),
	}
}

// Login is a field that wants an address to be opened.
func Login(url string) question.Item {
	return question.FieldItem("elicitation", "", "", question.Field{Kind: question.FieldExternal, URL: url}, nil, false)
}

// Flavours takes two or three of several.
func Flavours() question.Item {
	two, three := 2.0, 3.0
	return question.FieldItem("f", "Flavours", "Which ones?", question.Field{
		Kind: question.FieldMultiselect, Required: true, Min: &two, Max: &three, Default: []string{"v", "c"},
	}, []question.Option{{ID: "v", Label: "Vanilla"}, {ID: "c", Label: "Chocolate"}, {ID: "l", Label: "Lemon"}, {ID: "m", Label: "Mint"}}, true)
}
