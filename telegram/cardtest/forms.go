package cardtest

import (
	"hermes/internal/fields"
	"hermes/internal/question"
)

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
		question.FieldItem("size", "Size", "", fields.Field{Kind: fields.String, Required: true}, []question.Option{{ID: "S", Label: "Small"}, {ID: "M", Label: "Medium"}}, false),
		question.FieldItem("n", "How many", "", fields.Field{Kind: fields.Integer, Required: true, Min: &one, Max: &nine}, nil, false),
		question.FieldItem("w", "w", "Its weight in kg", fields.Field{Kind: fields.Number, Default: []string{"1.5"}}, nil, false),
		question.FieldItem("gift", "Gift?", "", fields.Field{Kind: fields.Boolean, Required: true, Default: []string{fields.False}}, nil, false),
		question.FieldItem("paper", "Paper", "", fields.Field{Kind: fields.String, Required: true, When: []fields.When{{Key: "gift", Value: fields.True}}}, nil, false),
		question.FieldItem("mail", "mail", "", fields.Field{Kind: fields.String, Format: fields.Email}, nil, false),
	}
}

// Login is a field that wants an address to be opened.
func Login(url string) question.Item {
	return question.FieldItem("elicitation", "", "", fields.Field{Kind: fields.External, URL: url}, nil, false)
}

// Flavours takes two or three of several.
func Flavours() question.Item {
	two, three := 2.0, 3.0
	return question.FieldItem("f", "Flavours", "Which ones?", fields.Field{
		Kind: fields.Multiselect, Required: true, Min: &two, Max: &three, Default: []string{"v", "c"},
	}, []question.Option{{ID: "v", Label: "Vanilla"}, {ID: "c", Label: "Chocolate"}, {ID: "l", Label: "Lemon"}, {ID: "m", Label: "Mint"}}, true)
}
