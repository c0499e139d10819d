package keys

import (
	"strconv"

	"github.com/haatline/haatline/shared/model"
)

// The forms of the commerce contract's composite keys. CODE, CODE_USE, SLOT, INVOICE, CREDIT_NOTE, INVOICES,
// CUSTOMER_DAY, ORDER_MARKS, FOLLOW_UP and ANALYTICS are additions.
var (
	storeScope   = Pattern{"STORE", []string{"STORE", "{storeId}"}}
	product      = Pattern{"PRODUCT", []string{"PRODUCT", "{productId}"}}
	code         = Pattern{"CODE", []string{"CODE", "{code}"}}
	codeUse      = Pattern{"CODE_USE", []string{"CODE_USE", "{code}", "{customerId}"}}
	slotCount    = Pattern{"SLOT", []string{"SLOT", "{date}", "{name}"}}
	invoice      = Pattern{"INVOICE", []string{"INVOICE", "{orderId}"}}
	creditNote   = Pattern{"CREDIT_NOTE", []string{"CREDIT_NOTE", "{orderId}"}}
	invoices     = Pattern{"INVOICES", []string{"INVOICES", "{kind}", "{year}"}}
	session      = Pattern{"SESSION", []string{"SESSION", "{sessionId}"}}
	metric       = Pattern{"METRIC", []string{"METRIC", "{type}", "{date}"}}
	customerDay  = Pattern{"CUSTOMER_DAY", []string{"CUSTOMER", "{date}", "{customerId}"}}
	orderMarks   = Pattern{"ORDER_MARKS", []string{"MARKS", "{orderId}"}}
	followUp     = Pattern{"FOLLOW_UP", []string{"FOLLOW_UP", "{orderId}", "{version}"}}
	followUps    = Pattern{"FOLLOW_UPS", []string{"FOLLOW_UPS", "{state}"}}
	uncopied     = Pattern{"ANALYTICS", []string{"ANALYTICS", "{orderId}"}}
	rateLimit    = Pattern{"RATE_LIMIT", []string{"RATE_LIMIT", "{identifier}"}}
	rateWindow   = Pattern{"RATE_WINDOW", []string{"{type}", "{window}"}}
	ofCustomer   = Pattern{"OF_CUSTOMER", []string{"CUSTOMER", "{phone}"}}
	storeDate    = Pattern{"STORE_DATE", []string{"STORE", "{storeId}", "DATE", "{date}"}}
	storeStatus  = Pattern{"STORE_STATUS", []string{"STORE", "{storeId}", "STATUS", "{status}"}}
	ofOwner      = Pattern{"OF_OWNER", []string{"OWNER", "{ownerId}"}}
	inCity       = Pattern{"IN_CITY", []string{"CITY", "{city}"}}
	inCategory   = Pattern{"IN_CATEGORY", []string{"CATEGORY", "{category}"}}
	ofBrand      = Pattern{"OF_BRAND", []string{"BRAND", "{brand}"}}
	brandProduct = Pattern{"BRAND_PRODUCT", []string{"BRAND", "{brand}", "{productId}"}}
	storeProduct = Pattern{"STORE_PRODUCT", []string{"STORE", "{storeId}", "{productId}"}}
	listed       = Pattern{"LISTED", []string{"CATEGORY", "{category}", "{name}"}}
	ofInvoices   = Pattern{"OF_INVOICES", []string{"INVOICES", "{storeId}"}}
	dayMade      = Pattern{"DAY_MADE", []string{"{date}", "{madeAt}"}}
	onDate       = Pattern{"ON_DATE", []string{"DATE", "{date}"}}
	limitType    = Pattern{"LIMIT_TYPE", []string{"LIMIT_TYPE", "{type}"}}
	windowOf     = Pattern{"WINDOW_OF", []string{"{windowStart}", "{identifier}"}}
)

// SystemMetrics is the partition of the figures of all stores together.
const SystemMetrics = "SYSTEM"

// Store returns the key of a store.
func Store(id model.Name) Key { return ByPK(string(id)) }

// StoreScope returns the partition of what a store has: its products and its figures.
func StoreScope(store model.Name) string { return storeScope.with(string(store)) }

// Product returns the key of a store's product.
func Product(store, id model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: product.with(string(id))}
}

// ProductCount returns the key of how many products a store has.
func ProductCount(store model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: "PRODUCTS"}
}

// ProductPrefix begins the sort keys of products.
const ProductPrefix = "PRODUCT#"

// DiscountCode returns the key of a store's discount code.
func DiscountCode(store, id model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: code.with(string(id))}
}

// DiscountUse returns the key of how often a customer has used a store's discount code.
func DiscountUse(store, id, customer model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk",
		Sort: codeUse.with(string(id), string(customer))}
}

// DiscountCodePrefix begins the sort keys of discount codes.
const DiscountCodePrefix = "CODE#"

// DiscountUsePrefix begins the sort keys of how often customers have used a discount code.
func DiscountUsePrefix(id model.Name) string { return codeUse.with(string(id), "") }

// SlotCount returns the key of how many orders a store has in one of its slots on a day.
func SlotCount(store model.Name, date, name string) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: slotCount.with(date, name)}
}

// Invoice returns the key of the invoice of a store's order.
func Invoice(store, order model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: invoice.with(string(order))}
}

