package keys

import "github.com/haatline/haatline/shared/tables"

func init() {
	holds(tables.Stores, map[string]Key{"Store": Store("{store}")})
	holds(tables.Products, map[string]Key{
		"Product": Product("{store}", "{product}"), "ProductCount": ProductCount("{store}"),
		"DiscountCode": DiscountCode("{store}", "{code}"),
		"DiscountUse":  DiscountUse("{store}", "{code}", "{customer}"),
		"SlotCount":    SlotCount("{store}", "{date}", "{name}"),
		"Invoice":      Invoice("{store}", "{order}"), "CreditNote": CreditNote("{store}", "{order}"),
		"InvoiceSequence": InvoiceSequence("{store}", "{kind}", "{year}")})
	holds(tables.Orders, map[string]Key{"Order": Order("{store}", "{order}")})
	holds(tables.Sessions, map[string]Key{"Session": Session("{session}")})
	holds(tables.Metrics, map[string]Key{
		"Metric": Metric("{store}", "{kind}", "{date}"), "SystemMetric": SystemMetric("{kind}", "{date}"),
		"CustomerDay": CustomerDay("{store}", "{date}", "{customer}"),
		"OrderMarks":  OrderMarks("{store}", "{order}"),
		"FollowUp":    FollowUp("{store}", "{order}", 1), "Uncopied": Uncopied("{store}", "{order}"),
	})
	holds(tables.RateLimits, map[string]Key{"RateLimit": RateLimit("{identifier}", "{kind}", "{window}")})
}
