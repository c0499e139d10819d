package commerceapi

import (
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

// StoreDelivery is how a store brings goods.
type StoreDelivery struct {
	Charge      Quantity `json:"charge" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"What bringing an order costs; 0 for nothing."`
	FreeFrom    Quantity `json:"freeFrom,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"Orders of that much pay nothing for it."`
	AddressFlow string   `json:"addressFlow,omitempty" maxLength:"200" pattern:"^[0-9]+$" doc:"Meta's id of the published flow by which customers say where they want their goods: that of template-samples/flows/address.json. Leave it out to ask in words."`
}

// StoreDiscount is taken off orders that come to enough.
type StoreDiscount struct {
	From    Quantity `json:"from" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"From what on; 0 for every order."`
	Percent Quantity `json:"percent,omitempty" pattern:"^[0-9]{1,3}(\\.[0-9]{1,2})?$" doc:"How much of a hundred."`
	Amount  Quantity `json:"amount,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"How much money, in place of a percentage."`
}

// StoreTax is how a store's orders are taxed.
type StoreTax struct {
	Mode string `json:"mode" enum:"included,added" doc:"Whether the prices include the tax, or it is added to them."`
}

func (t *StoreTax) set() *commercemodel.TaxSettings {
	if t == nil {
		return nil
	}
	return &commercemodel.TaxSettings{Mode: commercemodel.TaxMode(t.Mode)}
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
			Charge:      amount(s.Delivery.Charge, "delivery.charge"),
			FreeFrom:    wrong.amount(s.Delivery.FreeFrom, "body.settings.delivery.freeFrom"),
			AddressFlow: model.Name(s.Delivery.AddressFlow)}
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
		s.Delivery = &StoreDelivery{Charge: Quantity(d.Charge.String()), FreeFrom: shown(d.FreeFrom),
			AddressFlow: string(d.AddressFlow)}
	}
	for _, d := range of.Discounts {
		s.Discounts = append(s.Discounts,
			StoreDiscount{From: Quantity(d.From.String()), Percent: shown(d.Percent), Amount: shown(d.Amount)})
	}
	s.RoundTo = shown(of.RoundTo)
	if of.Tax != nil {
		s.Tax = &StoreTax{string(of.Tax.Mode)}
	}
}

// billShown says how the total of an order comes about.
type billShown struct {
	Subtotal operations.Money `json:"subtotal" doc:"What the lines cost."`
	Discount operations.Money `json:"discount" doc:"What is taken off."`
	Code     string           `json:"code,omitempty" doc:"The discount code that takes it off; left out where the store's settings do."`
	Delivery operations.Money `json:"delivery" doc:"What bringing it costs."`
	Rounding string           `json:"rounding" doc:"What rounding adds; negative where it takes off."`
	Taxes    []taxShown       `json:"taxes,omitempty" doc:"The GST by rate, the lowest first."`
	TaxAdded bool             `json:"taxAdded,omitempty" doc:"Whether the taxes are added to the prices. Otherwise the prices include them."`
}

// taxShown is the GST of one rate.
type taxShown struct {
	Rate    Quantity         `json:"rate" doc:"In per cent."`
	Taxable operations.Money `json:"taxable" doc:"The value without the tax, after the discount."`
	CGST    operations.Money `json:"cgst" doc:"The half of the country."`
	SGST    operations.Money `json:"sgst" doc:"The half of the state."`
	IGST    operations.Money `json:"igst,omitempty" doc:"The whole, in place of the halves, of a supply into another state."`
}

func showBill(b *commercemodel.Bill) *billShown {
	if b == nil {
		return nil
	}
	bill := &billShown{
		Subtotal: operations.MoneyOf(b.Subtotal), Discount: operations.MoneyOf(b.Discount),
		Code:     string(b.Code),
		Delivery: operations.MoneyOf(b.Delivery), Rounding: b.Rounding.StringFixed(2), TaxAdded: b.TaxAdded}
	for _, t := range b.Taxes {
		shown := taxShown{
			Rate: Quantity(t.Rate.String()), Taxable: operations.MoneyOf(t.Taxable), CGST: operations.MoneyOf(t.CGST),
			SGST: operations.MoneyOf(t.SGST)}
		if t.IGST != nil {
			shown.IGST = operations.MoneyOf(*t.IGST)
		}
		bill.Taxes = append(bill.Taxes, shown)
	}
	return bill
}
