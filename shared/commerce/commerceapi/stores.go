package commerceapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/stores"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/httpapi"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/operations"
)

func (o *service) stores() {
	operations.Change(o.Registry, huma.Operation{
		OperationID: "create-store", Method: http.MethodPost, Path: "/v1/stores", Tags: []string{storesTag},
		Summary: "Create a store",
		Description: "Its numbers lead to it at once: with assistant set, customers who write to them are answered " +
			"ten seconds later at the latest.",
		Security: httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *createStoreInput) (model.TenantID, operations.Subject, error) {
		tenant, err := operations.Tenant(ctx, in.Body.TenantID, httpapi.Caller.Owns)
		if err == nil && tenant == "" {
			err = dynamo.ErrNotFound
		}
		return tenant, operations.Subject{Tenant: tenant, Target: audit.Target{Type: targetStore, ID: "new"}}, err
	}, o.createStore)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "list-stores", Method: http.MethodGet, Path: "/v1/stores", Tags: []string{storesTag},
		Summary:     "List stores",
		Description: "Those of a tenant, or of its owner, or in a city. It may take a moment until a change shows.",
		Security:    httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, o.listStores)
	operations.Read(o.Registry, huma.Operation{
		OperationID: "get-store", Method: http.MethodGet, Path: "/v1/stores/{storeId}", Tags: []string{storesTag},
		Summary: "Get a store", Security: httpapi.Needs(httpapi.StoresRead), Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *StoreInput) (*storeOutput, error) {
		store, err := o.store(ctx, in.StoreID, httpapi.Caller.Sees)
		return o.shown(ctx, store, err)
	})
	operations.Change(o.Registry, huma.Operation{
		OperationID: "set-store", Method: http.MethodPut, Path: "/v1/stores/{storeId}", Tags: []string{storesTag},
		Summary:     "Change a store",
		Description: "It replaces what is set of the store. Give the version that you have read.",
		Security:    httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *setStoreInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetStore, in.StoreID)
	}, o.setStore)
	operations.Change(o.Registry, huma.Operation{
		OperationID: "confirm-store-number", Method: http.MethodPost, Path: "/v1/stores/{storeId}/confirm-number",
		Tags:    []string{storesTag},
		Summary: "Confirm the shop's own number after it has changed hands",
		Description: "WhatsApp tells when somebody gives up a number. contactInfo.whatsapp is suspended then: " +
			"nobody who has it is told anything, or may write entries. " +
			"Confirm it when the right person has the number, or change it.",
		Security: httpapi.Needs(httpapi.StoresManage), Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *StoreInput) (commercemodel.Store, operations.Subject, error) {
		return o.change(ctx, in.StoreID, targetStore, in.StoreID)
	}, func(ctx context.Context, _ *StoreInput, found commercemodel.Store) (*storeOutput, error) {
		store, err := o.shop.ConfirmNumber(ctx, found.ID)
		return o.shown(ctx, store, err)
	})
}

// shown returns an answer with a store.
func (o *service) shown(ctx context.Context, store commercemodel.Store, err error) (*storeOutput, error) {
	if err != nil {
		return nil, err
	}
	shown := showStore(store)
	shown.NumberSuspended, err = o.shop.NumberSuspended(ctx, store)
	return &storeOutput{shown}, err
}

