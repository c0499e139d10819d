package cards

import (
	"context"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// exporter exports what the eraser erases, and the cards, requests, scores and transactions that it keeps.
func (d *Domain) exporter() *export.Exporter {
	return &export.Exporter{Domain: Name, LeftOut: leftOut, Lists: []export.List{
		{Kind: "cardUser", Read: d.exportUsers},
		{Kind: "cardScore", Read: d.ofUsers(tables.CardScores)},
		{Kind: "cardRequest", Read: d.ofUsers(tables.CardRequests)},
		{Kind: "card", Read: d.ofUsers(tables.Cards)},
		{Kind: "cardTransaction", Read: d.exportTransactions},
		{Kind: "cardNotification", Read: d.exportNotifications},
		{Kind: "cardRequestNotification", Read: d.exportRequestNotifications},
		{Kind: "cardCommand", Read: d.exportCommands},
	}}
}

var ofRecipients = []string{"recipientPhone", "recipientName", "recipientKey", "recipientSince", "replies"}

var leftOut = []export.LeftOut{
	{What: "the items that lead from a number or sign-in to a user", Why: "the user has both",
		Table: tables.CardUsers, Begins: "PHONE#"},
	{What: "the items that lead from a sign-in to a user", Why: "the user has it",
		Table: tables.CardUsers, Begins: "FIREBASE#"},
	{What: "who was told about the user's requests", Why: "they are other people",
		Table: tables.WhatsAppNotifications, Attributes: ofRecipients},
}

// query returns the query of a partition of a table or an index.
func query(table tables.Table, index, partition, value string) dynamo.Query {
	return dynamo.Query{
		Table: table, Index: index, Where: "#partition = :value", Names: map[string]string{"#partition": partition},
		Values: dynamo.Item{":value": dynamo.S(value)},
	}
}

// users returns the users whom a person's keys lead to.
func (d *Domain) users(ctx context.Context, of erasure.Subject) (all []cardsmodel.User, err error) {
	found := map[model.Name]bool{}
	for _, account := range of.Accounts {
		user, known, err := d.Users.Identified(ctx, of.Tenant, model.CustomerID(cardsmodel.Canonical(string(account))))
		if err != nil {
			return nil, err
		}
		if known && !found[user.EcosystemID] {
			found[user.EcosystemID], all = true, append(all, user)
		}
	}
	return all, nil
}

func (d *Domain) exportUsers(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	users, err := d.users(ctx, of)
	if err != nil {
		return export.Rows{}, err
	}
	items, err := export.Stored(users...)
	return export.Short(items, after, limit, "ecosystemId"), err
}

// ofUsers reads a table that is partitioned by users.
func (d *Domain) ofUsers(table tables.Table) func(context.Context, erasure.Subject, string, int) (export.Rows, error) {
	return func(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
		users, err := d.users(ctx, of)
		if err != nil {
			return export.Rows{}, err
		}
		var parts []export.Part
		for _, user := range users {
			id := string(user.EcosystemID)
			parts = append(parts, export.Query{DB: d.DB, Of: query(table, "", "ecosystemId", id)}.Under(id))
		}
		return export.Parts(ctx, parts, after, limit)
	}
}

func (d *Domain) exportTransactions(
	ctx context.Context, of erasure.Subject, after string, limit int,
) (export.Rows, error) {
	users, err := d.users(ctx, of)
	if err != nil {
		return export.Rows{}, err
	}
	var parts []export.Part
	for _, user := range users {
		rows, err := d.DB.Rows(ctx, query(tables.Cards, "", "ecosystemId", string(user.EcosystemID)))
		if err != nil {
			return export.Rows{}, err
		}
		for _, row := range rows {
			id := keys.CardTransactions(user.EcosystemID, model.Name(dynamo.Text(row, "cardId")))
			parts = append(parts,
				export.Query{DB: d.DB, Of: query(tables.CardTransactions, "", "ecosystemIdCardId", id)}.Under(id))
		}
	}
	return export.Parts(ctx, parts, after, limit)
}

// exportNotifications exports what the person was sent.
func (d *Domain) exportNotifications(
	ctx context.Context, of erasure.Subject, after string, limit int,
) (export.Rows, error) {
	var parts []export.Part
	for _, key := range recipientKeys(of) {
		parts = append(parts, export.Query{DB: d.DB, Of: toRecipient(key), Whole: true}.Under(key))
	}
	return export.Parts(ctx, parts, after, limit)
}

// exportRequestNotifications exports what others were sent about the person's requests, without who they are.
func (d *Domain) exportRequestNotifications(
	ctx context.Context, of erasure.Subject, after string, limit int,
) (export.Rows, error) {
	users, err := d.users(ctx, of)
	if err != nil {
		return export.Rows{}, err
	}
	own := map[string]bool{}
	for _, key := range recipientKeys(of) {
		own[key] = true
	}
	show := func(_ context.Context, item dynamo.Item) (dynamo.Item, error) {
		if own[dynamo.Text(item, "recipientKey")] {
			return nil, nil // the list above has it
		}
		return export.Without(item, ofRecipients...), nil
	}
	var parts []export.Part
	for _, user := range users {
		rows, err := d.DB.Rows(ctx, query(tables.CardRequests, "", "ecosystemId", string(user.EcosystemID)))
		if err != nil {
			return export.Rows{}, err
		}
		for _, row := range rows {
			id := dynamo.Text(row, "requestId")
			parts = append(parts,
				export.Query{DB: d.DB, Of: aboutRequest(model.Name(id)), Whole: true, Show: show}.Under(id))
		}
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportCommands(
	ctx context.Context, of erasure.Subject, after string, limit int,
) (export.Rows, error) {
	var parts []export.Part
	for _, sender := range senders(of) {
		parts = append(parts, export.Query{DB: d.DB, Of: fromSender(of.Tenant, sender)}.Under(sender))
	}
	return export.Parts(ctx, parts, after, limit)
}
