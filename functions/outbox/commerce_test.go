package main

import (
	"testing"

	"github.com/haatline/haatline/shared/commerce"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
)

func init() {
	domainEvents[commerce.EventShelf] = func(testing.TB, *dynamotest.DB) outbox.Draft {
		return outbox.Draft{
			EntityType: keys.EntityShelf, EntityID: "STR-1",
			Payload: model.Document(`{"storeId":"STR-1","catalogId":"194836987003835"}`)}
	}
}