// StoreBody is what is set of a store.
type StoreBody struct {
	Name           string        `json:"name" minLength:"1" maxLength:"120" doc:"What customers are told it is called."`
	OwnerID        string        `json:"ownerId,omitempty" maxLength:"128" pattern:"^[^#]+$" doc:"Whose store it is; made up where it is left out."`
	OwnerName      string        `json:"ownerName,omitempty" maxLength:"120" doc:"What the owner is called."`
	Status         string        `json:"status,omitempty" enum:"active,closed" default:"active" doc:"A closed store takes no orders."`
	StoreType      string        `json:"storeType,omitempty" maxLength:"40" example:"grocery" doc:"What kind of shop it is."`
	GSTIN          string        `json:"gstin,omitempty" maxLength:"15" doc:"The tax number. With settings.tax it must be a GSTIN."`
	Address        StoreAddress  `json:"address,omitempty" doc:"Where it is."`
	Latitude       Quantity      `json:"latitude,omitempty" pattern:"^-?[0-9]{1,2}(\\.[0-9]{1,8})?$" doc:"North of the equator, in degrees."`
	Longitude      Quantity      `json:"longitude,omitempty" pattern:"^-?[0-9]{1,3}(\\.[0-9]{1,8})?$" doc:"East of Greenwich, in degrees."`
	ContactInfo    StoreContact  `json:"contactInfo,omitempty" doc:"How to reach its people."`
	PhoneNumberIDs []string      `json:"phoneNumberIds,omitempty" maxItems:"10" doc:"Meta's ids of your numbers whose customers order here."`
	CatalogueID    string        `json:"catalogueId,omitempty" maxLength:"20" pattern:"^[0-9]{5,20}$" example:"300000000000001" doc:"One of your product catalogues at Meta. It becomes what the store sells, and changes follow within minutes. Leave it out for none."`
	Settings       StoreSettings `json:"settings,omitempty" doc:"Its rules."`
}

// StoreAddress is where a store is.
type StoreAddress struct {
	Street   string `json:"street,omitempty" maxLength:"200" doc:"Street and number."`
	City     string `json:"city,omitempty" maxLength:"80" pattern:"^[^#]*$" doc:"The city. Stores are found by it."`
	State    string `json:"state,omitempty" maxLength:"80" doc:"The state."`
	Pincode  string `json:"pincode,omitempty" maxLength:"12" doc:"The postal code."`
	Landmark string `json:"landmark,omitempty" maxLength:"200" doc:"What it is near."`
}

// StoreContact says how to reach the people of a store.
type StoreContact struct {
	Phone    string `json:"phone,omitempty" maxLength:"20" example:"+919811111111" doc:"A number to call, as in E.164."`
	WhatsApp string `json:"whatsapp,omitempty" maxLength:"20" example:"+919811111111" doc:"The number that is told what the shop should know: low stock, and orders to confirm."`
	Email    string `json:"email,omitempty" maxLength:"200" doc:"An e-mail address."`
}

