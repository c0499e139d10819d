// Package paying asks customers on WhatsApp to pay what they owe. What they pay there goes into their account.
package paying

import (
	"context"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/khata/shop"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

// The refusals.
var (
	ErrNoPayments = problem.New("the store takes no payments on WhatsApp", problem.Error{
		Class: problem.Conflict, Code: "no-payments", Title: "No payments on WhatsApp",
		Detail: "The store has no payment configuration, or its currency is not INR. Set " +
			"settings.paymentConfiguration of the store.",
	})
	ErrNothingOwed = problem.New("the customer owes nothing", problem.Error{
		Class: problem.Conflict, Code: "nothing-owed", Title: "Nothing is owed",
		Detail: "The customer owes nothing, or less than the amount.",
	})
)

// about begins the reference of the purpose of the messages, before the store.
const about = "payment:"

// StoreOf returns the store for whose account a message has asked for a payment; false for another message.
func StoreOf(purpose model.Purpose, domain string) (model.Name, bool) {
	asks, is := purpose.Asked(domain)
	if !is || !strings.HasPrefix(asks, about) {
		return "", false
	}
	store, err := model.Parse[model.Name](strings.TrimPrefix(asks, about))
	return store, err == nil
}

// bodies are what a message says, by language.
var bodies = map[string]string{
	"en":      "{store}: you owe {balance}. Please pay {amount} here.",
	"hi":      "{store}: आप पर {balance} बाकी हैं। कृपया {amount} यहाँ चुका दीजिए।",
	"hi-Latn": "{store}: aap par {balance} baaki hain. Kripya {amount} yahan chuka dijiye.",
}

// Paying asks customers to pay.
type Paying struct {
	DB      *dynamo.Client
	Now     func() time.Time
	NewID   func() string
	Domain  string
	Sender  sending.Preparer
	Numbers shop.Finder
	Ledger  *ledger.Ledger
}

// Wish is what a customer is asked for.
type Wish struct {
	Account  model.Name    // how the contract names the customer
	Amount   *model.Amount // nil for all that is owed
	Language string        // "" for the customer's
	By       string        // who asks for it
}

// Asked is a message that is on its way.
type Asked struct {
	MessageID      model.MessageID `json:"messageId"`
	ConversationPK string          `json:"conversationPk"`
	ReferenceID    string          `json:"referenceId"` // of the payment
	Amount         model.Amount    `json:"amount"`
	AcceptedAt     model.Time      `json:"acceptedAt"`
}

// Ask sends the message. A repeated request gets the first one's answer and sends nothing. It returns ErrNoPayments,
// ErrNothingOwed, shop.ErrNoNumber, the errors of sending.Sender.Prepare, and idempotency.ErrKeyReused. The message,
// the order that is paid by it, what says whose account it is of, and the record of the request commit together.
func (p *Paying) Ask(ctx context.Context, s shop.Shop, wish Wish, request idempotency.Request) (asked Asked,
	err error) {
	if s.Terms.PaymentConfiguration == "" || s.Currency != "INR" {
		return asked, ErrNoPayments
	}
	phone, err := s.Number(ctx, p.Numbers)
	if err != nil {
		return asked, err
	}
	id := p.NewID()
	return asked, dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		asked, err = p.attempt(ctx, s, phone, wish, id, request)
		return err
	})
}

// attempt is one try. The id names the message and the payment.
func (p *Paying) attempt(ctx context.Context, s shop.Shop, phone model.PhoneNumberID, wish Wish, id string,
	request idempotency.Request) (asked Asked, err error) {
	out := sending.Outgoing{
		Tenant: s.Tenant, Phone: phone, Customer: khatamodel.CustomerOf(wish.Account), SentBy: wish.By,
		ID: model.MessageID(id), Purpose: model.AskOf(p.Domain, about+string(s.ID))}
	order := content.Order{
		ReferenceID: Reference(id), Goods: "physical_goods", Currency: s.Currency, PaymentType: "upi",
		PaymentConfiguration: s.Terms.PaymentConfiguration, QuickPay: true}
	out.Content = content.OrderDetails{Order: order} // what Prepare reads depends on the reference alone
	found, err := p.DB.BatchGet(ctx, append(append(request.Refs(), p.Sender.Refs(out)...),
		ledger.BalanceRef(s.ID, wish.Account)))
	if err != nil {
		return asked, err
	}
	if repeated, err := request.Earlier(found, p.Now(), &asked); repeated || err != nil {
		return asked, err
	}
	b, err := ledger.BalanceIn(found, s.ID, wish.Account)
	if err == nil && b.JoinedInto != "" {
		b, err = p.Ledger.Balance(ctx, s.ID, b.JoinedInto)
	}
	if err != nil {
		return asked, err
	}
	amount := b.OutstandingBalance
	if wish.Amount != nil {
		amount = *wish.Amount
	}
	if !amount.IsPositive() || amount.GreaterThan(b.OutstandingBalance.Decimal) {
		return asked, ErrNothingOwed
	}
	order.Subtotal = content.Amount(amount.Mul(decimal.NewFromInt(100)).Round(0).IntPart())
	order.Total, out.NamedAt = order.Subtotal, b.CreatedAt
	language := wish.Language
	if language == "" {
		language = b.PreferredLanguage
	}
	out.Content = content.OrderDetails{Frame: content.Frame{Body: body(s, language, b, amount)}, Order: order}
	prepared, err := p.Sender.Prepare(ctx, out, found)
	if err != nil {
		return asked, err
	}
	asked = Asked{prepared.MessageID, prepared.ConversationPK, order.ReferenceID, amount, prepared.AcceptedAt}
	remember, err := request.Writes(p.Now(), asked)
	if err != nil {
		return asked, err
	}
	key := keys.PaymentAsked(s.ID, model.Name(order.ReferenceID))
	item, err := dynamo.Marshal(khatamodel.PaymentAsked{
		PK: key.Partition, SK: key.Sort, Account: wish.Account, At: prepared.AcceptedAt})
	if err != nil {
		return asked, err
	}
	writes := append(append(prepared.Writes, remember...),
		dynamo.Put{Table: tables.KhataTransactions, Item: item, If: dynamo.IfAbsent})
	return asked, dynamo.Conflict(p.DB.Transact(ctx, writes))
}

// AccountOf returns from whose account a payment was asked for, or dynamo.ErrNotFound.
func AccountOf(ctx context.Context, db *dynamo.Client, store model.Name, reference string) (model.Name, error) {
	name, err := model.Parse[model.Name](reference)
	if err != nil {
		return "", dynamo.ErrNotFound
	}
	var asked khatamodel.PaymentAsked
	err = db.Get(ctx, tables.KhataTransactions, keys.PaymentAsked(store, name), &asked)
	return asked.Account, err
}

// Reference returns the id under which a payment is reported.
func Reference(id string) string { return "KH-" + strings.ReplaceAll(id, "-", "") }

func body(s shop.Shop, language string, b khatamodel.Balance, amount model.Amount) string {
	const longest = 200
	name := model.Truncate(strings.Join(strings.Fields(s.Name), " "), longest)
	return strings.NewReplacer("{store}", name, "{balance}", s.Money(b.OutstandingBalance), "{amount}",
		s.Money(amount)).Replace(bodies[s.Language(language)])
}
