package numbers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// keyed identifies a request.
func keyed(t *testing.T, key string) idempotency.Request {
	t.Helper()
	request, err := idempotency.NewRequest(idempotency.API, "demo", "user-1", "create-qr-code", key, nil)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func TestAQRCodeIsMadeChangedAndDeleted(t *testing.T) {
	s := opened(t)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	for range 2 { // a repeated request makes no other
		s.must(settings.Create(ctx, s.of, numbers.QRCode{Message: "Table 1"}, keyed(t, "k1")))
	}
	if _, err := settings.Create(ctx, s.of, numbers.QRCode{Message: "Table 2"}, keyed(t, "k1")); !errors.Is(err,
		idempotency.ErrKeyReused) {
		t.Errorf("another code with the key: %v", err)
	}
	made, _ := settings.Create(ctx, s.of, numbers.QRCode{Message: "Table 1"}, keyed(t, "k1"))
	if _, err := settings.Change(ctx, s.of, made.Name, numbers.QRCode{Message: "x"}); !errors.Is(err,
		numbers.ErrWaits) {
		t.Errorf("while it is made: %v", err)
	}
	all := s.list(numbers.KindQRCodes)
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	s.is(all[0], model.SettingSynced, `"deepLinkUrl":"https://wa.me/message/`, "")
	if !strings.Contains(string(all[0].Meta), `.svg"`) {
		t.Errorf("%s", all[0].Meta)
	}
	code := all[0].Name
	s.must(settings.Change(ctx, s.of, code, numbers.QRCode{Message: "Table one"}))
	changed := s.list(numbers.KindQRCodes)[0]
	s.is(changed, model.SettingSynced, `"prefilledMessage":"Table one"`, "")
	s.is(changed, model.SettingSynced, `.svg"`, "") // the image is the one that it was
	if _, err := settings.Change(ctx, s.of, "none", numbers.QRCode{Message: "x"}); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("one that is not there: %v", err)
	}
	for range 2 {
		if err := settings.Delete(ctx, s.of, numbers.KindQRCodes, code); err != nil {
			t.Fatal(err)
		}
	}
	if left := s.list(numbers.KindQRCodes); len(left) > 0 {
		t.Errorf("%+v", left)
	}
	if err := settings.Delete(ctx, s.of, numbers.KindQRCodes, code); !errors.Is(err, dynamo.ErrNotFound) {
		t.Errorf("twice: %v", err)
	}
}

func TestACodeWhoseAnswerIsLostIsFoundAndNotMadeTwice(t *testing.T) {
	s := opened(t)
	s.elsewhere("message_qrdls", map[string]string{"prefilled_message": "Table 1"})
	s.sync(numbers.KindQRCodes) // the same message, and another code
	s.Control("POST", "/faults", `{"match":{"type":"setting"},"loseAnswer":true}`)
	s.must(s.rooms.NumberSettings.Create(t.Context(), s.of, numbers.QRCode{Message: "Table 1"}, keyed(t, "k1")))
	all := s.list(numbers.KindQRCodes)
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	for _, code := range all {
		s.is(code, model.SettingSynced, `"prefilledMessage":"Table 1"`, "")
	}
	if string(all[0].Meta) == string(all[1].Meta) {
		t.Errorf("both are %s", all[0].Meta)
	}
	if s.sync(numbers.KindQRCodes); len(s.list(numbers.KindQRCodes)) != 2 {
		t.Errorf("%+v", s.list(numbers.KindQRCodes))
	}
}