// StoreSettings are a store's rules.
type StoreSettings struct {
	AcceptsOnlinePayment bool                         `json:"acceptsOnlinePayment,omitempty" doc:"Whether customers can pay online."`
	DeliveryRadiusKM     Quantity                     `json:"deliveryRadiusKm,omitempty" pattern:"^[0-9]{1,4}(\\.[0-9]{1,2})?$" doc:"How far it delivers, in kilometres."`
	MinOrderAmount       Quantity                     `json:"minOrderAmount,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"Smaller orders are refused."`
	BusinessHours        map[string]StoreHours        `json:"businessHours,omitempty" doc:"By weekday, from monday to sunday. A day that is left out is closed; without any, the store is always open."`
	TimeZone             string                       `json:"timeZone,omitempty" maxLength:"64" example:"Asia/Kolkata" doc:"In which its hours and days are. Default Asia/Kolkata."`
	Country              string                       `json:"country,omitempty" pattern:"^[A-Z]{2}$" example:"IN" doc:"ISO 3166: numbers without a country code are read as numbers of this country. Default: that of contactInfo.whatsapp."`
	Currency             string                       `json:"currency,omitempty" pattern:"^[A-Z]{3}$" doc:"ISO 4217. Default INR."`
	Languages            []string                     `json:"languages,omitempty" maxItems:"8" example:"en" doc:"In which customers are answered: en, hi, hi-Latn, mr, gu, bn, ta, te. The first where theirs is unknown. Default: en, hi, hi-Latn. GET /v1/assistant-texts has the texts of all."`
	PaymentMethods       []string                     `json:"paymentMethods,omitempty" maxItems:"4" enum:"cod,upi,card,credit" doc:"How customers may pay; the first where they say nothing. Default: cod."`
	PaymentConfiguration string                       `json:"paymentConfiguration,omitempty" maxLength:"60" example:"upi-shop" doc:"The name of the payment configuration of the WhatsApp account. An order that is paid by upi is answered with a message in which the customer pays. Without it they get a UPI link, if credit.vpa is set."`
	Confirmation         string                       `json:"confirmation,omitempty" enum:"automatic,shop" doc:"Who confirms an order: nobody needs to, or the shop. Default: shop."`
	AutomaticOrders      int                          `json:"automaticOrders,omitempty" minimum:"0" maximum:"1000" doc:"How many orders a day are confirmed at once of a customer of whom no person has confirmed one yet. More wait for the shop. Default: 5."`
	OrderDays            int                          `json:"orderDays,omitempty" minimum:"0" maximum:"3650" doc:"After how many days orders are deleted; 0 for never."`
	Assistant            bool                         `json:"assistant,omitempty" doc:"Whether the assistant answers customers."`
	Model                string                       `json:"model,omitempty" maxLength:"200" example:"openai:gpt-4o-mini" doc:"The language model that reads what the assistant does not understand, one of those that the deployment allows. What customers write goes to its service then. Leave it out for none."`
	Texts                map[string]map[string]string `json:"texts,omitempty" doc:"The shop's own words in place of the assistant's, by key and language. GET /v1/assistant-texts lists the keys."`
	Delivery             *StoreDelivery               `json:"delivery,omitempty" doc:"How the store brings goods. Where it is given, customers are asked for their address, once."`
	Discounts            []StoreDiscount              `json:"discounts,omitempty" maxItems:"20" doc:"The best one that fits an order is taken off it."`
	RoundTo              Quantity                     `json:"roundTo,omitempty" pattern:"^[0-9]{1,4}(\\.[0-9]{1,2})?$" example:"1" doc:"Totals are rounded to multiples of it. Leave it out for no rounding."`
	Tax                  *StoreTax                    `json:"tax,omitempty" doc:"How orders are taxed, at the rates of the products. Leave it out for no tax."`
	RefundLimit          Quantity                     `json:"refundLimit,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" example:"1000" doc:"A refund of more takes a second person of the team, who is asked in the chat. Leave it out for no limit."`
	Team                 []StoreMember                `json:"team,omitempty" maxItems:"10" doc:"Who may run the store in the chat beside contactInfo.whatsapp."`
	Slots                []StoreSlot                  `json:"slots,omitempty" maxItems:"12" doc:"In which times of the day the store brings goods. Each order in the chat gets one that is free: the one that the customer asks for, or the next. Leave it out for none."`
	Credit               *StoreCredit                 `json:"credit,omitempty" doc:"How the store gives credit, and reminds who owes. Leave it out for credit without a limit, and without reminders."`
}

// StoreMember is somebody who runs a store in the chat.
type StoreMember struct {
	Name     string `json:"name,omitempty" maxLength:"120" doc:"What they are called."`
	WhatsApp string `json:"whatsapp" maxLength:"20" example:"+919822222222" doc:"Their number, as in E.164."`
	Role     string `json:"role" enum:"owner,manager,helper" doc:"An owner or a manager may do everything, and allows what another person may not do alone. A helper moves orders and says what has run out."`
	Quiet    bool   `json:"quiet,omitempty" doc:"Whether they want to hear of no new orders. They may change it in the chat: order alerts off."`
}

