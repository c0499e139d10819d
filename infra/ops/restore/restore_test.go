package restore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/haatline/haatline/infra/ops/awstest"
	"github.com/haatline/haatline/infra/ops/restore"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/commerce/commercemodel"
	"github.com/haatline/haatline/shared/commerce/orders"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/engine"
	"github.com/haatline/haatline/shared/erasure"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/messaging/messagingtest"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

const (
	asha  = "919876543210"
	ravi  = "919876543211"
	meena = "919876543212"
	store = model.Name("STR-K3FJ82")
)

// drill is a deployment on the local engine, to which AWS can restore.
type drill struct {
	*testing.T
	account *awstest.AWS
	engine  *dynamodb.Client
	db      *dynamo.Client
	rooms   *messaging.Domain
	at      time.Time // to which everything is restored
	now     time.Time
	said    int
}

func newDrill(t *testing.T) *drill {
	t.Helper()
	account := awstest.New(t)
	root, err := engine.Root()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Start(t.Context(), engine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	d := &drill{T: t, account: account, engine: engine.Client(e.Endpoint)}
	used := slices.DeleteFunc(tables.All(), func(t tables.Table) bool { return t.Unused })
	if err := engine.CreateTables(t.Context(), d.engine, used, tables.Prod); err != nil {
		t.Fatal(err)
	}
	account.Engine = e.Endpoint
	d.at = time.Now().UTC().Truncate(time.Second).Add(-time.Hour)
	d.now = d.at.Add(-time.Hour)
	d.db = dynamo.Wrap(d.engine, tables.Prod)
	d.rooms = registry.Reacting(registry.Open(messaging.Config{DB: d.db, Now: func() time.Time { return d.now }}))
	d.seed()
	return d
}

func (d *drill) put(table tables.Table, entity any) {
	d.Helper()
	item, err := dynamo.Marshal(entity)
	if err == nil {
		err = d.db.Put(d.Context(), dynamo.Put{Table: table, Item: item, If: dynamo.Unconditional})
	}
	if err != nil {
		d.Fatal(err)
	}
}

// seed has a shop with two customers who have written and ordered.
func (d *drill) seed() {
	d.put(tables.Messages, model.Phone{
		PK: keys.Phone(wt.Phone).Partition, ItemType: model.ItemPhone, PhoneNumberID: wt.Phone, TenantID: "demo",
		WABAMetaID: wt.WABA, DisplayPhoneNumber: "1",
	})
	d.put(tables.Products, d.rice(60))
	for _, customer := range []string{asha, ravi} {
		d.says(customer)
		phone := orders.CustomerPhone(model.CustomerID(customer))
		d.put(tables.Orders, commercemodel.Order{
			StoreID: store, ID: model.Name("ORD-" + customer[8:]), TenantID: "demo", CustomerPhone: phone, Version: 1,
			GSI1PK: keys.OrdersOfCustomer(phone), GSI1SK: "2026", Status: commercemodel.OrderDelivered,
			GSI2PK: "x", GSI2SK: "x", GSI3PK: "x", GSI3SK: "x", CreatedAt: model.At(d.now),
		})
	}
}

func (d *drill) rice(price int) map[string]any {
	return map[string]any{"pk": store, "sk": "PRODUCT#RICE", "price": price, "version": 3, "status#x": "on"}
}

// says has a customer write a message.
func (d *drill) says(customer string) {
	d.Helper()
	d.said++
	id := fmt.Sprintf("wamid.%d", d.said)
	body := wt.Body(wt.Messages(wt.List{wt.Contact(customer, "N"+customer)}, wt.Text(customer, id, "hello", d.now)))
	for _, image := range messagingtest.Logged(d, &dynamotest.DB{Client: d.db},
		func() time.Time { return d.now }, body) {
		var event model.WebhookEvent
		if err := dynamo.Unmarshal(image, &event); err != nil {
			d.Fatal(err)
		}
		if err := d.rooms.MessageReader(d.rooms.Subscriptions()...).Apply(d.Context(), event); err != nil {
			d.Fatal(err)
		}
	}
}

// items returns all items of a table, by their keys.
func (d *drill) items(table tables.Table) map[string]dynamo.Item {
	d.Helper()
	page, err := d.db.Scan(d.Context(), dynamo.Scan{Table: table, Limit: 1000})
	if err != nil {
		d.Fatal(err)
	}
	all := map[string]dynamo.Item{}
	for _, item := range page.Items {
		key := dynamo.Text(item, table.Partition.Name) + "/"
		if table.Sort.Name != "" {
			key += dynamo.Text(item, table.Sort.Name)
		}
		all[key] = item
	}
	return all
}

// remember has AWS restore the tables to what they hold now.
func (d *drill) remember() {
	d.Helper()
	held := map[string][]dynamo.Item{}
	of := map[string]tables.Table{}
	for _, table := range []tables.Table{tables.Messages, tables.Orders, tables.Products} {
		name := table.Name(tables.Prod)
		of[name] = table
		for _, item := range d.items(table) {
			held[name] = append(held[name], item)
		}
	}
	d.account.Restore = func(source, target string) {
		beside := of[source].Copy("-at-" + d.at.Format("20060102T150405Z"))
		if got := beside.Name(tables.Prod); got != target {
			d.Errorf("%s is restored to %s, and is looked for in %s", source, target, got)
		}
		beside.Global, beside.TTL = nil, ""
		if err := engine.CreateTables(d.Context(), d.engine, []tables.Table{beside}, tables.Prod); err != nil {
			d.Error(err)
		}
		db := dynamo.Wrap(d.engine, tables.Prod)
		for _, item := range held[source] {
			if err := db.Put(d.Context(),
				dynamo.Put{Table: beside, Item: item, If: dynamo.Unconditional}); err != nil {
				d.Error(err)
			}
		}
	}
}

// run runs the command, and returns what it says.
func (d *drill) run(args ...string) string {
	d.Helper()
	var out bytes.Buffer
	err := restore.Run(d.Context(), append([]string{"-stage", "prod", "-at", d.at.Format(time.RFC3339),
		"-tables", "Messages,Orders,Products"}, args...), &out)
	if err != nil {
		d.Fatalf("%v: %s", err, out.String())
	}
	return out.String()
}

// breaks has a mistake delete Ravi's message and his order, and set a wrong price. Asha was erased before anybody saw
// it, and Meena has written.
func (d *drill) breaks() {
	d.Helper()
	d.now = d.at.Add(10 * time.Minute)
	done, err := d.rooms.Erase(d.Context(), erasure.Request{
		Tenant: "demo", Phone: wt.Phone, Customer: asha, By: audit.Actor{Subject: "operator"}, Reason: "asked"})
	if err != nil || done.CompletedAt == "" {
		d.Fatal(done, err)
	}
	for table, key := range map[string]dynamo.Item{
		tables.Messages.Name(tables.Prod): {"pk": dynamo.S(keys.Message("wamid.2").Partition)},
		tables.Orders.Name(tables.Prod):   {"store_id": dynamo.S(store), "id": dynamo.S("ORD-3211")},
	} {
		if _, err := d.engine.DeleteItem(d.Context(),
			&dynamodb.DeleteItemInput{TableName: &table, Key: key}); err != nil {
			d.Fatal(err)
		}
	}
	d.put(tables.Products, d.rice(6))
	d.says(meena)
}

func (d *drill) wants(out string, texts ...string) {
	d.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			d.Errorf("nothing says %q: %s", text, out)
		}
	}
}