func TestTheListOfCodesIsAsMetaHasIt(t *testing.T) {
	s := opened(t)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	s.must(settings.Create(ctx, s.of, numbers.QRCode{Message: "ours"}, keyed(t, "k1")))
	ours := s.list(numbers.KindQRCodes)[0]
	for i := range 120 { // more than a page
		s.elsewhere("message_qrdls", map[string]string{"prefilled_message": fmt.Sprint("theirs ", i)})
	}
	if got := s.sync(numbers.KindQRCodes); string(got.Meta) != `{"count":121}` {
		t.Errorf("%s", got.Meta)
	}
	all, next, err := settings.List(ctx, wt.Phone, numbers.KindQRCodes, 100, "")
	rest, end, alsoErr := settings.List(ctx, wt.Phone, numbers.KindQRCodes, 100, next)
	if err = errors.Join(err, alsoErr); err != nil || len(all) != 100 || len(rest) != 21 || end != "" {
		t.Fatalf("%d and %d, %v", len(all), len(rest), err)
	}
	code := whatsapp.ObjectOf([]byte(ours.Meta)).Text("code")
	s.elsewhere("message_qrdls", map[string]string{"code": code, "prefilled_message": "changed"})
	s.sync(numbers.KindQRCodes)
	got, err := settings.Entry(ctx, wt.Phone, numbers.KindQRCodes, ours.Name)
	s.must(got, err)
	s.is(got, model.SettingLocal, `"prefilledMessage":"changed"`, "")

	graph := s.Graph
	for _, gone := range []string{code, string(rest[0].Name)} {
		if _, err := graph.AboutNumber(ctx, wt.Phone, whatsapp.NumberCall{
			Method: "DELETE", Edge: "message_qrdls/" + gone}); err != nil && gone == code {
			t.Fatal(err)
		}
	}
	s.sync(numbers.KindQRCodes)
	got, err = settings.Entry(ctx, wt.Phone, numbers.KindQRCodes, ours.Name)
	if s.must(got, err); got.SyncStatus != model.SettingLocal || len(got.Meta) > 0 {
		t.Errorf("wanted here, and deleted elsewhere: %+v", got)
	}
	if err := settings.Delete(ctx, s.of, numbers.KindQRCodes, ours.Name); err != nil { // Meta need not be asked
		t.Error(err)
	}
	if _, err := settings.Entry(ctx, wt.Phone, numbers.KindQRCodes, ours.Name); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
}

// A code that somebody has deleted elsewhere is deleted here as well, when Meta says that it is not there.
func TestACodeThatIsGoneAtMetaIsDeleted(t *testing.T) {
	s := opened(t)
	s.must(s.rooms.NumberSettings.Create(t.Context(), s.of, numbers.QRCode{Message: "ours"}, keyed(t, "k1")))
	ours := s.list(numbers.KindQRCodes)[0]
	graph := s.Graph
	edge := "message_qrdls/" + whatsapp.ObjectOf([]byte(ours.Meta)).Text("code")
	if _, err := graph.AboutNumber(t.Context(), wt.Phone,
		whatsapp.NumberCall{Method: "DELETE", Edge: edge}); err != nil {
		t.Fatal(err)
	}
	err := s.rooms.NumberSettings.Delete(t.Context(), s.of, numbers.KindQRCodes, ours.Name)
	if err != nil {
		t.Fatal(err)
	}
	if left := s.list(numbers.KindQRCodes); len(left) > 0 {
		t.Errorf("%+v", left)
	}
}

// writes has a customer have written some hours ago, to haatline and at Meta.
func (s *shop) writes(customer model.CustomerID, hours int) {
	s.Helper()
	at := s.Clock().Add(-time.Duration(hours) * time.Hour)
	s.db.Seed(s.T, tables.Messages, model.Conversation{
		PK: keys.Conversation(wt.Phone, customer).Partition, ItemType: model.ItemConversation, From: string(customer),
		ReceivedAt: model.At(at), WindowExpiresAt: model.At(at.Add(24 * time.Hour))})
}

