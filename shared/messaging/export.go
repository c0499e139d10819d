package messaging

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/export"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/answers"
	"github.com/haatline/haatline/shared/messaging/arrivals"
	"github.com/haatline/haatline/shared/messaging/calls"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/messaging/inbox"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/payments"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/messaging/teamwork"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/outbox"
	"github.com/haatline/haatline/shared/tables"
)

// exporter exports what the eraser and the orchestrator of erasures erase.
func (d *Domain) exporter() export.Exporter {
	return export.Exporter{Domain: Name, LeftOut: leftOut, Lists: []export.List{
		{Kind: "conversation", PerNumber: true, Read: exportConversations},
		{Kind: "identifier", PerNumber: true, Read: exportIdentifiers},
		{Kind: "message", PerNumber: true, Read: d.exportMessages},
		{Kind: "file", PerNumber: true, Read: d.exportFiles},
		{Kind: "call", PerNumber: true, Read: d.exportCalls},
		{Kind: "group", PerNumber: true, Read: d.exportGroups},
		{Kind: "answer", PerNumber: true, Read: d.exportAnswers},
		{Kind: "note", PerNumber: true, Read: d.exportNotes},
		{Kind: "draft", PerNumber: true, Read: d.exportDrafts},
		{Kind: "blocked", PerNumber: true, Read: d.exportEntries(numbers.BlockedKeys)},
		{Kind: "callPermission", PerNumber: true, Read: d.exportEntries(numbers.PermissionKeys)},
		{Kind: "outboxEvent", PerNumber: true, Read: d.exportEvents},
		{Kind: "paymentOrder", Read: d.exportPaid(model.ItemPaymentOrder)},
		{Kind: "refund", Read: d.exportPaid(model.ItemRefund)},
		{Kind: "campaign", Read: d.exportCampaigns},
		{Kind: "text", Read: d.exportTexts},
		{Kind: "email", Read: d.exportEmails},
		{Kind: "arrival", Read: d.exportArrivals},
		{Kind: "told", Read: d.exportTold},
	}}
}

// Attributes that are left out.
var (
	namesOthers = []string{"about"}
	owners      = []string{"owners", "facts", "version", "ttl"}
	members     = []string{"participants", "joinRequests", "asked", "version"}
	inRelays    = []string{"callbackToken", "leaseOwner", "leaseExpiresAt", "attentionPk",
		tables.SortCreatedAtEventID, tables.SortNextRetryAtEventID}
	ofOthers = []string{"conversationPk", "inboxPk", "from", "fromPk", "fromUserId", "to", "senderName", "customerIds",
		"context", "about"}
	repeated = []string{"payload", "entityId"}
)

var leftOut = []export.LeftOut{
	{What: "whom a message tells about", Why: "it names other people",
		Table: tables.Messages, Begins: "MSG#", Attributes: namesOthers},
	{What: "the pointers from haatline's ids of messages to Meta's", Why: "the messages have both",
		Table: tables.Messages, Begins: "MSG#", Attributes: []string{"waMessageId", "outboxEventId"}},
	{What: "who else has had an identifier", Why: "it is about other people",
		Table: tables.Messages, Begins: "ALIAS#", Attributes: owners},
	{What: "the other members of groups, and who asks to join them", Why: "they are other people",
		Table: tables.Messages, Begins: "GROUP#", Attributes: members},
	{What: "the other recipients of campaigns", Why: "they are other people",
		Table: tables.Messages, Begins: "CAMPAIGN#", Attributes: []string{"recipients", "columns", "version", "ttl"}},
	{What: "what Meta has posted, in the log",
		Why:   "the export has the messages, and the log holds other people's, too",
		Table: tables.Messages, Begins: "WEBHOOK#"},
	{What: "the words by which search finds messages, notes and names",
		Why:   "they are those of the messages, the notes and the names, and of other people's, too",
		Table: tables.Messages, Begins: "SEARCH#"},
	{What: "the last words of others' conversations, where they tell of the person",
		Why:   "the export has the messages that they come from",
		Table: tables.Messages, Begins: "CONV#", Attributes: []string{"lastPreview"}},
	{What: "secrets and leases of outbox events", Why: "they are internals of the sending",
		Table: tables.Outbox, Attributes: inRelays},
	{What: "the outbox events of messages that tell others of the person, but for when they were sent",
		Why: "they repeat the message, and name whom it was sent to", Table: tables.Outbox, Attributes: repeated},
	{What: "the numbers of outbox events", Why: "they count", Table: tables.OutboxSequences},
}

