package assistant

// ParseCode returns the discount code that a message names, whether it is sure, and the rest of the words.
func ParseCode(text string) (code string, sure bool, rest string) {
	said := parseCode(text)
	return string(said.name), said.sure, said.rest
}
