package cloud

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tenancy"
)

// The demo store's number. The demo tenant's other number has no store: only people answer there.
const (
	storePhoneID = "106540352242923"
	storePhone   = "15550783882"
	storeOwner   = "+919844444444"
)

//go:embed demo.csv
var demoCatalogue []byte

// demoStoreSeed makes the demo store's id.
const demoStoreSeed = "demo"

// seedStore creates the demo store with its number and its catalogue if there is none. It keeps later changes.
func seedStore(ctx context.Context, client *dynamodb.Client) error {
	db := dynamo.Wrap(client, stage)
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	numbers := &tenancy.Numbers{DB: db, Now: time.Now, NewID: newID}
	shop := commerce.New(commerce.Config{DB: db, Now: time.Now, NewID: newID, Numbers: numbers})
	existing, err := shop.Stores.Get(ctx, stores.IDOf(demoStoreSeed))
	if err == nil && existing.CatalogueChangedAt != "" {
		return nil
	}
	if _, err := numbers.GiveNumber(ctx, tenancy.NumberChange{
		Phone: storePhoneID, Tenant: defaultTenant, WABA: demoWABA, By: audit.Actor{Subject: "local"},
		Reason: "the demo store's number",
	}); err != nil {
		return fmt.Errorf("seed the demo store's number: %w", err)
	}
	store, err := shop.Stores.Create(ctx, commercemodel.Store{
		TenantID: defaultTenant, Name: "Haat Demo Kirana", OwnerName: "Asha Rao", Status: commercemodel.StoreActive,
		StoreType:      "grocery",
		Address:        commercemodel.Address{City: "Pune"},
		ContactInfo:    commercemodel.ContactInfo{Phone: "+919811111111", WhatsApp: storeOwner},
		PhoneNumberIDs: []model.PhoneNumberID{storePhoneID},
		Settings: commercemodel.Settings{
			Assistant: true, PaymentMethods: []string{"cod", "upi", "credit"},
			Credit: &commercemodel.Credit{
				DefaultLimit: &model.Amount{Decimal: decimal.NewFromInt(5000)}, Commands: true, VPA: "haatdemo@upi"},
		},
	}, demoStoreSeed, idempotency.Request{})
	if err != nil {
		return fmt.Errorf("seed the demo store: %w", err)
	}
	report, err := shop.Catalogue.Import(ctx, store, demoCatalogue, true)
	if err == nil && report.Faulty > 0 {
		err = errors.New(report.Faults[0].Detail)
	}
	if err != nil {
		return fmt.Errorf("seed the demo catalogue: %w", err)
	}
	return nil
}
