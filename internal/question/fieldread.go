package question

// readField understands typed text as an answer to the field: as an option where it names one, as for a question, else
// as the field's kind has it.
func (i Item) readField(text string) (Choice, Notice) {
	refused := Notice{Kind: NotAccepted, Text: text}
	if value, ok := i.Field.Spoken(text); ok {
		return Choice{Options: []int{i.valued(value)}}, Notice{}
	}
	if len(i.Options) == 0 {
		read, ok := i.Field.Read(text)
		if !ok {
			return Choice{}, refused
		}
		return Choice{Texts: []string{read}}, Notice{}
	}
	choice, notice := i.read(text)
	for n, typed := range choice.Texts {
		read, ok := i.Field.Read(typed)
		if !ok {
			return Choice{}, refused
		}
		choice.Texts[n] = read
	}
	return choice, notice
}
