package cloud

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/haatline/haatline/infra/topology"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Each entry goes by AWS if it concerns a number there. Meta posts a body unless AWS tells of all of it.
func TestAWSTellsOfWhatConcernsItsNumbers(t *testing.T) {
	config := testConfig(t, t.TempDir())
	config.Functions = probes()
	// nothing takes from the queue, so that what is in it can be counted
	config.Functions[0].Queue = &topology.Queue{Name: "eum", BatchSize: 1, MaxReceives: 1}
	c := startCloud(t, config)
	const atAWS, atMeta, account = "106540352242955", "106540352242966", "102290129340398"
	for id, aws := range map[model.PhoneNumberID]string{atAWS: "phone-number-id-1", atMeta: ""} {
		item, err := dynamo.Marshal(model.Phone{
			PK: keys.Phone(id).Partition, ItemType: model.ItemPhone, PhoneNumberID: id, TenantID: "demo",
			WABAMetaID: account, AWSPhoneNumberID: aws})
		if err == nil {
			err = c.database.Put(t.Context(),
				dynamo.Put{Table: tables.Messages, Item: item, If: "attribute_not_exists(pk)"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	of := func(phone string) string {
		return `{"id":"` + account + `","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"` +
			phone + `"},"messages":[{"id":"a"}]}}]}`
	}
	template := `{"id":"` + account + `","changes":[{"field":"message_template_status_update","value":{"event":"X"}}]}`
	foreign := `{"id":"7","changes":[{"field":"message_template_status_update","value":{"event":"X"}}]}`
	for name, w := range map[string]struct {
		entries string
		told    int
		all     bool
	}{
		"a number at AWS":          {of(atAWS), 1, true},
		"a number at Meta":         {of(atMeta), 0, false},
		"a number of nobody":       {of("106540352242977"), 0, false},
		"an id that is none":       {of("?"), 0, false},
		"both":                     {of(atAWS) + "," + of(atMeta), 1, false},
		"two of AWS":               {of(atAWS) + "," + of(atAWS), 2, true},
		"the account":              {template, 1, false},
		"the account and a number": {template + "," + of(atAWS), 2, false},
		"another account":          {foreign, 0, false},
		"an entry of no shape":     {"7", 0, false},
		"no entry":                 {"", 0, false},
	} {
		before := waiting(t, config)
		all, err := c.carry(t.Context(), []byte(`{"object":"whatsapp_business_account","entry":[`+w.entries+`]}`))
		if told := waiting(t, config) - before; err != nil || all != w.all || told != w.told {
			t.Errorf("%s: told of %d, all of it %v, %v; want %d, %v", name, told, all, err, w.told, w.all)
		}
	}
	if all, err := c.carry(t.Context(), []byte("hello")); all || err != nil {
		t.Errorf("no JSON: %v, %v", all, err)
	}
	post(t, c.Addresses.HTTP+NoticesPath, "whatever it holds")
	if n := waiting(t, config); n != 8 {
		t.Errorf("%d messages are in the queue", n)
	}
}

// waiting returns how many messages wait in the queue.
func waiting(t *testing.T, config Config) int {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(config.Dir, "queues", "eum"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
