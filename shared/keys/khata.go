package keys

import (
	"fmt"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/model"
)

// The forms of the composite keys of the commerce contract's credit tables. REVERSAL_OF, SALE_OF,
// PAYMENT_OF, KHATA_CLAIM and KHATA_CLAIM_OF are additions.
var (
	khataEntry     = Pattern{"KHATA_ENTRY", []string{"TXN", "{transactionId}"}}
	khataAccount   = Pattern{"KHATA_ACCOUNT", []string{"STORE", "{storeId}", "CUST", "{phone}"}}
	khataCustomer  = Pattern{"KHATA_CUSTOMER", []string{"CUST", "{phone}"}}
	khataSale      = Pattern{"SALE_OF", []string{"ORDER", "{orderId}"}}
	khataPayment   = Pattern{"PAYMENT_OF", []string{"PAYMENT", "{referenceId}"}}
	khataPhone     = Pattern{"KHATA_PHONE", []string{"PHONE", "{phone}"}}
	khataAtStore   = Pattern{"KHATA_AT_STORE", []string{"STORE", "{storeId}", "{at}"}}
	khataOnDate    = Pattern{"KHATA_ON_DATE", []string{"DATE", "{date}", "{transactionId}"}}
	khataClaim     = Pattern{"KHATA_CLAIM", []string{"CLAIM", "{state}", "{claimId}"}}
	khataClaimOf   = Pattern{"KHATA_CLAIM_OF", []string{"CLAIM", "{state}", "{storeId}", "{claimId}"}}
	khataReplay    = Pattern{"KHATA_IDEMPOTENCY", []string{"IDEM", "{key}"}}
	reminder       = Pattern{"REMINDER", []string{"REMINDER", "{reminderId}"}}
	reminderAt     = Pattern{"REMINDER_AT", []string{"SCHEDULED", "{at}"}}
	reminderStatus = Pattern{"REMINDER_STATUS", []string{"STATUS", "{status}", "{at}"}}
	dueBucket      = Pattern{"DUE_BUCKET", []string{"DUE", "{shard}"}}
)

// KhataEntry returns the key of an entry of a customer's ledger.
func KhataEntry(store, phone, id model.Name) Key {
	return pkSK(khataEntry.with(string(id)), khataAccount.with(string(store), string(phone)))
}

// KhataEntryOf returns the partition of an entry.
func KhataEntryOf(id model.Name) string { return khataEntry.with(string(id)) }

// ReversalOf returns the key of the item that says which entry reverses an entry.
func ReversalOf(id model.Name) Key { return pkSK(khataEntry.with(string(id)), "REVERSAL") }

// RefundOf returns the key of the item that says which entry writes a refund of a payment down, which is an entry.
func RefundOf(payment, refund model.Name) Key {
	return pkSK(khataEntry.with(string(payment)), RefundsOfPayment+string(refund))
}

// RefundsOfPayment begins the sort keys of such items.
const RefundsOfPayment = "REFUND#"

// SaleOf returns the key of the item that says which entry is an order's credit sale.
func SaleOf(store, order model.Name) Key {
	return pkSK(khataSale.with(string(order)), StoreScope(store))
}

// PaymentOf returns the key of the item that says which entry is a payment through WhatsApp.
func PaymentOf(store, reference model.Name) Key {
	return pkSK(khataPayment.with(string(reference)), StoreScope(store))
}

// PaymentAsked returns the key of the item that says from whose account a payment was asked for.
func PaymentAsked(store, reference model.Name) Key {
	return pkSK(khataPayment.with(string(reference)), "ASKED#"+StoreScope(store))
}

// KhataBalance returns the key of a customer's balance in a store.
func KhataBalance(store, phone model.Name) Key {
	return pkSK(StoreScope(store), khataCustomer.with(string(phone)))
}

// KhataCustomerPrefix begins the sort keys of balances.
const KhataCustomerPrefix = "CUST#"

// KhataClaim returns the key of a customer's claim to have paid a store. It stands beside the store's balances. The
// state is a part of it, so that a store's claims of a state are one range, the newest last.
func KhataClaim(store model.Name, state string, id model.Name) Key {
	return pkSK(StoreScope(store), khataClaim.with(state, string(id)))
}

// KhataClaims begins the sort keys of a store's claims of a state, and KhataClaimPrefix those of all claims.
func KhataClaims(state string) string { return KhataClaimPrefix + state + "#" }

