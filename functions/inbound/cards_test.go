package main

func init() {
	talks["a decision about a card"] = talk{says: []said{{owner, "APPROVE {code}"}}}
}
