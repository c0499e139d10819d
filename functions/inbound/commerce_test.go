package main

func init() {
	talks["an order and its confirmation"] = talk{says: []said{{asha, "2 kg kolam rice"}, {asha, "haan"}}}
	talks["a price that the owner changes"] = talk{says: []said{{owner, "kolam rice ka rate 65"}}}
}