// KhataClaimPrefix begins the sort keys of claims, and their places among what a customer has.
const KhataClaimPrefix = "CLAIM#"

// KhataClaimOf returns the place of a claim among those of its customer, and KhataClaimsOf what begins the places of
// the customer's claims of a state in a store.
func KhataClaimOf(store model.Name, state string, id model.Name) string {
	return khataClaimOf.with(state, string(store), string(id))
}

// KhataClaimsOf begins the places of a customer's claims of a state in a store.
func KhataClaimsOf(store model.Name, state string) string {
	return KhataClaims(state) + string(store) + "#"
}

// KhataStorePrefix begins the places of a customer's balances of all stores.
const KhataStorePrefix = "STORE#"

// ClaimID returns the id of the claim that a message makes: a message makes one, whoever reads it. Ids sort by time.
func ClaimID(at model.Time, message model.MessageID) model.Name {
	moment := at.Go().UTC()
	return model.Name(fmt.Sprintf(claimID+"%s-%s%03d%s", moment.Format(reminderDate), moment.Format("150405"),
		moment.Nanosecond()/int(time.Millisecond), Code(6, string(message))))
}

const claimID = "clm-"

// IsClaimID reports whether a text is the id of a claim, which may be gone.
func IsClaimID(text string) bool { return strings.HasPrefix(text, claimID) }

// KhataReplay returns the key of the record of a request that adds to a ledger.
func KhataReplay(hash model.Name) Key { return ByPK(khataReplay.with(string(hash))) }

// KhataCheck returns the key of how far the check of all books has come. It stands beside the records of requests.
func KhataCheck() Key { return ByPK("CHECK#books") }

// KhataOf returns the partition of a customer's entries and balances in the indexes, of all stores.
func KhataOf(phone model.Name) string { return khataPhone.with(string(phone)) }

// KhataAtStore returns the place of an entry among a customer's entries of all stores.
func KhataAtStore(store model.Name, at model.Time) string {
	return khataAtStore.with(string(store), string(at))
}

// KhataOnDate returns the place of an entry among the entries of its store.
func KhataOnDate(date string, id model.Name) string { return khataOnDate.with(date, string(id)) }

// KhataDatePrefix begins the places of a store's entries of a day.
func KhataDatePrefix(date string) string { return "DATE#" + date + "#" }

// ReminderID returns the id of a customer's reminder for a period: a customer has one for each period of a frequency,
// whoever plans it.
func ReminderID(store, phone model.Name, frequency string, period time.Time) model.Name {
	date := period.Format(reminderDate)
	return model.Name("rem-" + date + "-" + strings.ToLower(Code(12, string(store), string(phone), frequency, date)))
}

const reminderDate = "20060102"

// Reminder returns the key of a reminder. The sort key is the beginning of its period, in UTC: it does not move with
// the time at which the reminder is sent, so that no reminder is there twice. It returns the key of nothing for what is
// no id of a reminder.
func Reminder(id model.Name) Key {
	_, rest, _ := strings.Cut(string(id), "-")
	date, _, _ := strings.Cut(rest, "-")
	period, _ := time.Parse(reminderDate, date) // a time that is none is the beginning of all times
	return pkSK(reminder.with(string(id)), reminderAt.with(string(model.At(period))))
}

// ReminderStatus returns the place of a reminder among those of its store.
func ReminderStatus(status string, at model.Time) string {
	return reminderStatus.with(status, string(at))
}

// DueBuckets is the number of shards of what is due: reminders to plan, and reminders to send. They are read side by
// side.
const DueBuckets = 4

// DueBucket returns the shard of a customer's reminders.
func DueBucket(store, phone model.Name) string {
	return DueShard(int(hashOf(string(store) + "#" + string(phone))[0]) % DueBuckets)
}

// DueShard returns the name of a shard.
func DueShard(n int) string { return dueBucket.with(string(rune('0' + n))) }

func pkSK(partition, sort string) Key {
	return Key{PartitionName: PK, Partition: partition, SortName: "sk", Sort: sort}
}

// TransactionID returns the id of an entry: its date, its time of the day, and six characters that follow from texts.
// Ids sort by time.
func TransactionID(date string, sinceMidnight time.Duration, texts ...string) model.Name {
	return model.Name(fmt.Sprintf("txn-%s-%08d%s", date, sinceMidnight.Milliseconds(), Code(6, texts...)))
}
