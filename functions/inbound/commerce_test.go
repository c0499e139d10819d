package main

import (
	"testing"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/tables"
)

func init() {
	talks["an order and its confirmation"] = talk{
		says: []said{{from: asha, text: "2 kg kolam rice"}, {from: asha, text: "haan"}}}
	talks["what a language model is asked about"] = talk{
		seed: asksModel,
		says: []said{{from: asha, text: "lambe daane ghar ke vaaste"}, {from: asha, text: "2 kg kolam rice"}}}
	talks["a price that the owner changes"] = talk{says: []said{{from: owner, text: "kolam rice ka rate 65"}}}
}

// asksModel has the store ask a language model what its assistant does not understand.
func asksModel(t testing.TB, db *dynamotest.DB) {
	var store commercemodel.Store
	if err := dynamo.Unmarshal(db.Items(t, tables.Stores)[0], &store); err != nil {
		t.Fatal(err)
	}
	store.Settings.Model = "openai:gpt-4o-mini"
	db.Seed(t, tables.Stores, store)
}