func TestPeopleAreBlockedAndUnblocked(t *testing.T) {
	s := opened(t)
	settings, ctx := s.rooms.NumberSettings, t.Context()
	if _, err := settings.Block(ctx, s.of, asha); err == nil {
		t.Error("somebody unknown is blocked")
	}
	s.writes(asha, 25)
	if _, err := settings.Block(ctx, s.of, asha); !errors.Is(err, numbers.ErrNotWritten) {
		t.Errorf("after a day: %v", err)
	}
	s.writes(asha, 1)
	s.must(settings.Block(ctx, s.of, asha)) // Meta has not seen the message
	all := s.list(numbers.KindBlocked)
	s.is(all[0], model.SettingLocal, "", "24 hours")
	s.Control("POST", "/say", `{"from":"`+asha+`","text":"hi"}`)
	for range 2 {
		s.must(settings.Block(ctx, s.of, asha))
	}
	all = s.list(numbers.KindBlocked)
	if s.is(all[0], model.SettingSynced, `"blocked":true`, ""); len(all) != 1 || all[0].CustomerID != asha {
		t.Fatalf("%+v", all)
	}
	for _, item := range s.db.Items(t, tables.Outbox) {
		if strings.Contains(fmt.Sprint(item), asha) {
			t.Errorf("the event names the person: %v", item)
		}
	}
	s.sync(numbers.KindBlocked)
	if again := s.list(numbers.KindBlocked); len(again) != 1 || again[0].SyncStatus != model.SettingSynced {
		t.Errorf("%+v", again)
	}
	if err := settings.Delete(ctx, s.of, numbers.KindBlocked, all[0].Name); err != nil {
		t.Fatal(err)
	}
	if left := s.list(numbers.KindBlocked); len(left) > 0 {
		t.Errorf("%+v", left)
	}
}

func TestAGroupIsNotBlocked(t *testing.T) {
	s := opened(t)
	s.db.Seed(t, tables.Messages, model.Conversation{
		PK: keys.Conversation(wt.Phone, "Y2Fw").Partition, ItemType: model.ItemConversation, GroupID: "Y2Fw",
		ReceivedAt: model.At(noon), WindowExpiresAt: model.At(noon.Add(time.Hour))})
	if _, err := s.rooms.NumberSettings.Block(t.Context(), s.of, "Y2Fw"); !errors.Is(err, numbers.ErrGroup) {
		t.Error(err)
	}
}

// Who is blocked elsewhere shows in the list, is unblocked elsewhere, and is forgotten with the person.
func TestWhoIsBlockedElsewhere(t *testing.T) {
	s := opened(t)
	s.Control("POST", "/say", `{"from":"`+asha+`","text":"hi"}`)
	block := map[string]any{"messaging_product": "whatsapp", "block_users": []any{map[string]string{"user": asha}}}
	s.elsewhere("block_users", block)
	s.sync(numbers.KindBlocked)
	all := s.list(numbers.KindBlocked)
	if len(all) != 1 || all[0].CustomerID != asha || len(all[0].Wanted) > 0 {
		t.Fatalf("%+v", all)
	}
	erased := 0
	count := func(name string, n int) []dynamo.Write {
		if name == numbers.CountBlocked {
			erased += n
		}
		return nil
	}
	who := []model.CustomerID{asha, "IN.1"}
	for range 2 {
		if err := s.rooms.NumberSettings.Erase(t.Context(), wt.Phone, who, count); err != nil || erased != 1 {
			t.Fatal(erased, err)
		}
	}
	if left := s.list(numbers.KindBlocked); len(left) > 0 {
		t.Errorf("%+v", left)
	}
	s.sync(numbers.KindBlocked)
	graph := s.Graph
	if _, err := graph.AboutNumber(t.Context(), wt.Phone, whatsapp.NumberCall{
		Method: "DELETE", Edge: "block_users", Body: block}); err != nil {
		t.Fatal(err)
	}
	if s.sync(numbers.KindBlocked); len(s.list(numbers.KindBlocked)) > 0 {
		t.Errorf("%+v", s.list(numbers.KindBlocked))
	}
}

// steady is a Meta that always answers the same.
type steady struct{}

func (steady) AboutNumber(_ context.Context, _ string, call whatsapp.NumberCall) (whatsapp.Object, error) {
	const code = `{"code":"C1","prefilled_message":"Table 1"}`
	switch {
	case call.Edge == "message_qrdls" && call.Method == "POST":
		return whatsapp.ObjectOf([]byte(code)), nil
	case call.Edge == "message_qrdls":
		return whatsapp.ObjectOf([]byte(`{"data":[` + code + `]}`)), nil
	case call.Edge == "block_users" && call.Method == "":
		return whatsapp.ObjectOf([]byte(`{"data":[{"wa_id":"` + asha + `"}]}`)), nil
	}
	return whatsapp.ObjectOf([]byte(`{"data":[{"about":"Open","is_cart_enabled":true}],"quality_rating":"GREEN",` +
		`"throughput":{"level":"HIGH"}}`)), nil
}

