package keys

import "github.com/haatline/haatline/shared/model"

// The forms of the users table's keys. The contract has users alone. CARD_PROGRAM, CARD_FIREBASE and CARD_PHONE are
// additions.
var (
	cardProgram  = Pattern{"CARD_PROGRAM", []string{"PROGRAM", "{tenantId}"}}
	cardFirebase = Pattern{"CARD_FIREBASE", []string{"FIREBASE", "{tenantId}", "{firebaseUid}"}}
	cardPhone    = Pattern{"CARD_PHONE", []string{"PHONE", "{tenantId}", "{identifier}"}}
	requestCode  = Pattern{"REQUEST_CODE", []string{"CODE", "{tenantId}", "{code}"}}
	adminHelp    = Pattern{"ADMIN_HELP", []string{"HELP", "{tenantId}", "{adminId}"}}
)

// CardUser returns the key of a user. An id has no #, so it is the key of no other item of the table.
func CardUser(user model.Name) Key { return cardUsersKey(string(user)) }

func cardUsersKey(id string) Key { return Key{PartitionName: "ecosystemId", Partition: id} }

// CardProgram returns the key of a tenant's settings for cards, in the users table.
func CardProgram(tenant model.TenantID) Key { return cardUsersKey(cardProgram.with(string(tenant))) }

// CardFirebase returns the key of the item by which a firebaseUid is one user's of a tenant, in the users table.
func CardFirebase(tenant model.TenantID, uid model.Name) Key {
	return cardUsersKey(cardFirebase.with(string(tenant), string(uid)))
}

// CardPhone returns the key of the item by which a number or a user id of Meta's is one user's of a tenant, in the
// users table.
func CardPhone(tenant model.TenantID, identifier model.CustomerID) Key {
	return cardUsersKey(cardPhone.with(string(tenant), string(identifier)))
}

// CardScore returns the key of a change of a user's score.
func CardScore(user model.Name, timestampScoreID string) Key {
	return Key{PartitionName: "ecosystemId", Partition: string(user), SortName: "timestampScoreId",
		Sort: timestampScoreID}
}

// Card returns the key of a card.
func Card(user, card model.Name) Key {
	return Key{PartitionName: "ecosystemId", Partition: string(user), SortName: "cardId", Sort: string(card)}
}

// CardRequest returns the key of a card request.
func CardRequest(user, request model.Name) Key {
	return Key{PartitionName: "ecosystemId", Partition: string(user), SortName: "requestId", Sort: string(request)}
}

// CardTransactions returns the partition of a card's transactions.
func CardTransactions(user, card model.Name) string { return string(user) + "#" + string(card) }

// CardTransaction returns the key of a transaction.
func CardTransaction(user, card, transaction model.Name) Key {
	return Key{PartitionName: "ecosystemIdCardId", Partition: CardTransactions(user, card), SortName: "transactionId",
		Sort: string(transaction)}
}

// CardIdempotency returns the key of a user's idempotency record.
func CardIdempotency(user, hash model.Name) Key {
	return Key{PartitionName: "ecosystemId", Partition: string(user), SortName: "keyHash", Sort: string(hash)}
}

// Notification returns the key of a WhatsApp notification.
func Notification(id model.Name) Key {
	return Key{PartitionName: "notificationId", Partition: string(id)}
}

// RelatedEntity returns the partition of the notifications about one thing.
func RelatedEntity(kind string, id model.Name) string { return kind + "#" + string(id) }

// InboundCommand returns the key of an inbound command.
func InboundCommand(message model.Name) Key { return inboundKey(string(message)) }

// AdminHelp returns the key of the item that says when an admin was last helped, in the table of inbound commands.
func AdminHelp(tenant model.TenantID, admin model.Name) Key {
	return inboundKey(adminHelp.with(string(tenant), string(admin)))
}

func inboundKey(id string) Key { return Key{PartitionName: "messageId", Partition: id} }

// Approval returns the key of a pending approval.
func Approval(request model.Name) Key { return approvalKey(string(request)) }

// RequestCode returns the key of the item that leads from a code to a request, in the table of pending approvals.
func RequestCode(tenant model.TenantID, code model.Name) Key {
	return approvalKey(requestCode.with(string(tenant), string(code)))
}

func approvalKey(id string) Key { return Key{PartitionName: "requestId", Partition: id} }

// OfTenant returns the value of an index key that keeps tenants apart: {tenant}#{value}.
func OfTenant[T ~string](tenant model.TenantID, value T) string {
	return string(tenant) + "#" + string(value)
}