// StoreCredit is how a store gives credit.
type StoreCredit struct {
	DefaultLimit      Quantity `json:"defaultLimit,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" doc:"How much a customer may owe who has no limit of their own; leave it out for no limit."`
	AdjustmentLimit   Quantity `json:"adjustmentLimit,omitempty" pattern:"^[0-9]{1,9}(\\.[0-9]{1,2})?$" example:"500" doc:"An adjustment of a balance by more takes a second person of the team, who is asked in the chat. An opening balance does not. Leave it out for no limit."`
	Overpayment       bool     `json:"overpayment,omitempty" doc:"Whether a customer may pay more than they owe, and have it credited."`
	Commands          bool     `json:"commands,omitempty" doc:"Whether contactInfo.whatsapp may write entries in the chat: +500 98765 43210 rice, or -200 98765 43210."`
	Quiet             bool     `json:"quiet,omitempty" doc:"Whether customers are not told of the entries in their ledgers. By default they are told of each."`
	VPA               string   `json:"vpa,omitempty" maxLength:"100" example:"shop@upi" doc:"The UPI address to which customers pay."`
	Reminders         bool     `json:"reminders,omitempty" doc:"Whether customers who owe are reminded, unless their own settings say otherwise. It counts for customers whose ledger begins after it was set."`
	ReminderFrequency string   `json:"reminderFrequency,omitempty" enum:"daily,weekly,monthly" doc:"How often. Default: weekly."`
	ReminderChannel   string   `json:"reminderChannel,omitempty" enum:"whatsapp,sms" doc:"How. Default: whatsapp."`
	ReminderTime      string   `json:"reminderTime,omitempty" pattern:"^[0-2][0-9]:[0-5][0-9]$" example:"10:00" doc:"When, by the store's clock; while the store is closed, when it opens. Default: 10:00."`
	ReminderQR        bool     `json:"reminderQr,omitempty" doc:"Whether a reminder on WhatsApp shows the UPI link as a QR code as well, in the template payment_reminder_qr. It takes a vpa; without the template the reminder has the link alone."`
}

func (c *StoreCredit) set(wrong *fieldProblems) *commercemodel.Credit {
	if c == nil {
		return nil
	}
	return &commercemodel.Credit{
		DefaultLimit: wrong.amount(c.DefaultLimit, "body.settings.credit.defaultLimit"), Overpayment: c.Overpayment,
		AdjustmentLimit: wrong.amount(c.AdjustmentLimit, "body.settings.credit.adjustmentLimit"),
		Commands:        c.Commands, Quiet: c.Quiet, VPA: c.VPA,
		Reminders: c.Reminders, ReminderFrequency: c.ReminderFrequency, ReminderChannel: c.ReminderChannel,
		ReminderTime: c.ReminderTime, ReminderCode: c.ReminderQR,
	}
}

func showCredit(c *commercemodel.Credit) *StoreCredit {
	if c == nil {
		return nil
	}
	return &StoreCredit{
		DefaultLimit: shown(c.DefaultLimit), Overpayment: c.Overpayment, Commands: c.Commands, Quiet: c.Quiet,
		AdjustmentLimit: shown(c.AdjustmentLimit), VPA: c.VPA,
		Reminders:         c.Reminders,
		ReminderFrequency: c.ReminderFrequency, ReminderChannel: c.ReminderChannel, ReminderTime: c.ReminderTime,
		ReminderQR: c.ReminderCode,
	}
}

type storeShown struct {
	ID       string `json:"id" doc:"The store's id."`
	TenantID string `json:"tenantId" doc:"Whose store it is."`
	Version  int64  `json:"version" doc:"Increases with every change."`
	ClosedOn string `json:"closedOn,omitempty" doc:"A day on which it is closed whatever its hours: its people say so in the chat."`
	Verified bool   `json:"verified" doc:"Whether somebody has checked its papers."`
	StoreBody
	NumberSuspended bool   `json:"numberSuspended,omitempty" doc:"Whether contactInfo.whatsapp has passed to somebody else. A list does not show it."`
	CreatedAt       string `json:"createdAt" doc:"When it was created."`
	UpdatedAt       string `json:"updatedAt" doc:"When it changed last."`
}

type storeOutput struct{ Body storeShown }

type createStoreInput struct {
	operations.Keyed
	Body struct {
		TenantID string `json:"tenantId,omitempty" maxLength:"512" doc:"One of your tenants; leave it out for your first."`
		StoreBody
	}
}

type setStoreInput struct {
	StoreInput
	Body struct {
		Version int64 `json:"version" minimum:"1" doc:"The version that you have read."`
		StoreBody
	}
}