func exportConversations(_ context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	items, err := export.Stored(of.Customer.Conversations()...)
	return export.Short(items, after, limit, keys.PK), err
}

// exportIdentifiers exports when the person has had which identifiers. Who else has had them is about other people.
func exportIdentifiers(_ context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var items []dynamo.Item
	for _, held := range of.Customer.Held() {
		item := dynamo.Item{
			keys.PK:      dynamo.S(keys.Alias(of.Phone, held.ID).Partition),
			"itemType":   dynamo.S(model.ItemAlias),
			"identifier": dynamo.S(held.ID),
		}
		for name, order := range map[string]model.Order{"since": held.Since, "until": held.Until} {
			if order != "" {
				item[name] = dynamo.S(order.At())
			}
		}
		items = append(items, item)
	}
	return export.Short(items, after, limit, keys.PK, "since"), nil
}

// messages reads the messages of the person's conversations.
func (d *Domain) messages(
	of erasure.Subject, show func(context.Context, dynamo.Item) (dynamo.Item, error),
) []export.Part {
	var parts []export.Part
	for _, partition := range of.Customer.Partitions() {
		parts = append(parts, export.Query{DB: d.DB, Of: inbox.MessagesQuery(partition), Show: show}.Under(partition))
	}
	return parts
}

func (d *Domain) exportMessages(
	ctx context.Context, of erasure.Subject, after string, limit int,
) (export.Rows, error) {
	show := func(_ context.Context, item dynamo.Item) (dynamo.Item, error) {
		return export.Without(item, namesOthers...), nil
	}
	return export.Parts(ctx, d.messages(of, show), after, limit)
}

// exportFiles exports the records of the files that messages show. The API has the files themselves.
func (d *Domain) exportFiles(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	show := func(ctx context.Context, item dynamo.Item) (dynamo.Item, error) {
		var m model.Message
		if err := dynamo.Unmarshal(item, &m); err != nil || !inbox.ShowsTheirs(m) {
			return nil, err
		}
		ref := dynamo.Ref{Table: tables.Messages, Key: keys.Media(m.MediaID)}
		found, err := d.DB.BatchGet(ctx, []dynamo.Ref{ref})
		return ref.Found(found), err
	}
	return export.Parts(ctx, d.messages(of, show), after, limit)
}

func (d *Domain) exportCalls(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, key := range of.Keys {
		parts = append(parts, export.Query{DB: d.DB, Of: calls.Query(of.Phone, key), Whole: true}.Under(string(key)))
	}
	return export.Parts(ctx, parts, after, limit)
}

// exportGroups exports the groups that the person is or was in, or asks to join. The other members are other people.
func (d *Domain) exportGroups(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	places, err := d.Groups.Places(ctx, of.Phone, of.Identifiers)
	if err != nil {
		return export.Rows{}, err
	}
	var items []dynamo.Item
	for _, p := range places {
		item := dynamo.Item{
			keys.PK: dynamo.S(p.Group.PK), "itemType": dynamo.S(model.ItemGroup),
			"groupId": dynamo.S(p.Group.GroupID), "name": dynamo.S(p.Group.Name),
			"participant": dynamo.S(p.Who), "at": dynamo.S(p.At.At()), "left": dynamo.Bool(p.Left),
		}
		if p.JoinRequest != "" {
			item["joinRequestId"] = dynamo.S(p.JoinRequest)
		}
		items = append(items, item)
	}
	return export.Short(items, after, limit, keys.PK, "participant", "joinRequestId"), nil
}

