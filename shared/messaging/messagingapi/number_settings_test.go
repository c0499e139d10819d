package messagingapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/numbers"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const ofNumber = "/v1/numbers/" + number

// putKey puts a public key of a number.
const putKey = `{"businessPublicKey":"` +
	`-----BEGIN PUBLIC KEY-----\n` +
	`MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzfGw6LlOXm5D4eWmg4jb\n` +
	`Nw1BctP1nZPl1Zt7mpF/UEEargwNn9iCfTc0eXV7G7DImXySFzjwXhl7iwAAyWkM\n` +
	`k3vRkTeGNqFVy8PJxaqIT9MQSrc8wRIXuYUFcRXAjbw6v6TKcJt8MjYLZPgdf7DG\n` +
	`yRT3OQwTh02gOb7xSzh4HweT5s+TMLerKwfR2vFgbkP2ER8mw923Vj/Nd+clXuCM\n` +
	`GNlonisJZsz8W6Ea1sFj1MPLeeKnoJENNBLweSySn72I0dKKUvDxqssG3zOzMpKb\n` +
	`dkawJDR0lMxKXADE0ZW7HB/+byu314nwtBH/gG1uh8Z3gFsxZaz6AScXAYOkgOAm\n` +
	`3wIDAQAB\n` +
	`-----END PUBLIC KEY-----\n` +
	`"}`

// settings returns the settings of the number.
func (w *world) settings() (all allNumberSettings) {
	w.t.Helper()
	w.get(operator(shop), ofNumber+"/settings", nil).Want(w.t, http.StatusOK, &all)
	return all
}

func TestSettingsOfANumberShowWhatIsWantedAndWhatMetaHas(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	if all := w.settings(); all != (allNumberSettings{}) {
		t.Errorf("before anything: %+v", all)
	}
	w.db.Seed(t, tables.Messages, model.Profile{
		PK: keys.Profile(number).Partition, ItemType: model.ItemProfile, PhoneNumberID: number,
		UpdatedAt: model.At(noon), ProfileFacts: model.ProfileFacts{About: "Open"}, SettingState: model.SettingState{
			SyncStatus: model.SettingLocal, ReadAt: model.At(noon), Version: 1,
			Meta: model.Document(`{"about":"Closed","profilePictureUrl":"https://p.example"}`),
			Asked: &model.SettingAsked{Wish: numbers.Put, By: "user-1", At: model.At(noon), AnsweredAt: model.At(noon),
				Problem: "WhatsApp error 100: no"}}},
		model.NumberSetting{
			PK: keys.NumberSetting(number, numbers.KindState).Partition, ItemType: model.ItemNumberSetting,
			PhoneNumberID: number, Kind: numbers.KindState, SettingState: model.SettingState{
				Version: 1, SyncStatus: model.SettingSynced, Meta: model.Document(`{"status":"CONNECTED","unknown":[1],` +
					`"healthStatus":{"canSendMessage":"BLOCKED","entities":[{"entityType":"WABA","id":"1",` +
					`"canSendMessage":"BLOCKED","errors":[{"errorCode":141006,"errorDescription":"no payment"}]}]}}`)}},
		model.NumberSetting{
			PK: keys.NumberSetting(number, numbers.KindQRCodes).Partition, ItemType: model.ItemNumberSetting,
			PhoneNumberID: number, Kind: numbers.KindQRCodes, SettingState: model.SettingState{
				Version: 1, SyncStatus: model.SettingSynced, Meta: model.Document(`{"count":7}`)}})
	all := w.settings()
	p := all.Profile
	if p.Wanted.About != "Open" || p.Meta.About != "Closed" || p.Meta.PictureURL != "https://p.example" ||
		p.SyncStatus != "local_only" || len(p.Differences) != 1 || p.Differences[0].Path != "about" ||
		p.Asked.Problem != "WhatsApp error 100: no" || p.Asked.By != "user-1" {
		t.Errorf("%+v", p)
	}
	if s := all.State.Meta; s.Status != "CONNECTED" || s.Health.Entities[0].Errors[0].Code != 141006 ||
		all.QRCodes.Count != 7 || all.Calling != nil {
		t.Errorf("%+v, %+v", s, all)
	}
}

