package cost

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/conversations/conversationsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/golden"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/stream"
	"github.com/haatline/haatline/shared/tables"
)

// These tests keep what each release has stored, and read it with this one.

var keepAs = flag.String("release", "", "the release, such as 2026-11, whose items are kept in testdata/items")

// kinds returns a new entity for each kind of item: the table, and the item type or what its keys begin with. nil is an
// item that is read attribute by attribute.
var kinds = map[string]any{
	"Messages ABOUT": &model.About{}, "Messages ACCOUNT": &model.Account{}, "Messages ALIAS": &model.Alias{},
	"Messages CAMPAIGN": &model.Campaign{}, "Messages CAMPAIGN_PART": &model.CampaignPart{},
	"Messages CAMPAIGN_PROGRESS": &model.CampaignProgress{}, "Messages CAMPAIGN_USE": &model.CampaignUse{},
	"Messages CALL": &model.Call{}, "Messages CONVERSATION": &model.Conversation{},
	"Messages IDEMPOTENCY": &model.Idempotency{},
	"Messages MESSAGE":     &model.Message{}, "Messages PHONE": &model.Phone{},
	"Messages RECEIVED": &model.Received{},
	"Messages SEARCH":   &model.SearchIndex{}, "Messages SEARCH_SEGMENT": &model.SearchSegment{},
	"Messages SENDER":        &model.Sender{},
	"Messages TEMPLATE_META": &model.Template{}, "Messages TENANT": &model.Tenant{},
	"Messages WEBHOOK_EVENT": &model.WebhookEvent{}, "AuditLogs": &model.AuditLog{},
	"Outbox": &model.OutboxEvent{}, "OutboxSequences": &model.OutboxSequence{},
	"CardIdempotency": &cardsmodel.Idempotency{}, "CardRequests": &cardsmodel.Request{},
	"CardScores": &cardsmodel.Score{}, "CardTransactions": &cardsmodel.Transaction{}, "Cards": &cardsmodel.Card{},
	"CardUsers": &cardsmodel.User{}, "CardUsers PROGRAM": &cardsmodel.Program{},
	"CardUsers FIREBASE": nil, "CardUsers PHONE": nil, // they lead to a user
	"PendingApprovals": &cardsmodel.Approval{}, "PendingApprovals CODE": &cardsmodel.RequestCode{},
	"WhatsappInbound": &cardsmodel.Inbound{}, "WhatsappNotifications": &cardsmodel.Notification{},
	"CustomerBalances STORE CUST": &khatamodel.Balance{}, "IdempotencyKeys IDEM": &khatamodel.IdempotencyKey{},
	"KhataTransactions TXN STORE":         &khatamodel.Transaction{},
	"PaymentReminders REMINDER SCHEDULED": &khatamodel.Reminder{},
	"Metrics STORE CUSTOMER":              &commercemodel.CustomerDay{},
	"Metrics STORE MARKS":                 &commercemodel.OrderMarks{},
	"Metrics STORE METRIC":                &commercemodel.Metric{},
	"Orders":                              &commercemodel.Order{}, "Stores": &commercemodel.Store{},
	"Sessions SESSION":       &commercemodel.Session{},
	"Products STORE PRODUCT": &commercemodel.Product{}, "Products STORE PRODUCTS": nil, // it counts them
	"RateLimits RATE_LIMIT": &ratelimit.Item{},
	"Conversations":         &conversationsmodel.Conversation{}, "Conversations COMPANIES": nil, // it lists companies
	"Conversations COMPANY":         &conversationsmodel.Company{},
	"Conversations COMPANY PROJECT": &conversationsmodel.Project{}, "Conversations MESSAGE": nil,
	"Conversations QUESTIONS": &conversationsmodel.Questions{},
	// A part of a list is written once, and an address only says whose it is.
	"Conversations QUESTIONS PART": nil, "Conversations MAILBOX": nil, "Conversations SPENT": nil, // it counts
	"Conversations SPENT_BY": nil,
	"CommunityUsers USER":    &communitymodel.User{}, "CommunityUsers SETTINGS": &communitymodel.Settings{},
	"Communities COMMUNITY COMMUNITY": &communitymodel.Community{},
	// The others are written attribute by attribute, or once.
	"Communities COMMUNITY USER": nil, "Communities COMMUNITY GROUPCHAT": nil, "Communities TENANT NAME": nil,
	"CommunityNotifications USER NOTIFICATION": nil, "GroupChats GROUPCHAT GROUPCHAT": nil,
	"GroupChats GROUPCHAT USER": nil, "GroupChats GROUPCHAT MESSAGE": nil, "GroupChats GROUPCHAT CHANGE": nil,
	"GroupChats GROUPCHAT REACTION": nil, "GroupChats GROUPCHAT MIRRORED": nil, "GroupChats GROUPCHAT FILE": nil,
	"Communities BRIDGE WHATSAPPGROUP": nil, "Communities BRIDGE GROUPCHAT": nil,
	"Messages EVENT_SUBSCRIPTION": &model.EventSubscription{},
	"Messages PUSH_DEVICE":        &model.PushDevice{},
	// They are written once.
	"Messages PUSH_KEY": nil, "Messages MEMBER": nil, "Messages MENTION": nil,
	"Messages MEDIA": &model.Media{}, "Messages NOTE": &model.Note{}, "Messages DRAFT": &model.Draft{},
	"Messages PERSON": &model.Person{},
	"Messages GROUP":  &model.Group{}, "CommunityUsers CODE": nil, "CommunityNotifications USER": nil,
	"CommunityNotifications DIGESTS DUE": nil, "CommunityNotifications USER DRAFT": nil,
	"CommunityNotifications USER PICTURE": nil, "Communities COMMUNITY PICTURE": nil,
}