// set makes a store what a body says.
func (b StoreBody) set() (func(*commercemodel.Store), error) {
	var wrong fieldProblems
	latitude, longitude := wrong.amount(b.Latitude, "body.latitude"), wrong.amount(b.Longitude, "body.longitude")
	settings := b.Settings
	radius, minimum := wrong.amount(settings.DeliveryRadiusKM, "body.settings.deliveryRadiusKm"),
		wrong.amount(settings.MinOrderAmount, "body.settings.minOrderAmount")
	credit := settings.Credit.set(&wrong)
	delivery, discounts, roundTo := settings.setCharges(&wrong)
	refundLimit := wrong.amount(settings.RefundLimit, "body.settings.refundLimit")
	phones := []model.PhoneNumberID{}
	for _, text := range b.PhoneNumberIDs {
		phone, err := model.ParsePhoneNumberID(text)
		if err != nil {
			return nil, httpapi.Invalid("body.phoneNumberIds", "not the id of a number")
		}
		phones = append(phones, phone)
	}
	hours := map[string]commercemodel.Hours{}
	for day, h := range settings.BusinessHours {
		hours[day] = commercemodel.Hours{Open: h.Open, Close: h.Close}
	}
	return func(s *commercemodel.Store) {
		s.Name, s.OwnerName, s.StoreType, s.GSTIN = b.Name, b.OwnerName, b.StoreType, b.GSTIN
		if b.OwnerID != "" {
			s.OwnerID = model.Name(b.OwnerID)
		}
		if s.Status = commercemodel.StoreStatus(b.Status); s.Status == "" {
			s.Status = commercemodel.StoreActive
		}
		s.Address = commercemodel.Address(b.Address)
		s.ContactInfo = commercemodel.ContactInfo(b.ContactInfo)
		s.Latitude, s.Longitude, s.PhoneNumberIDs = latitude, longitude, phones
		s.CatalogID = model.Name(b.CatalogueID)
		s.Settings = commercemodel.Settings{
			AcceptsOnlinePayment: settings.AcceptsOnlinePayment, DeliveryRadiusKM: radius, MinOrderAmount: minimum,
			BusinessHours: hours,
			TimeZone:      settings.TimeZone, Country: settings.Country, Currency: settings.Currency,
			Languages: settings.Languages, PaymentMethods: settings.PaymentMethods,
			PaymentConfiguration: strings.TrimSpace(settings.PaymentConfiguration),
			Confirmation:         commercemodel.Confirmation(settings.Confirmation),
			AutomaticOrders:      settings.AutomaticOrders,
			OrderDays:            settings.OrderDays, Assistant: settings.Assistant, Model: settings.Model,
			Texts:    settings.Texts,
			Credit:   credit,
			Delivery: delivery, Discounts: discounts, RoundTo: roundTo, Tax: settings.Tax.set(),
			RefundLimit: refundLimit,
		}
		s.Settings.Slots = setSlots(settings.Slots)
		for _, m := range settings.Team {
			s.Settings.Team = append(s.Settings.Team,
				commercemodel.Member{
					Name: m.Name, WhatsApp: m.WhatsApp, Role: commercemodel.Role(m.Role), Quiet: m.Quiet})
		}
	}, wrong.err()
}

func showStore(s commercemodel.Store) storeShown {
	phones := make([]string, len(s.PhoneNumberIDs))
	for i, phone := range s.PhoneNumberIDs {
		phones[i] = string(phone)
	}
	hours := map[string]StoreHours{}
	for day, h := range s.Settings.BusinessHours {
		hours[day] = StoreHours{h.Open, h.Close}
	}
	settings := s.Settings
	all := storeShown{
		ID: string(s.ID), TenantID: string(s.TenantID), Version: s.Version, Verified: s.Verified,
		ClosedOn:  s.ClosedOn,
		CreatedAt: string(s.CreatedAt), UpdatedAt: string(s.UpdatedAt),
		StoreBody: StoreBody{
			Name: s.Name, OwnerID: string(s.OwnerID), OwnerName: s.OwnerName, Status: string(s.Status),
			StoreType: s.StoreType, GSTIN: s.GSTIN,
			Address: StoreAddress(s.Address), ContactInfo: StoreContact(s.ContactInfo), Latitude: shown(s.Latitude),
			Longitude: shown(s.Longitude), PhoneNumberIDs: phones, CatalogueID: string(s.CatalogID),
			Settings: StoreSettings{
				AcceptsOnlinePayment: settings.AcceptsOnlinePayment, DeliveryRadiusKM: shown(settings.DeliveryRadiusKM),
				MinOrderAmount: shown(settings.MinOrderAmount),
				BusinessHours:  hours, TimeZone: settings.TimeZone, Country: settings.Country,
				Currency: settings.Currency, Languages: settings.Languages, PaymentMethods: settings.PaymentMethods,
				PaymentConfiguration: settings.PaymentConfiguration,
				Confirmation:         string(settings.Confirmation), AutomaticOrders: settings.AutomaticOrders,
				OrderDays: settings.OrderDays, Assistant: settings.Assistant, Model: settings.Model,
				Texts:  settings.Texts,
				Credit: showCredit(settings.Credit), RefundLimit: shown(settings.RefundLimit),
			},
		},
	}
	for _, m := range settings.Team {
		all.Settings.Team = append(all.Settings.Team, StoreMember{m.Name, m.WhatsApp, string(m.Role), m.Quiet})
	}
	all.Settings.Slots = showSlots(settings.Slots)
	all.Settings.showCharges(settings)
	return all
}

