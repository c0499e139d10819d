package registry_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/conversations/companies"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// A store and a company that want one number at the same time: one of them gets it, and the other is told why not.
func TestOneOfAStoreAndACompanyGetsANumber(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages, tables.Stores, tables.Conversations)
	rooms := registry.Open(messaging.Config{DB: db.Client, Now: func() time.Time { return noon }})
	for round := range 10 {
		phone := model.PhoneNumberID("10654035224292" + string(rune('0'+round)))
		number := "+44758871381" + string(rune('0'+round))
		db.Seed(t, tables.Messages, model.Phone{
			PK: keys.Phone(phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: phone, TenantID: "demo",
			DisplayPhoneNumber: number, WABAMetaID: wt.WABA})
		var both sync.WaitGroup
		var ofStore, ofCompany error
		both.Go(func() {
			_, ofStore = registry.Commerce(rooms).Stores.Create(t.Context(), commercemodel.Store{
				TenantID: "demo", Name: "Rao Kirana", Status: commercemodel.StoreActive,
				PhoneNumberIDs: []model.PhoneNumberID{phone}}, string(phone), idempotency.Request{})
		})
		both.Go(func() {
			_, ofCompany = registry.Conversations(rooms).Companies.Create(t.Context(), conversationsmodel.Company{
				Company: model.Name(phone), TenantID: "demo", CompanyName: "Cucumber", Active: true,
				ChannelConfig: model.Document(`{"company_whatsapp_number":"` + number + `"}`)})
		})
		both.Wait()
		var told *problem.Error
		refused := errors.Join(ofStore, ofCompany)
		if (ofStore == nil) == (ofCompany == nil) || !errors.As(refused, &told) ||
			!errors.Is(refused, stores.ErrNumber) && !errors.Is(refused, companies.ErrNumber) {
			t.Errorf("the store: %v, the company: %v", ofStore, ofCompany)
		}
	}
}
