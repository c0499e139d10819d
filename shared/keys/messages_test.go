package keys

import (
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/haatline/haatline/shared/model"
)

// madeKey is a key made by an exported function, the form it must have, and the key the contract gives it.
type madeKey struct {
	key     Key
	pattern Pattern
	want    string
}

// made calls every exported key function of the messages table once.
func made() map[string]madeKey {
	return map[string]madeKey{
		"Message":       {Message("wamid.A=="), message, "MSG#wamid.A=="},
		"Conversation":  {Conversation("1055", "919876543210"), conversation, "CONV#1055#919876543210"},
		"Tenant":        {Tenant("shop"), tenant, "TENANT#shop"},
		"Media":         {Media("m-1"), media, "MEDIA#m-1"},
		"WebhookEvent":  {WebhookEvent("0a1b"), webhookEvent, "WEBHOOK#0a1b"},
		"WebhookChunk":  {WebhookChunk("0a1b", "0003"), webhookChunk, "WEBHOOK#0a1b#CHUNK#0003"},
		"WebhookSource": {WebhookSource("1020", "message"), webhookSource, "WEBHOOK_SOURCE#1020#message"},
		"Idempotency":   {Idempotency("9f86"), idempotency, "IDEMPOTENCY#9f86"},
		"Phone":         {Phone("1055"), phone, "PHONE#1055"},
		"Sender":        {Sender("+447700900444"), sender, "SENDER#+447700900444"},
		"Person":        {Person("7f1c"), person, "PERSON#7f1c"},
		"Member":        {Member("7f1c", "shop"), member, "MEMBER#7f1c#shop"},
		"Alias":         {Alias("1055", "IN.123"), alias, "ALIAS#1055#IN.123"},
		"Account":       {Account("1020"), account, "ACCOUNT#1020"},
		"FlowResponse":  {FlowResponse("12", "wamid.A=="), flowResponse, "FLOW_RESPONSE#12#wamid.A=="},
		"Note":          {Note("106", "919876543210", "n1"), note, "NOTE#106#919876543210#n1"},
		"SearchIndex":   {SearchIndex("106"), searchIndex, "SEARCH#106"},
		"SearchSegment": {SearchSegment("106", 7), searchSegment, "SEARCH#106#SEGMENT#7"},
		"QuickReply":    {QuickReply("demo", "hours"), quickReply, "QUICK_REPLY#demo#hours"},
		"Draft":         {Draft("106", "919876543210"), draft, "DRAFT#106#919876543210"},
		"Mention":       {Mention("106", "person-1", "919876543210"), mention, "MENTION#106#person-1#919876543210"},
		"SavedFilters":  {SavedFilters("demo", "person-1"), savedFilters, "FILTERS#demo#person-1"},
		"Address":       {Address("919876543210", "wamid.A=="), address, "ADDRESS#919876543210#wamid.A=="},
		"MediaTypes":    {MediaTypes(), mediaTypes, "CONFIG#MEDIA_TYPES"},
		"ResponseTimes": {ResponseTimes("1020", "2026-11-21"), responseTimes, "RESPONSE_TIMES#1020#2026-11-21"},
		"Analytics":     {Analytics("1020", "2026-11-21"), analytics, "ANALYTICS#1020#2026-11-21"},
		"Infra":         {Infra(), infra, "CONFIG#INFRA"},
		"WebhookConfig": {WebhookConfig("1020"), webhookConfig, "WEBHOOK_CONFIG#1020"},
		"About":         {About("wamid.A==", "919876543210"), about, "ABOUT#wamid.A==#919876543210"},
		"Call":          {Call("wacid.A=="), call, "CALL#wacid.A=="},
		"Group":         {Group("Y2Fw"), group, "GROUP#Y2Fw"},
		"PaymentOrder":  {PaymentOrder("106540352242922", "R1"), paymentOrder, "ORDER#106540352242922#R1"},
		"Refund":        {Refund("4f2a"), refund, "REFUND#4f2a"},
		"PaymentConfig": {PaymentConfig("shop", "upi-main"), paymentConfig, "TENANT#shop#PAYCFG#upi-main"},
		"Quality":       {Quality("1055"), quality, "QUALITY#1055"},
		"Profile":       {Profile("1055"), profile, "PROFILE#1055"},
		"NumberSetting": {NumberSetting("1055", "calling"), numberSetting, "SETTING#1055#calling"},
		"NumberEntry":   {NumberEntry("1055", "qr_codes", "4f2a"), numberEntry, "SETTING#1055#qr_codes#4f2a"},
		"OpenForm":      {OpenForm("4f2a"), openForm, "FORM#" + Code(32, "form", "4f2a")},
		"Catalog":       {Catalog("1033"), catalog, "CATALOG#1033"},
		"CatalogItem":   {CatalogItem("1033", "sku/1"), catalogItem, "PRODUCT#1033#sku/1"},
		"Flow":          {Flow("6627"), flow, "FLOW#6627"},
		"LibrarySearch": {LibrarySearch("1020", "9F86"), librarySearch, "LIBRARY#1020#9F86"},
		"LibraryPage": {LibraryPage("1020", "9F86", "2026-11-21T12:00:00.000Z", 3), libraryPage,
			"LIBRARY#1020#9F86#PAGE#2026-11-21T12:00:00.000Z#3"},
		"TemplateEUM":   {TemplateEUM("waba-1", "offer", "en_US"), templateEUM, "TEMPLATE_EUM#waba-1#offer#en_US"},
		"TemplateMedia": {TemplateMedia("1013"), templateMedia, "TEMPLATE_MEDIA#1013"},
		"TemplateMeta":  {TemplateMeta("1020", "offer", "en_US"), templateMeta, "TEMPLATE_META#1020#offer#en_US"},
		"Erased":        {Erased("1055", "IN.123"), erasedItem, "ERASED#1055#a551420482e3591c0ef4def3efd669db"},
		"Received":      {Received("email.1f"), received, "RECEIVED#email.1f"},
		"Campaign":      {Campaign("4f2a"), campaign, "CAMPAIGN#4f2a"},
		"CampaignPart":  {CampaignPart("4f2a", "9f86", 3), campaignPart, "CAMPAIGN#4f2a#PART#9f86#3"},
		"CampaignUse":   {CampaignUse("1020"), campaignUse, "CAMPAIGN_USE#1020"},
		"CampaignProgress": {CampaignProgress("4f2a", "9f86", 3), campaignProgress,
			"CAMPAIGN#4f2a#PROGRESS#9f86#3"},
		"EventSubscription": {EventSubscription("shop", "erp"), eventSubscription, "EVENT_SUBSCRIPTION#shop#erp"},
		"PushDevice":        {PushDevice("shop", "7f1c", "4f2a"), pushDevice, "PUSH_DEVICE#shop#7f1c#4f2a"},
		"PushKey":           {PushKey("shop"), pushKey, "PUSH_KEY#shop"},
		"Suppression": {Suppression("shop", "a@example.com"), suppression,
			"SUPPRESSION#shop#" + shortHash("shop#a@example.com")},
	}
}