// kindOf returns the kind of an item.
func kindOf(table tables.Table, item dynamo.Item) string {
	kind := table.ID
	if named := dynamo.Text(item, "itemType"); named != "" {
		return kind + " " + named
	}
	for _, attribute := range []string{table.Partition.Name, table.Sort.Name} {
		word, _, several := strings.Cut(dynamo.Text(item, attribute), "#")
		named := word != "" && word == strings.ToUpper(word) && !strings.ContainsAny(word, "0123456789-")
		if named && (several || word == "PRODUCTS") {
			kind += " " + word
		}
	}
	return kind
}

// kept is an item of a release in its golden file.
type kept struct {
	Table string
	Item  map[string]events.DynamoDBAttributeValue
}

// stored returns one item of each kind and set of attributes that the flows store.
func stored(t *testing.T) (all []kept) {
	t.Helper()
	seen := map[string]bool{}
	for _, domain := range domains {
		for _, f := range domain.flows() {
			used := append([]tables.Table{tables.Messages, tables.Outbox, tables.OutboxSequences}, f.tables...)
			db := dynamotest.StartWhole(t, used...)
			s := &system{t: t, db: db, client: db.Client, now: noon, seen: map[string]bool{}}
			if f.before != nil {
				f.before(s)
			}
			f.run(s)
			for _, table := range used {
				for _, item := range db.Items(t, table) {
					kind := kindOf(table, item)
					if _, known := kinds[kind]; !known {
						t.Errorf("nobody says how an item of the kind %q is read", kind)
					}
					shape := kind + strings.Join(slices.Sorted(maps.Keys(item)), ",")
					if !seen[shape] {
						seen[shape] = true
						all = append(all, kept{table.ID, stream.Image(item)})
					}
				}
			}
		}
	}
	return all
}

// A later release can read the items of each earlier one, and write them whole without losing an attribute.
func TestTheItemsOfEveryReleaseAreRead(t *testing.T) {
	now := stored(t)
	if *keepAs != "" {
		text, err := json.MarshalIndent(now, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Write(t, "testdata/items/"+*keepAs+".json", string(text)+"\n")
	}
	files, err := filepath.Glob("testdata/items/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no release is kept: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var items []kept
		if err := json.Unmarshal(text, &items); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, one := range items {
			wantRead(t, file, one)
		}
	}
}

func wantRead(t *testing.T, file string, one kept) {
	t.Helper()
	i := slices.IndexFunc(tables.All(), func(t tables.Table) bool { return t.ID == one.Table })
	if i < 0 {
		t.Errorf("%s: there is no table %s", file, one.Table)
		return
	}
	item := stream.Item(one.Item)
	kind := kindOf(tables.All()[i], item)
	if kinds[kind] == nil {
		return
	}
	entity := reflect.New(reflect.TypeOf(kinds[kind]).Elem()).Interface()
	if err := dynamo.Unmarshal(item, entity); err != nil {
		t.Errorf("%s: %s: %v", file, kind, err)
		return
	}
	again, err := dynamo.Marshal(entity)
	if err != nil {
		t.Errorf("%s: %s: %v", file, kind, err)
	}
	_, whole := entity.(dynamo.Versioned)
	for name, value := range item {
		if !reflect.DeepEqual(value, again[name]) && (whole || again[name] != nil) {
			t.Errorf("%s: %s: %s was %v, and is %v", file, kind, name, value, again[name])
		}
	}
}