func (d *Domain) exportAnswers(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	show := func(_ context.Context, item dynamo.Item) (dynamo.Item, error) {
		if !answers.Is(of.Customer, item) {
			return nil, nil
		}
		return item, nil
	}
	var parts []export.Part
	for _, id := range answers.Identifiers(of.Customer) {
		parts = append(parts, export.Query{DB: d.DB, Of: answers.Query(id), Whole: true, Show: show}.Under(string(id)))
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportNotes(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, key := range of.Customer.Keys() {
		parts = append(parts,
			export.Query{DB: d.DB, Of: teamwork.NotesQuery(of.Phone, key), Whole: true}.Under(string(key)))
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportDrafts(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	refs := teamwork.DraftRefs(of.Customer)
	found, err := d.DB.BatchGet(ctx, refs)
	if err != nil {
		return export.Rows{}, err
	}
	var items []dynamo.Item
	for _, ref := range refs {
		if item := ref.Found(found); item != nil {
			items = append(items, item)
		}
	}
	return export.Short(items, after, limit, "pk"), nil
}

// exportEntries exports what numbers keep of the person under keys: that they are blocked, and whether they may be
// called.
func (d *Domain) exportEntries(keysOf func(model.PhoneNumberID, []model.CustomerID) []keys.Key) func(
	context.Context, erasure.Subject, string, int) (export.Rows, error) {
	return func(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
		var refs []dynamo.Ref
		for _, key := range keysOf(of.Phone, of.Identifiers) {
			refs = append(refs, dynamo.Ref{Table: tables.Messages, Key: key})
		}
		found, err := d.DB.BatchGet(ctx, refs)
		if err != nil {
			return export.Rows{}, err
		}
		var items []dynamo.Item
		for _, ref := range refs {
			if item := ref.Found(found); item != nil {
				items = append(items, item)
			}
		}
		return export.Short(items, after, limit, keys.PK), nil
	}
}

// exportPaid exports the items of a type that name a customer who pays: orders, or refunds.
func (d *Domain) exportPaid(itemType string) func(context.Context, erasure.Subject, string, int) (export.Rows, error) {
	return func(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
		show := func(_ context.Context, item dynamo.Item) (dynamo.Item, error) {
			if dynamo.Text(item, "itemType") != itemType || dynamo.Text(item, "tenantId") != string(of.Tenant) {
				return nil, nil
			}
			return item, nil
		}
		var parts []export.Part
		for _, id := range of.Identifiers {
			parts = append(parts,
				export.Query{DB: d.DB, Of: payments.Query(id), Whole: true, Show: show}.Under(string(id)))
		}
		return export.Parts(ctx, parts, after, limit)
	}
}

// events reads the outbox events of an entity.
func (d *Domain) events(of outbox.Entity) export.Part {
	read := func(ctx context.Context, after string, limit int) (rows export.Rows, err error) {
		number := int64(0)
		if after != "" {
			if number, err = strconv.ParseInt(after, 10, 64); err != nil {
				return rows, export.ErrPlace
			}
		}
		events, next, err := d.Outbox().EventsOf(ctx, of, number, limit)
		if err != nil {
			return rows, err
		}
		for i := range events {
			events[i].Payload = mailing.Shown(events[i])
		}
		items, err := export.Stored(events...)
		for i, item := range items {
			at := strconv.FormatInt(events[i].SequenceNumber, 10)
			rows.Rows = append(rows.Rows, export.Row{At: at, Item: export.Without(item, inRelays...)})
		}
		if next > 0 {
			rows.Next = strconv.FormatInt(next, 10)
		}
		return rows, err
	}
	return export.Part{ID: of.Type + " " + of.ID, Read: read}
}

func (d *Domain) exportEvents(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, key := range of.Keys {
		for _, entity := range []string{
			sending.EntityType, contacts.EntityRekey, keys.EntityPaper, keys.EntityWhatsAppCall} {
			parts = append(parts,
				d.events(outbox.Entity{Tenant: of.Tenant, Type: entity, ID: keys.WhatsAppEntityID(of.Phone, key)}))
		}
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportTexts(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, account := range of.Accounts {
		parts = append(parts,
			d.events(outbox.Entity{Tenant: of.Tenant, Type: keys.EntitySMS, ID: string(account)}))
	}
	return export.Parts(ctx, parts, after, limit)
}

func (d *Domain) exportEmails(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, account := range of.Accounts {
		if mailing.IsAddress(account) {
			parts = append(parts, d.events(mailing.EntityOf(of.Tenant, account)))
		}
	}
	return export.Parts(ctx, parts, after, limit)
}

// exportArrivals exports what the person has sent by email and SMS.
func (d *Domain) exportArrivals(ctx context.Context, of erasure.Subject, after string,
	limit int) (export.Rows, error) {
	var parts []export.Part
	for _, account := range of.Accounts {
		parts = append(parts, export.Query{
			DB: d.DB, Of: arrivals.Query(of.Tenant, account), Whole: true}.Under(string(account)))
	}
	return export.Parts(ctx, parts, after, limit)
}

// exportCampaigns exports the places that the person has on the lists of campaigns, with what stands there.
func (d *Domain) exportCampaigns(ctx context.Context, of erasure.Subject, after string,
	limit int) (export.Rows, error) {
	places, err := d.Campaigns.Of(ctx, of.Tenant, of.Identifiers)
	if err != nil {
		return export.Rows{}, err
	}
	var items []dynamo.Item
	for _, p := range places {
		values := dynamo.Item{}
		for i, value := range p.Values {
			if i < len(p.Columns) {
				values[p.Columns[i]] = dynamo.S(value)
			}
		}
		items = append(items, dynamo.Item{
			keys.PK: dynamo.S(p.Campaign.PK), "itemType": dynamo.S(model.ItemCampaign),
			"campaignId": dynamo.S(p.Campaign.CampaignID), "name": dynamo.S(p.Campaign.Name),
			"to": dynamo.S(p.To), "addedAt": dynamo.S(p.AddedAt), "values": dynamo.M(values),
		})
	}
	return export.Short(items, after, limit, keys.PK, "to"), nil
}

// exportTold exports what others were told of the person, without who they are.
func (d *Domain) exportTold(ctx context.Context, of erasure.Subject, after string, limit int) (export.Rows, error) {
	var parts []export.Part
	for _, account := range of.Accounts {
		parts = append(parts, export.Query{
			DB: d.DB, Of: inbox.ToldQuery(of.Tenant, account), Whole: true, Show: d.showTold,
		}.Under(string(account)))
	}
	return export.Parts(ctx, parts, after, limit)
}

// showTold adds the messages to which an item leads, and their outbox events.
func (d *Domain) showTold(ctx context.Context, item dynamo.Item) (dynamo.Item, error) {
	var about model.About
	if err := dynamo.Unmarshal(item, &about); err != nil {
		return nil, err
	}
	messages, err := d.Sender.Told(ctx, about)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, m := range messages {
		if m.OutboxEventID != "" {
			ids = append(ids, m.OutboxEventID)
		}
	}
	events, err := d.Outbox().GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	said, err := export.Stored(messages...)
	if err != nil {
		return nil, err
	}
	shown := make([]dynamo.AttributeValue, len(said))
	for i, message := range said {
		message = export.Without(message, ofOthers...)
		if event, known := events[messages[i].OutboxEventID]; known {
			stored, err := dynamo.Marshal(event)
			if err != nil {
				return nil, err
			}
			message["outboxEvent"] = dynamo.M(export.Without(stored, slices.Concat(inRelays, repeated)...))
		}
		shown[i] = dynamo.M(message)
	}
	item = maps.Clone(item)
	item["told"] = dynamo.L(shown...)
	return item, nil
}