func TestEveryKeyFunctionMakesTheContractsKey(t *testing.T) {
	for name, m := range made() {
		if want := (Key{PartitionName: "pk", Partition: m.want}); m.key != want {
			t.Errorf("%s makes %+v, want %+v", name, m.key, want)
		}
		if _, ok := m.pattern.ids(m.key.Partition); !ok {
			t.Errorf("%s makes %q, which has not the form %s", name, m.key.Partition, m.pattern)
		}
	}
}

// The tests prove of every listed key function that its keys differ from the others.
func TestEveryExportedKeyFunctionIsListed(t *testing.T) {
	var declared []string
	for _, name := range []string{"messages.go", "teamwork.go", "webhooks.go", "subscriptions.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		declared = append(declared, keyFunctions(file)...)
	}
	slices.Sort(declared)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(made())), declared); diff != "" {
		t.Errorf("listed (-) and declared (+) key functions differ:\n%s", diff)
	}
	used := map[string]bool{}
	for _, m := range made() {
		used[m.pattern.String()] = true
	}
	for _, pattern := range MessagesPatterns() {
		if !used[pattern.String()] {
			t.Errorf("no key function makes %s", pattern)
		}
		delete(used, pattern.String())
	}
	for unlisted := range used {
		t.Errorf("MessagesPatterns leaves out %s", unlisted)
	}
}

