package commerceapi

import "github.com/haatline/haatline/shared/commerce/commercemodel"

// StoreHours are from opening to closing.
type StoreHours struct {
	Open  string `json:"open" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"08:00" doc:"When it opens."`
	Close string `json:"close" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"21:00" doc:"When it closes. Before opening is after midnight."`
}

// StoreSlot is a time of the day in which a store brings goods.
type StoreSlot struct {
	Name     string `json:"name" maxLength:"40" pattern:"^[^#]+$" example:"morning" doc:"What it is called. No other slot of the store has the name."`
	From     string `json:"from" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"09:00" doc:"When it begins, by the store's clock."`
	To       string `json:"to" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"12:00" doc:"When it ends, on the same day."`
	Cutoff   string `json:"cutoff,omitempty" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"08:00" doc:"Until when one may order for it on its day. Default: until it begins."`
	Capacity int64  `json:"capacity,omitempty" minimum:"0" maximum:"10000" example:"20" doc:"How many orders it takes on a day; 0 for any number."`
}

func setSlots(slots []StoreSlot) (all []commercemodel.Slot) {
	for _, slot := range slots {
		all = append(all, commercemodel.Slot(slot))
	}
	return all
}

func showSlots(slots []commercemodel.Slot) (all []StoreSlot) {
	for _, slot := range slots {
		all = append(all, StoreSlot(slot))
	}
	return all
}

// orderSlot is the time in which a store brings an order.
type orderSlot struct {
	Date string `json:"date" example:"2026-11-27" doc:"The day, by the store's clock."`
	Name string `json:"name" doc:"What it is called."`
	From string `json:"from" example:"09:00" doc:"When it begins."`
	To   string `json:"to" example:"12:00" doc:"When it ends."`
}

func showOrderSlot(slot *commercemodel.TakenSlot) *orderSlot {
	if slot == nil {
		return nil
	}
	return &orderSlot{slot.Date, slot.Name, slot.From, slot.To}
}
