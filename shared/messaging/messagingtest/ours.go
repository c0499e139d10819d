package messagingtest

import (
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
)

// IsOurs reports whether an item is a message of the business, sent or waiting.
func IsOurs(item dynamo.Item) bool {
	return dynamo.Text(item, "itemType") == model.ItemMessage && dynamo.Text(item, "conversationPk") != "" &&
		dynamo.Text(item, "direction") != string(model.Inbound)
}