func TestADrill(t *testing.T) {
	d := newDrill(t)
	before := map[string]map[string]dynamo.Item{}
	for _, table := range []tables.Table{tables.Messages, tables.Orders, tables.Products} {
		before[table.ID] = d.items(table)
	}
	d.remember()
	d.breaks()
	broken := d.items(tables.Messages)

	d.wants(d.run(), "is being restored to", "run the same command again")
	d.wants(d.run(), "Messages: ", "Orders: 0 as then, 1 gone, 0 changed, 1 left: of a person who was erased",
		"Products: 0 as then, 0 gone, 1 changed", "nothing was written")
	if !reflect.DeepEqual(broken, d.items(tables.Messages)) {
		t.Error("something is written without -write")
	}

	d.wants(d.run("-write"), "Orders: 0 as then, 1 gone, 0 changed, 1 left: of a person who was erased; 1 written")
	for key, table := range map[string]tables.Table{
		keys.Message("wamid.2").Partition + "/": tables.Messages, string(store) + "/ORD-3211": tables.Orders} {
		if was, is := before[table.ID][key], d.items(table)[key]; is == nil || !reflect.DeepEqual(was, is) {
			t.Errorf("%s %s was %v, and is %v", table.ID, key, was, is)
		}
	}
	if price := dynamo.Int(d.items(tables.Products)[string(store)+"/PRODUCT#RICE"], "price"); price != 6 {
		t.Errorf("what has changed was overwritten: %d", price)
	}

	d.wants(d.run("-write", "-changed"), "1 changed; 1 written")
	rice := d.items(tables.Products)[string(store)+"/PRODUCT#RICE"]
	if dynamo.Int(rice, "price") != 60 || dynamo.Int(rice, "version") != 4 {
		t.Errorf("the product is %v", rice)
	}
	d.wantsNobody(asha)
	for key, item := range broken { // nothing that has come since then is lost
		if strings.Contains(string(wt.Encode(item)), meena) && d.items(tables.Messages)[key] == nil {
			t.Errorf("%s is gone", key)
		}
	}

	d.run("-remove-copies")
	listed, err := d.engine.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || slices.ContainsFunc(listed.TableNames,
		func(name string) bool { return strings.Contains(name, "-at-") }) {
		t.Errorf("%v, %v", listed.TableNames, err)
	}
	for _, asked := range d.account.Asked { // streams and indexes hang on the tables
		if asked == "UpdateTable" || asked == "CreateTable" {
			t.Errorf("the tables in use are changed: %s", asked)
		}
	}
}

