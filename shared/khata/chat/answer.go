package chat

import (
	"cmp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/model"
)

// AnswerPrefix begins the ids of the buttons by which the shop answers.
const AnswerPrefix = "khata:"

// answer is what the shop says to a customer's claim. It stands in the button's id, which only WhatsApp hands back. It
// counts only from the shop's own number, and only under the question that this domain has asked about the claim.
type answer struct {
	yes       bool
	store     model.Name
	customer  model.Name       // as the ledger names them
	to        model.CustomerID // as their conversation does
	amount    model.Amount
	reference string
	code      string // of the claim
}

// String returns the button's id.
func (a answer) String() string {
	word := "no"
	if a.yes {
		word = "yes"
	}
	customer := a.customer
	if customer == model.PhoneOf(a.to) {
		customer = "" // a button's id is short
	}
	return AnswerPrefix + strings.Join([]string{
		word, string(a.store), string(customer), string(a.to), a.amount.String(), a.reference, a.code}, ":")
}

// parseAnswer is the reverse of String. It reports false for an id that is none.
func parseAnswer(id string) (a answer, ok bool) {
	parts := strings.Split(strings.TrimPrefix(id, AnswerPrefix), ":")
	if len(parts) != 7 || parts[0] != "yes" && parts[0] != "no" {
		return a, false
	}
	store, errStore := model.Parse[model.Name](parts[1])
	to, errTo := model.Parse[model.CustomerID](parts[3])
	customer, errCustomer := model.Parse[model.Name](cmp.Or(parts[2], string(model.PhoneOf(to))))
	amount, errAmount := decimal.NewFromString(parts[4])
	if errStore != nil || errCustomer != nil || errTo != nil || errAmount != nil || len(parts[4]) > 20 ||
		parts[6] == "" {
		return a, false
	}
	return answer{parts[0] == "yes", store, customer, to, model.Amount{Decimal: amount}, parts[5], parts[6]}, true
}