func (o *service) createStore(ctx context.Context, in *createStoreInput, tenant model.TenantID) (*storeOutput, error) {
	set, err := in.Body.set()
	if err != nil {
		return nil, err
	}
	request, err := in.Request(ctx, tenant, "create-store", in.Body)
	if err != nil {
		return nil, err
	}
	store := commercemodel.Store{TenantID: tenant}
	if err := o.checkModel(in.Body.Settings.Model, ""); err != nil {
		return nil, err
	}
	set(&store)
	store, err = o.shop.Stores.Create(ctx, store, request.ID(), request)
	return o.shown(ctx, store, err)
}

func (o *service) setStore(ctx context.Context, in *setStoreInput, found commercemodel.Store) (*storeOutput, error) {
	set, err := in.Body.set()
	if err != nil {
		return nil, err
	}
	if err := o.checkModel(in.Body.Settings.Model, found.Settings.Model); err != nil {
		return nil, err
	}
	store, err := o.shop.Stores.Update(ctx, found.ID, in.Body.Version, set)
	return o.shown(ctx, store, err)
}

// checkModel returns an error for a language model that the deployment does not allow. A store may keep the one that it
// has: it is not asked if it is allowed no more.
func (o *service) checkModel(model, has string) error {
	if model == "" || model == has || slices.Contains(o.shop.Models, model) {
		return nil
	}
	if len(o.shop.Models) == 0 {
		return httpapi.Invalid("body.settings.model", "the deployment allows no language models")
	}
	return httpapi.Invalid("body.settings.model", "one of "+strings.Join(o.shop.Models, ", "))
}

type listStoresInput struct {
	operations.TenantInput
	httpapi.Page
	OwnerID string `query:"ownerId" maxLength:"128" doc:"Those of an owner."`
	City    string `query:"city" maxLength:"80" doc:"Those in a city."`
}

type storeListOutput struct{ Body httpapi.List[storeShown] }

func (o *service) listStores(ctx context.Context, in *listStoresInput) (*storeListOutput, error) {
	tenant, err := operations.Tenant(ctx, in.TenantID, httpapi.Caller.Sees)
	if err != nil {
		return nil, err
	}
	f := stores.Filter{Tenant: tenant}
	switch {
	case in.OwnerID != "" && in.City != "":
		return nil, httpapi.Invalid("query.city", "a list is by owner or by city")
	case in.OwnerID != "":
		f.Owner, err = name(in.OwnerID)
	case in.City != "":
		f.City, err = name(in.City)
	case tenant == "" && len(httpapi.CallerOf(ctx).Tenants) > 0:
		f.Tenant = httpapi.CallerOf(ctx).Tenants[0]
	case tenant == "":
		return nil, httpapi.Invalid("query.tenantId", "name a tenant, an owner or a city")
	}
	if err != nil {
		return nil, err
	}
	l, err := operations.PageOf(in.Page, "stores", string(tenant), in.OwnerID, in.City)
	if err != nil {
		return nil, err
	}
	rows, next, err := o.shop.Stores.List(ctx, f, in.Limit, l.After)
	if err != nil {
		return nil, err
	}
	return &storeListOutput{operations.ListOf(rows, showStore, l.Position(next))}, nil
}