// wantsNobody checks that nothing names a person who was erased, except the webhook log, which expires.
func (d *drill) wantsNobody(customer string) {
	d.Helper()
	for _, table := range []tables.Table{tables.Messages, tables.Orders} {
		for key, item := range d.items(table) {
			if text, _ := json.Marshal(item); strings.Contains(string(text), customer) ||
				strings.Contains(key, customer) {
				d.Errorf("%s %s names who was erased: %s", table.ID, key, text)
			}
		}
	}
}

// A restore point before an erasure brings back what nobody erased, also if the erased person's items are all gone: a
// conversation, an alias, an order.
func TestARestorePointBeforeAnErasureDoesNotBringThePersonBack(t *testing.T) {
	d := newDrill(t)
	d.remember()
	d.breaks()
	for key := range d.items(tables.Messages) { // even the tombstones
		if strings.HasPrefix(key, "MSG#") || strings.HasPrefix(key, "ERASED#") || strings.HasPrefix(key, "CONV#") {
			name := tables.Messages.Name(tables.Prod)
			if _, err := d.engine.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
				TableName: &name, Key: dynamo.Item{"pk": dynamo.S(strings.TrimSuffix(key, "/"))}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	d.run()
	out := d.run("-write", "-changed")
	d.wants(out, "1 erasures since then, of which 1 people were named")
	d.wantsNobody(asha)
	if !strings.Contains(fmt.Sprint(d.items(tables.Messages)), ravi) {
		t.Error("nobody is back")
	}
}

func TestWrongUse(t *testing.T) {
	account := awstest.New(t)
	account.WantWrongUse(t, func(t *testing.T, args ...string) (string, error) {
		var out bytes.Buffer
		return out.String(), restore.Run(t.Context(), args, &out)
	}, [][]string{
		{}, {"-stage", "prod", "-tables", "Orders"}, {"-stage", "prod", "-at", "yesterday", "-tables", "Orders"},
		{"-stage", "prod", "-at", "2999-01-01T00:00:00Z", "-tables", "Orders"},
		{"-stage", "prod", "-at", "2026-11-20T09:00:00Z"},
		{"-stage", "prod", "-at", "2026-11-20T09:00:00Z", "-tables", "Outbox"},
		{"-stage", "prod", "-at", "2026-11-20T09:00:00Z", "-tables", "Orders,Ordrs"},
	})
}