// CreditNote returns the key of the credit note of a store's order.
func CreditNote(store, order model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: creditNote.with(string(order))}
}

// InvoiceSequence returns the key of how many papers of a kind a store has made in a financial year.
func InvoiceSequence(store model.Name, kind, year string) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: invoices.with(kind, year)}
}

// InvoicesOf returns the index key of a store's invoices and credit notes.
func InvoicesOf(store model.Name) string { return ofInvoices.with(string(store)) }

// InvoiceMade returns the index key of when an invoice or a credit note was made: its day by the store's clock, then
// the instant.
func InvoiceMade(date string, at model.Time) string { return dayMade.with(date, string(at)) }

// InvoiceDays returns the first and the last index key of the invoices of some days.
func InvoiceDays(from, to string) (first, last string) { return from + "#", to + "#~" }

// Order returns the key of a store's order.
func Order(store, id model.Name) Key {
	return Key{PartitionName: "store_id", Partition: string(store), SortName: "id", Sort: string(id)}
}

// Session returns the key of a customer's session with a store.
func Session(id model.Name) Key { return ByPK(session.with(string(id))) }

// Metric returns the key of a store's figures of one day.
func Metric(store model.Name, kind, date string) Key { return metricKey(StoreScope(store), kind, date) }

// SystemMetric returns the key of the figures of all stores of one day.
func SystemMetric(kind, date string) Key { return metricKey(SystemMetrics, kind, date) }

func metricKey(scope, kind, date string) Key {
	return Key{PartitionName: PK, Partition: scope, SortName: "sk", Sort: metric.with(kind, date)}
}

// MetricPrefix begins the sort keys of figures of a type.
func MetricPrefix(kind string) string { return "METRIC#" + kind + "#" }

// CustomerDay returns the key of what one customer's orders of one day have added to the store's figures.
func CustomerDay(store model.Name, date string, customer model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk",
		Sort: customerDay.with(date, string(customer))}
}

// OrderMarks returns the key of what was done about an order.
func OrderMarks(store, order model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: orderMarks.with(string(order))}
}

// FollowUp returns the key of what has to be done again about a change of an order.
func FollowUp(store, order model.Name, version int64) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk",
		Sort: followUp.with(string(order), strconv.FormatInt(version, 10))}
}

// FollowUpPrefix begins the sort keys of what has to be done again.
const FollowUpPrefix = "FOLLOW_UP#"

// FollowUpsAside and FollowUpsParked are the partitions of what is tried again, and of what has failed for good.
var (
	FollowUpsAside  = followUps.with("aside")
	FollowUpsParked = followUps.with("parked")
)

// Uncopied returns the key of an order that analytics has not taken yet.
func Uncopied(store, order model.Name) Key {
	return Key{PartitionName: PK, Partition: StoreScope(store), SortName: "sk", Sort: uncopied.with(string(order))}
}

// UncopiedOrders is the partition of all orders that analytics has not taken yet.
var UncopiedOrders = uncopied.with("aside")

// RateLimit returns the key of one window of a caller's limit of a type.
func RateLimit(identifier model.Name, kind, window string) Key {
	return Key{PartitionName: PK, Partition: rateLimit.with(string(identifier)), SortName: "sk",
		Sort: rateWindow.with(kind, window)}
}

// OrdersOfCustomer, OrdersOfDay and OrdersInState return the partitions of the indexes of orders; SessionsOf that of
// sessions.
func OrdersOfCustomer(phone model.Name) string         { return ofCustomer.with(string(phone)) }
func OrdersOfDay(store model.Name, date string) string { return storeDate.with(string(store), date) }
func OrdersInState(store model.Name, status string) string {
	return storeStatus.with(string(store), status)
}
func SessionsOf(phone model.Name) string    { return ofCustomer.with(string(phone)) }
func StoresOf(owner model.Name) string      { return ofOwner.with(string(owner)) }
func StoresIn(city model.Name) string       { return inCity.with(string(city)) }
func ProductsIn(category model.Name) string { return inCategory.with(string(category)) }
func ProductsOf(brand model.Name) string    { return ofBrand.with(string(brand)) }
func BrandProduct(brand, product model.Name) string {
	return brandProduct.with(string(brand), string(product))
}
func StoreProduct(store, product model.Name) string {
	return storeProduct.with(string(store), string(product))
}
func Listed(category, name model.Name) string { return listed.with(string(category), string(name)) }
func MetricsOn(date string) string            { return onDate.with(date) }
func LimitsOf(kind string) string             { return limitType.with(kind) }
func WindowOf(start model.Time, identifier model.Name) string {
	return windowOf.with(string(start), string(identifier))
}

// OrderNumber returns the id of an order: its date and eight characters.
func OrderNumber(date, code string) model.Name { return model.Name("ORD-" + date + "-" + code) }

// Code returns n characters of Crockford's alphabet, without letters that look like others, that follow from texts.
func Code(n int, texts ...string) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	all := ""
	for _, text := range texts {
		all += strconv.Itoa(len(text)) + ":" + text
	}
	sum := hashOf(all)
	code := make([]byte, n)
	for i := range code {
		code[i] = alphabet[sum[i]%32]
	}
	return string(code)
}