func (steady) UploadSample(context.Context, string, whatsapp.Sample) (string, error) {
	return "4::h", nil
}

// stored is a setting of which Meta is being asked.
func stored(kind, name model.Name, wish, wanted, meta string) model.NumberSetting {
	n := model.NumberSetting{
		PK: keys.NumberSetting(wt.Phone, kind).Partition, ItemType: model.ItemNumberSetting, PhoneNumberID: wt.Phone,
		Kind: kind, Name: name, SettingState: model.SettingState{
			Asked: &model.SettingAsked{Wish: wish, At: model.At(noon)}, Version: 1, SyncStatus: model.SettingPending}}
	if name != "" {
		n.PK, n.CustomerID = keys.NumberEntry(wt.Phone, kind, name).Partition, asha
		n.FromPK, n.ReceivedAt = keys.NumberEntriesOf(wt.Phone, kind), model.At(noon)
	}
	if wanted != "" {
		n.Wanted = model.Document(wanted)
	}
	if meta != "" {
		n.Meta = model.Document(meta)
	}
	return n
}

func TestAskingAboutANumberSurvivesEveryCrashPoint(t *testing.T) {
	profile := model.Profile{
		PK: keys.Profile(wt.Phone).Partition, ItemType: model.ItemProfile, PhoneNumberID: wt.Phone,
		UpdatedAt: model.At(noon), ProfileFacts: model.ProfileFacts{About: "Open"},
		SettingState: model.SettingState{Asked: &model.SettingAsked{Wish: numbers.Put, At: model.At(noon)}, Version: 1}}
	const code = `{"prefilledMessage":"Table 1"}`
	for name, c := range map[string]struct {
		kind, entry model.Name
		of          any
		ignore      []string
	}{
		"a profile": {numbers.KindProfile, "", profile, nil},
		"a setting": {numbers.KindCommerce, "",
			stored(numbers.KindCommerce, "", numbers.Put, `{"isCartEnabled":true}`, ""), nil},
		// whether the answer was lost shows in what was asked
		"what is done once": {numbers.KindState, "",
			stored(numbers.KindState, "", numbers.Deregister, "", ""), []string{"asked"}},
		"the state": {numbers.KindState, "", stored(numbers.KindState, "", numbers.Sync, "", ""), nil},
		"a new code": {numbers.KindQRCodes, "k1",
			stored(numbers.KindQRCodes, "k1", numbers.Put, code, ""), nil},
		"a code that ends": {numbers.KindQRCodes, "k1",
			stored(numbers.KindQRCodes, "k1", numbers.Delete, code, `{"code":"C1"}`), nil},
		"a person": {numbers.KindBlocked, "h1",
			stored(numbers.KindBlocked, "h1", numbers.Put, `{"blocked":true}`, ""), nil},
		"a list":         {numbers.KindQRCodes, "", stored(numbers.KindQRCodes, "", numbers.Sync, "", ""), nil},
		"who is blocked": {numbers.KindBlocked, "", stored(numbers.KindBlocked, "", numbers.Sync, "", ""), nil},
	} {
		t.Run(name, func(t *testing.T) {
			points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
				Tables: used,
				Seed: func(t testing.TB, db *dynamotest.DB) {
					old := stored(numbers.KindQRCodes, "OLD", numbers.Put, "", `{"code":"OLD"}`)
					old.Asked.AnsweredAt = model.At(noon)
					db.Seed(t, tables.Messages, theNumber, old, c.of)
				},
				Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
					rooms := roomsOn(client, func() time.Time { return noon })
					handler := rooms.NumberSettings.Handler(steady{}, nil, sending.AsFailure)
					_, err := handler.Send(ctx, model.OutboxEvent{
						EcosystemID: "demo",
						Payload: fmt.Appendf(nil, `{"phoneNumberId":%q,"kind":%q,"name":%q,"askedAt":%q}`, wt.Phone,
							c.kind, c.entry, model.At(noon))})
					return err
				},
				Ignore: c.ignore,
			})
			t.Logf("%d crash points", points)
		})
	}
}
