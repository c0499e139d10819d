package main

func init() {
	talks["an entry in the credit book"] = talk{says: []said{{from: owner, text: "+500 98765 43210"}}}
	talks["a claim of a payment"] = talk{says: []said{{from: asha, text: "paid 100"}}}
}