// contractPatterns are the key patterns in use, as the contract writes them, and the additions.
var contractPatterns = map[string]string{
	"MSG#{waMessageId}":                              "MESSAGE",
	"CONV#{phoneArnSuffix}#{customerWaId}":           "CONVERSATION",
	"TENANT#{tenantId}":                              "TENANT",
	"MEDIA#{mediaId}":                                "MEDIA",
	"WEBHOOK#{eventId}":                              "WEBHOOK_EVENT",
	"IDEMPOTENCY#{requestId}":                        "IDEMPOTENCY",
	"PHONE#{phoneNumberId}":                          "PHONE",       // addition
	"ALIAS#{phoneArnSuffix}#{identifier}":            "ALIAS",       // addition
	"ERASED#{phoneArnSuffix}#{hash}":                 "ERASED",      // addition
	"PERSON#{subject}":                               "PERSON",      // addition
	"MEMBER#{subject}#{tenantId}":                    "MEMBER",      // addition
	"SUPPRESSION#{tenantId}#{hash}":                  "SUPPRESSION", // addition
	"RECEIVED#{eventId}":                             "RECEIVED",    // addition
	"ACCOUNT#{wabaId}":                               "ACCOUNT",     // addition
	"SENDER#{number}":                                "SENDER",      // addition
	"FLOW_RESPONSE#{flowId}#{responseId}":            "FLOW_RESPONSE",
	"ADDRESS#{customerPhone}#{addressId}":            "ADDRESS",
	"ABOUT#{messageId}#{customerWaId}":               "ABOUT", // addition
	"CALL#{callId}":                                  "CALL",
	"CONFIG#MEDIA_TYPES":                             "CONFIG",
	"CONFIG#INFRA":                                   "CONFIG",
	"ANALYTICS#{wabaId}#{date}":                      "ANALYTICS",
	"WEBHOOK_CONFIG#{wabaId}":                        "WEBHOOK_CONFIG",
	"GROUP#{groupId}":                                "GROUP",
	"QUALITY#{phoneNumberId}":                        "QUALITY_RATING",
	"TENANT#{tenantId}#PAYCFG#{configName}":          "PAYMENT_CONFIG",
	"REFUND#{refundId}":                              "REFUND",
	"CATALOG#{catalogId}":                            "CATALOG",
	"PRODUCT#{catalogId}#{retailerId}":               "PRODUCT",
	"FLOW#{flowId}":                                  "FLOW",               // addition
	"RESPONSE_TIMES#{phoneNumberId}#{date}":          "RESPONSE_TIMES",     // addition
	"FORM#{token}":                                   "FORM",               // addition
	"QUICK_REPLY#{tenantId}#{shortcut}":              "QUICK_REPLY",        // addition
	"EVENT_SUBSCRIPTION#{tenantId}#{subscriptionId}": "EVENT_SUBSCRIPTION", // addition
	"PUSH_DEVICE#{tenantId}#{subject}#{deviceId}":    "PUSH_DEVICE",        // addition
	"PUSH_KEY#{tenantId}":                            "PUSH_KEY",           // addition
	"SEARCH#{phoneNumberId}":                         "SEARCH",             // addition
	// addition
	"SEARCH#{phoneNumberId}#SEGMENT#{number}":          "SEARCH_SEGMENT",
	"FILTERS#{tenantId}#{subject}":                     "FILTERS",
	"DRAFT#{phoneNumberId}#{customerWaId}":             "DRAFT",   // addition
	"MENTION#{phoneNumberId}#{subject}#{customerWaId}": "MENTION", // addition
	// addition
	"NOTE#{phoneNumberId}#{customerWaId}#{noteId}": "NOTE",
	"SETTING#{phoneNumberId}#{kind}":               "NUMBER_SETTING", // addition
	"SETTING#{phoneNumberId}#{kind}#{name}":        "NUMBER_SETTING", // addition
	"LIBRARY#{wabaId}#{search}":                    "LIBRARY_SEARCH", // addition
	"LIBRARY#{wabaId}#{search}#PAGE#{at}#{number}": "LIBRARY_PAGE",
	// The contract's key has the account, but each number has a profile of its own.
	"PROFILE#{phoneNumberId}":                          "BUSINESS_PROFILE",
	"CAMPAIGN#{campaignId}":                            "CAMPAIGN",
	"CAMPAIGN#{campaignId}#PART#{listId}#{number}":     "CAMPAIGN_PART",     // addition
	"CAMPAIGN#{campaignId}#PROGRESS#{listId}#{number}": "CAMPAIGN_PROGRESS", // addition
	"CAMPAIGN_USE#{wabaId}":                            "CAMPAIGN_USE",      // addition
	// The contract's key has no number.
	"ORDER#{phoneNumberId}#{referenceId}": "PAYMENT_ORDER",
	// The contract's key has no language.
	"TEMPLATE_EUM#{wabaId}#{templateName}#{language}":  "TEMPLATE_EUM",
	"TEMPLATE_MEDIA#{mediaId}":                         "TEMPLATE_MEDIA",
	"TEMPLATE_META#{wabaId}#{templateName}#{language}": "TEMPLATE_META",
	"WEBHOOK#{eventId}#CHUNK#{number}":                 "WEBHOOK_CHUNK",  // addition
	"WEBHOOK_SOURCE#{wabaId}#{kind}":                   "WEBHOOK_SOURCE", // addition
}

func TestThePatternsInUseAreTheContractsAndTheAdditions(t *testing.T) {
	got := map[string]string{}
	for _, pattern := range MessagesPatterns() {
		got[pattern.String()] = pattern.ItemType
	}
	if diff := cmp.Diff(contractPatterns, got); diff != "" {
		t.Errorf("not the contract's patterns:\n%s", diff)
	}
}