func TestOneAnswerNamesEveryFaultOfASetting(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	refused := w.put(operator(shop), ofNumber+"/settings/components", encode(t, wt.Object{
		"enableWelcomeMessage": true, "prompts": wt.List{strings.Repeat("x", 81), "Hi 👋", "3", "4", "5"},
		"commands": wt.List{wt.Object{"commandName": "/a", "commandDescription": ""}}}))
	p := refused.WantProblem(t, http.StatusUnprocessableEntity)
	var where []string
	for _, e := range p.Errors {
		where = append(where, e.Location)
	}
	if got := strings.Join(where, " "); got != "body.prompts body.prompts[0] body.prompts[1] "+
		"body.commands[0].commandName body.commands[0].commandDescription" {
		t.Error(got)
	}
	if all := w.settings(); all.Components != nil {
		t.Errorf("%+v", all.Components)
	}
}

func TestAProfileTakesAPhotoOfOnesOwn(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.ours("other", "700000000000077", waba)
	for id, of := range map[string]model.PhoneNumberID{"mine": number, "theirs": "700000000000077"} {
		w.db.Seed(t, tables.Messages, model.Media{
			PK: keys.Media(model.MediaID(id)).Partition, ItemType: model.ItemMedia, MediaID: model.MediaID(id),
			PhoneNumberID: of, ContentType: "image/jpeg", ContentLength: 7, UploadedBy: "user-1", S3Key: "k"})
	}
	put := func(id string) answer {
		return w.put(operator(shop), ofNumber+"/settings/profile", `{"about":"Open","photo":"`+id+`"}`)
	}
	for _, id := range []string{"theirs", "none"} {
		if p := put(id).WantProblem(t, http.StatusUnprocessableEntity); p.Errors[0].Location != "body.photo" {
			t.Errorf("%s: %+v", id, p)
		}
	}
	put("mine").Want(t, http.StatusAccepted)
}

// A PIN is in no answer, no audit record and no event, and is not shown while Meta is asked.
func TestAPINIsTakenAndNeverShown(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	for _, pin := range []string{"12345", "abcdef", "1234567", ""} {
		w.post(operator(shop), ofNumber+"/pin", wt.Object{"pin": pin}).WantProblem(t, http.StatusUnprocessableEntity)
	}
	answered := w.post(operator(shop), ofNumber+"/pin", wt.Object{"pin": "918273"})
	answered.Want(t, http.StatusAccepted)
	shown := w.get(operator(shop), ofNumber+"/settings", nil)
	pending := w.get(operator(shop), "/v1/outbox", url.Values{"state": {"pending"}})
	records := w.get(operator(shop), "/v1/audit-records", url.Values{"actor": {"me"}})
	for name, text := range map[string]string{
		"the answer": answered.Body, "the settings": shown.Body, "the outbox": pending.Body,
		"the records": records.Body} {
		if strings.Contains(text, "918273") || strings.Contains(text, "sealed:") || text == "" {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !strings.Contains(pending.Body, numbers.EventAsk) || !strings.Contains(records.Body, "set-number-pin") {
		t.Errorf("%s, %s", pending.Body, records.Body)
	}
	for _, table := range apiTables {
		if text := fmt.Sprint(w.db.Items(t, table)); strings.Contains(text, "918273") {
			t.Errorf("%s: %s", table.ID, text)
		}
	}
	w.post(operator(shop), ofNumber+"/deregister", nil).WantProblem(t, http.StatusConflict)
}

func TestOnlyWhoHasWrittenIsBlocked(t *testing.T) {
	w := newWorld(t)
	w.ours(shop, number, waba)
	w.put(operator(shop), ofNumber+"/blocked/"+asha, "").WantProblem(t, http.StatusNotFound)
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.1", "hi", minutesAgo(24*60+1)))
	p := w.put(operator(shop), ofNumber+"/blocked/"+asha, "").WantProblem(t, http.StatusConflict)
	if !strings.HasSuffix(p.Type, "not-written-lately") {
		t.Errorf("%+v", p)
	}
	w.receives(number, waba, wt.Contact(asha, "Asha"), wt.Text(asha, "wamid.2", "hi", minutesAgo(1)))
	w.put(operator(shop), ofNumber+"/blocked/"+asha, "").Want(t, http.StatusAccepted)
	var one blockedPerson
	w.get(operator(shop), ofNumber+"/blocked/"+asha, nil).Want(t, http.StatusOK, &one)
	if one.Blocked || one.CustomerID != asha || one.SyncStatus != "pending_sync" {
		t.Errorf("%+v", one)
	}
	w.get(operator(shop), ofNumber+"/blocked/919811111111", nil).WantProblem(t, http.StatusNotFound)
}
