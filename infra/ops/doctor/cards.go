package doctor

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/haatline/haatline/shared/cards"
	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/programs"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
)

const setProgram = "PUT /v1/cards/program"

// checkCards examines the card programs of the tenants that have numbers: whether somebody can decide, and can be
// reached, and whether Meta has approved the templates in the languages that are in use.
func (x *examination) checkCards(ctx context.Context) []finding {
	var list []finding
	var seen []model.TenantID
	for _, n := range x.numbers.value {
		var phone model.Phone
		if err := x.read(ctx, tables.Messages, keys.Phone(model.PhoneNumberID(n.ID)), &phone); err != nil {
			return append(list, x.unread(err, tables.Messages))
		}
		if phone.TenantID == "" || slices.Contains(seen, phone.TenantID) {
			continue
		}
		seen = append(seen, phone.TenantID)
		var program cardsmodel.Program
		if err := x.read(ctx, tables.CardUsers, keys.CardProgram(phone.TenantID), &program); err != nil {
			return append(list, x.unread(err, tables.CardUsers))
		}
		if program.Version == 0 {
			continue
		}
		about := "cards of " + string(phone.TenantID)
		found := append(x.checkAdmins(ctx, program), x.checkTemplates(ctx, program)...)
		if len(found) == 0 {
			found = []finding{fine("%d admins, all templates approved", len(program.Admins))}
		}
		for _, one := range found {
			list = append(list, one.of(about))
		}
	}
	if len(list) == 0 {
		return []finding{fine("no tenant has a program")}
	}
	return list
}

// checkAdmins returns the findings about who decides.
func (x *examination) checkAdmins(ctx context.Context, program cardsmodel.Program) []finding {
	if len(program.Admins) == 0 {
		return []finding{warns("nobody can decide by WhatsApp: the program has no admins", setProgram)}
	}
	people := contacts.Contacts{DB: x.db.value, Now: x.now}
	holders, _, err := people.Authorities(ctx, []model.PhoneNumberID{program.PhoneNumberID}, "",
		programs.Authorities(program.Admins)...)
	if err != nil {
		return []finding{x.refused(err, "dynamodb:BatchGetItem on "+tables.Messages.Name(x.stage))}
	}
	var list []finding
	for i, admin := range program.Admins {
		if holders[i] == "" {
			list = append(list,
				warns(fmt.Sprintf(
					"the number of the admin %s has passed to somebody else: they are not asked and decide nothing",
					admin.ID),
					fmt.Sprintf(
						"find out who has it, then PUT /v1/cards/program, or POST /v1/cards/program/admins/%s/confirm",
						admin.ID)))
			continue
		}
		var conversation model.Conversation
		if err := x.read(ctx, tables.Messages, keys.Conversation(program.PhoneNumberID, holders[i]),
			&conversation); err != nil {
			return append(list, x.unread(err, tables.Messages))
		}
		if conversation.OptedOutAt != "" {
			list = append(list,
				warns(fmt.Sprintf("the admin %s has opted out, and is not asked", admin.ID),
					"have them write START to the number"))
			continue
		}
		failed, err := x.lastNotification(ctx, program.TenantID, admin)
		switch {
		case err != nil:
			return append(list, x.unread(err, tables.WhatsAppNotifications))
		case failed.DeliveryStatus == cardsmodel.NotificationFailed:
			list = append(list,
				warns(fmt.Sprintf("the last message to the admin %s failed: %s", admin.ID,
					x.private.cleaned(failed.LastError)),
					"mend the cause, then POST /v1/cards/notifications/{id}/resend; GET "+
						"/v1/cards/notifications?state=failed names it"))
		}
	}
	return list
}

// lastNotification returns the newest notification to an admin, a zero one if there is none.
func (x *examination) lastNotification(ctx context.Context, tenant model.TenantID,
	admin cardsmodel.Admin) (n cardsmodel.Notification, err error) {
	page, err := x.db.value.Query(ctx, dynamo.Query{
		Table: tables.WhatsAppNotifications, Index: tables.IndexNotificationsByRecipient, Where: "recipientKey = :key",
		Backwards: true, Limit: 1,
		Values: dynamo.Item{":key": dynamo.S(keys.OfTenant(tenant, whatsapp.CanonicalNumber(admin.Phone)))},
	})
	if err != nil || len(page.Items) == 0 {
		return n, err
	}
	return n, x.read(ctx, tables.WhatsAppNotifications,
		keys.Notification(model.Name(dynamo.Text(page.Items[0], "notificationId"))), &n)
}

// checkTemplates returns the findings about templates that Meta has not approved in a language of the program or of an
// admin.
func (x *examination) checkTemplates(ctx context.Context, program cardsmodel.Program) []finding {
	var phone model.Phone
	if err := x.read(ctx, tables.Messages, keys.Phone(program.PhoneNumberID), &phone); err != nil {
		return []finding{x.unread(err, tables.Messages)}
	}
	if phone.TenantID != program.TenantID || phone.WABAMetaID == "" {
		return []finding{
			lacks("the program's number is not the tenant's, or has received no message yet",
				setProgram+" with one of the tenant's numbers")}
	}
	var answered struct {
		Data []struct{ Name, Language, Status string }
	}
	query := url.Values{"fields": {"name,language,status"}, "limit": {"500"}}
	if err := x.graph.get(ctx, x.accessToken.value, "/"+url.PathEscape(string(phone.WABAMetaID))+"/message_templates",
		query, &answered); err != nil {
		return []finding{x.refusedAccount(err)}
	}
	languages := []string{policy.LanguageOf(program.Language)}
	for _, admin := range program.Admins {
		if language := policy.LanguageOf(admin.Language, program.Language); !slices.Contains(languages, language) {
			languages = append(languages, language)
		}
	}
	var list []finding
	for _, template := range cards.Templates() {
		for _, language := range languages {
			status := "not there"
			for _, known := range answered.Data {
				if known.Name == template.Name && known.Language == language {
					status = known.Status
				}
			}
			if status != "APPROVED" {
				list = append(list,
					lacks(fmt.Sprintf("the template %s in %s is %s at Meta", template.Name, language,
						x.private.cleaned(status)),
						fmt.Sprintf("submit template-samples/%s.%s.json in Meta's WhatsApp Manager, Message templates",
							template.Name, language)))
			}
		}
	}
	return list
}
