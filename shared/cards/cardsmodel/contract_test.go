package cardsmodel

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
)

// attributes are names by DynamoDB type: S, N, BOOL, L, M.
type attributes map[string]string

// entities are what the contract says of each entity, spelled out, and what this project adds.
var entities = map[string]struct {
	of                  any
	contract, additions attributes
}{
	"users": {
		User{}, attributes{
			"S": "ecosystemId firebaseUid email role status tier createdAt updatedAt lastLoginAt", "N": "currentScore",
			"M": "cardSummary"},
		attributes{"S": "tenantId name phoneE164 personKey waUserId language pendingRequestId erasedAt"},
	},
	"cardSummary": {CardSummary{}, attributes{"N": "activeCards totalBalance totalLimit"}, nil},
	"scores": {
		Score{}, attributes{
			"S": "ecosystemId timestampScoreId scoreId reason source sourceId relatedEntityType " +
				"relatedEntityId timestamp", "N": "value previousValue delta"}, nil,
	},
	"cards": {
		Card{}, attributes{
			"S": "ecosystemId cardId type productId status statusReason nextDueDate approvedBy approvedByAdminId " +
				"createdAt updatedAt activatedAt cancelledAt status#cardId",
			"N": "limit balance availableCredit minimumPayment version scoreAtApproval",
		}, nil,
	},
	"card requests": {
		Request{}, attributes{
			"S": "ecosystemId requestId productId idempotencyKey status tierAtRequest resultingCardId createdAt " +
				"updatedAt expiresAt createdAt#requestId",
			"N": "scoreAtRequest", "M": "decision",
		}, attributes{"S": "tenantId code tenantStatus tenantTier"},
	},
	"transactions": {
		Transaction{}, attributes{
			"S": "ecosystemIdCardId transactionId type merchant paymentStatus idempotencyKey status failureReason " +
				"timestamp processedAt", "N": "amount daysOverdue scoreImpact",
		}, attributes{"N": "balanceAfter"},
	},
	"idempotency": {
		Idempotency{},
		attributes{"S": "ecosystemId keyHash operation createdAt", "M": "response",
			"N": "statusCode expiresAtEpochSeconds"}, attributes{"S": "requestHash"},
	},
	"notifications": {
		Notification{}, attributes{
			"S": "notificationId recipientPhone recipientName messageContent notificationType relatedEntityType " +
				"relatedEntityId ecosystemId deliveryStatus wppMessageId lastError " +
				"nextRetryAt createdAt sentAt deliveredAt relatedEntityType#relatedEntityId " +
				"createdAt#notificationId nextRetryAt#notificationId",
			"N": "retryCount",
		}, attributes{
			"S": "tenantId language outboxEventId aboutPerson recipientKey recipientSince tenantStatus erasedAt",
			"L": "parameters replies"},
	},
	"inbound": {
		Inbound{}, attributes{
			"S": "messageId wppMessageId senderPhone senderName rawBody processedStatus processedAction " +
				"processingError relatedRequestId relatedEcosystemId receivedAt processedAt receivedAt#messageId",
			"BOOL": "isFromWhitelistedAdmin", "M": "parsedCommand",
		}, attributes{"S": "tenantId"},
	},
	"pending approvals": {
		Approval{}, attributes{
			"S": "requestId ecosystemId notificationsSentAt approvalStatus respondingAdminPhone responseReceivedAt " +
				"expiresAt createdAt updatedAt expiresAt#requestId", "L": "notificationIds",
		}, attributes{"S": "tenantId"},
	},
}

func TestEveryAttributeHasItsContractNameAndType(t *testing.T) {
	for name, e := range entities {
		want, got := map[string]string{}, map[string]string{}
		for _, part := range []attributes{e.contract, e.additions} {
			for kind, names := range part {
				for _, attribute := range strings.Fields(names) {
					want[attribute] = kind
				}
			}
		}
		of := reflect.TypeOf(e.of)
		for i := range of.NumField() {
			tag := strings.Split(of.Field(i).Tag.Get("dynamodbav"), ",")
			got[tag[0]] = kindOf(of.Field(i).Type)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the contract and its additions, and what is stored:\n%s", name, diff)
		}
	}
}

func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[model.Amount](), slices.Contains([]reflect.Kind{reflect.Int, reflect.Int64}, t.Kind()):
		return "N"
	case t == reflect.TypeFor[model.Document](), t.Kind() == reflect.Struct:
		return "M"
	case t.Kind() == reflect.Bool:
		return "BOOL"
	case t.Kind() == reflect.Slice:
		return "L"
	}
	return "S"
}

// A delivered message may not fail any more, and a failed one that was delivered after all is delivered.
func TestANotificationNeverGoesBack(t *testing.T) {
	order := []NotificationStatus{
		NotificationPending, NotificationSent, NotificationFailed, NotificationDelivered, NotificationRead}
	for i, earlier := range order {
		for j, later := range order {
			if later.After(earlier) != (j > i) {
				t.Errorf("%s after %s: %v", later, earlier, later.After(earlier))
			}
		}
	}
	if len(NotificationStatuses()) != len(order) {
		t.Error("a status is not listed")
	}
}
