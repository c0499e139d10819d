package main

import (
	"testing"
	"time"

	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/conversations/opening"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

func init() {
	talks["a reply in a company's conversation"] = talk{
		seed: recruits, says: []said{{from: asha, text: "yes, since May"}, {from: asha, text: "and I can drive"}}}
	talks["a message that opens a company's conversation"] = talk{
		seed: recruits, says: []said{{from: "919822222222", text: "any jobs?"}}}
}

// recruits takes the number from the shop, and gives it to a company that has a conversation with Asha.
func recruits(t testing.TB, db *dynamotest.DB) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	seedNumber(t, db)
	before := func() time.Time { return noon.Add(-time.Hour) }
	d := registry.Conversations(house(db.Client, before, dynamotest.IDs("01a1fbae-3de3-707d-9ea7-%012d")))
	_, err := d.Companies.Create(t.Context(), conversationsmodel.Company{
		Company: "ci-1", TenantID: "demo", CompanyName: "Cucumber", Active: true,
		ChannelConfig: model.Document(`{"company_whatsapp_number":"+` + wt.Display + `"}`)})
	must(err)
	_, err = d.Companies.SetProject(t.Context(), conversationsmodel.Project{
		Company: "ci-1", Project: "pi-1", ProjectName: "Clarify CV", ProjectStatus: conversationsmodel.ProjectActive,
		AllowedChannels: []model.Channel{model.ChannelWhatsApp},
		Opening:         conversationsmodel.Opening{Template: "hello_world", Language: "en_US"},
		Rules:           conversationsmodel.Rules{QueueInitial: true},
	}, 0)
	must(err)
	_, err = d.Opening.Open(t.Context(), opening.Request{
		Tenant: "demo", Company: "ci-1", Project: "pi-1", ID: "r1", Channel: model.ChannelWhatsApp, Tel: "+" + asha,
		Consent: true,
	}, idempotency.Request{})
	must(err)
}
