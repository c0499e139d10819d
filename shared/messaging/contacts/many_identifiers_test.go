package contacts

import (
	"fmt"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// A test number may have been given to more people than one decision reads. The changes that name the others are left
// out.
func TestTheLastChangeOfSomebodyWithMoreIdentifiersThanAreRead(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	const phone, asha = model.PhoneNumberID("106540352242922"), model.CustomerID("919876543210")
	alias := model.Alias{
		PK: keys.Alias(phone, asha).Partition, ItemType: model.ItemAlias, Version: 1,
		Owners: []model.Owner{{CustomerID: asha}},
	}
	for n := range maxComponent + 50 {
		alias.Facts = append(alias.Facts, model.IdentityFact{
			At: model.OrderOf(model.At(noon), int64(n)), Gives: []model.CustomerID{asha},
			Takes: []model.CustomerID{model.CustomerID(fmt.Sprintf("9197%08d", n))},
		})
	}
	db.Seed(t, tables.Messages, alias)
	people := &Contacts{DB: db.Client, Now: func() time.Time { return noon }}
	of := model.Conversation{PK: keys.Conversation(phone, asha).Partition}
	if _, _, err := people.LastChange(t.Context(), phone, of); err != nil {
		t.Error(err)
	}
}