// Ids hold no #, so a key falls into the same segments again. Two patterns are apart when they differ in the number of
// segments, or in a segment that is fixed in both. One pattern's keys differ when its ids do.
func TestNoTwoItemTypesCanShareAKey(t *testing.T) {
	patterns := MessagesPatterns()
	for i, one := range patterns {
		for _, other := range patterns[i+1:] {
			if !apart(one, other) {
				t.Errorf("%s and %s can make the same key", one, other)
			}
		}
		for _, part := range one.Parts {
			if part == "" || strings.Contains(part, "#") || (part[0] == '{') != strings.HasSuffix(part, "}") {
				t.Errorf("%s has a part %q", one, part)
			}
		}
		if one.Parts[0][0] == '{' {
			t.Errorf("%s begins with an id: nothing says what kind of item it is", one)
		}
	}
}

func apart(one, other Pattern) bool {
	if len(one.Parts) != len(other.Parts) {
		return true
	}
	for i := range one.Parts {
		fixed := one.Parts[i][0] != '{' && other.Parts[i][0] != '{'
		if fixed && one.Parts[i] != other.Parts[i] {
			return true
		}
	}
	return false
}

// The proof above is only worth something if it can say no.
func TestTheProofFindsACollision(t *testing.T) {
	for _, pair := range [][2]Pattern{
		{{"A", []string{"X", "{a}"}}, {"B", []string{"X", "{b}"}}},
		{{"A", []string{"X", "{a}"}}, {"B", []string{"X", "FIXED"}}},
		{{"A", []string{"X", "{a}", "Y"}}, {"B", []string{"X", "Z", "{b}"}}},
	} {
		if apart(pair[0], pair[1]) {
			t.Errorf("%s and %s were taken for apart", pair[0], pair[1])
		}
	}
}

func TestAKeyOfAnotherFormIsNotTakenApart(t *testing.T) {
	for _, text := range []string{
		"", "#", "MSG", "MSG#", "msg#a", "MSG#a#b", "CONV#1", "CONV#1#", "CONV##1", "CONV#1#2#3", "PHONE#", "TENANT#a",
		"PHONE#1#2", "WEBHOOK#a#CHUNK#1",
	} {
		if _, ok := MessageIDOf(text); ok {
			t.Errorf("%q passed for a message's key", text)
		}
		if _, _, ok := ConversationIDs(text); ok {
			t.Errorf("%q passed for a conversation's key", text)
		}
		if _, ok := PhoneIDOf(text); ok {
			t.Errorf("%q passed for a number's key", text)
		}
	}
	if id, ok := MessageIDOf(Message("wamid.A").Partition); !ok || id != "wamid.A" {
		t.Errorf("message id %q, %v", id, ok)
	}
	if phone, customer, ok := ConversationIDs(Conversation("1055", "US.1").Partition); !ok || phone != "1055" ||
		customer != "US.1" {
		t.Errorf("conversation ids %q, %q, %v", phone, customer, ok)
	}
	if waba, kind, ok := WebhookSourceIDs(WebhookSource("1020", "message").Partition); !ok || waba != "1020" ||
		kind != "message" {
		t.Errorf("source %q, %q, %v", waba, kind, ok)
	}
	if id, ok := PhoneIDOf(Phone("1055").Partition); !ok || id != "1055" {
		t.Errorf("phone id %q, %v", id, ok)
	}
}

func TestPartitionsOfTheIndexesKeepKindsApart(t *testing.T) {
	const phone, other = model.PhoneNumberID("1055"), model.PhoneNumberID("1056")
	seen := map[string]bool{}
	for _, partition := range []string{
		InboxMessages(phone), InboxConversations(phone), InboxMessages(other), InboxConversations(other),
		WebhookEventType("1020", "message"), WebhookEventType("1020", "status"), WebhookEventType("1021", "message"),
		WebhookSources,
	} {
		if seen[partition] {
			t.Errorf("%q twice", partition)
		}
		seen[partition] = true
	}
	if got := InboxConversations(phone); got != "1055#CONVERSATIONS" {
		t.Errorf("conversations of the inbox lie in %q", got)
	}
	if got := WebhookEventType("1020", "status"); got != "1020#status" {
		t.Errorf("a WABA's statuses lie in %q", got)
	}
}

func TestTheLogsKeysBeginAsTheLogMayWriteThem(t *testing.T) {
	prefixes := LogPrefixes()
	within := func(key Key) bool {
		return slices.ContainsFunc(prefixes,
			func(prefix string) bool { return strings.HasPrefix(key.Partition, prefix) })
	}
	for _, key := range []Key{WebhookEvent("e"), WebhookChunk("e", "0"), WebhookSource("1", "message")} {
		if !within(key) {
			t.Errorf("%v is of the log", key)
		}
	}
	for _, key := range []Key{Message("m"), Phone("12345"), Media("1")} {
		if within(key) {
			t.Errorf("%v is not of the log", key)
		}
	}
}
