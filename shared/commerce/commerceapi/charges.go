package commerceapi

import (
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// StoreDelivery is how a store brings goods.
type StoreDelivery struct {
	Charge   Quantity `json:"charge" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"What bringing an order costs; 0 for nothing."`
	FreeFrom Quantity `json:"freeFrom,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"Orders of that much pay nothing for it."`
}

// StoreDiscount is taken off orders that come to enough.
type StoreDiscount struct {
	From    Quantity `json:"from" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"From what on; 0 for every order."`
	Percent Quantity `json:"percent,omitempty" pattern:"^[0-9]{1,3}(\\.[0-9]{1,2})?$" doc:"How much of a hundred."`
	Amount  Quantity `json:"amount,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"How much money, in place of a percentage."`
}

// setCharges makes the charges of a store's settings what a body says.
func (s StoreSettings) setCharges(wrong *fieldProblems) (delivery *commercemodel.Delivery,
	discounts []commercemodel.Discount, roundTo *model.Amount) {
	amount := func(text Quantity, field string) model.Amount {
		if value := wrong.amount(text, "body.settings."+field); value != nil {
			return *value
		}
		return model.Amount{}
	}
	if s.Delivery != nil {
		delivery = &commercemodel.Delivery{
			Charge:   amount(s.Delivery.Charge, "delivery.charge"),
			FreeFrom: wrong.amount(s.Delivery.FreeFrom, "body.settings.delivery.freeFrom")}
	}
	for _, d := range s.Discounts {
		discounts = append(discounts, commercemodel.Discount{
			From: amount(d.From, "discounts"), Percent: wrong.amount(d.Percent, "body.settings.discounts"),
			Amount: wrong.amount(d.Amount, "body.settings.discounts"),
		})
	}
	return delivery, discounts, wrong.amount(s.RoundTo, "body.settings.roundTo")
}

// showCharges shows the charges of a store's settings.
func (s *StoreSettings) showCharges(of commercemodel.Settings) {
	if d := of.Delivery; d != nil {
		s.Delivery = &StoreDelivery{Charge: Quantity(d.Charge.String()), FreeFrom: shown(d.FreeFrom)}
	}
	for _, d := range of.Discounts {
		s.Discounts = append(s.Discounts,
			StoreDiscount{From: Quantity(d.From.String()), Percent: shown(d.Percent), Amount: shown(d.Amount)})
	}
	s.RoundTo = shown(of.RoundTo)
}

// billShown says how the total of an order comes about.
type billShown struct {
	Subtotal operations.Money `json:"subtotal" doc:"What the lines cost."`
	Discount operations.Money `json:"discount" doc:"What is taken off."`
	Delivery operations.Money `json:"delivery" doc:"What bringing it costs."`
	Rounding string           `json:"rounding" doc:"What rounding adds; negative where it takes off."`
}

func showBill(b *commercemodel.Bill) *billShown {
	if b == nil {
		return nil
	}
	return &billShown{
		operations.MoneyOf(b.Subtotal), operations.MoneyOf(b.Discount), operations.MoneyOf(b.Delivery),
		b.Rounding.StringFixed(2)}
}
