package main

func init() {
	talks["a decision about a card"] = talk{says: []said{{from: owner, text: "APPROVE {code}"}}}
}
