package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/khata/claims"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// claimed returns the claims of a state, the newest first: the amount and the account of each.
func (c *credit) claimed(state khatamodel.ClaimState) (all []khatamodel.Claim) {
	c.t.Helper()
	all, err := c.khata.Claims.List(c.t.Context(), creditStore, state, 100, "")
	c.must(err)
	return all
}

func (c *credit) settles(id model.Name, yes bool) (khatamodel.Claim, error) {
	c.t.Helper()
	shop, err := c.khata.Shops.Shop(c.t.Context(), creditStore)
	c.must(err)
	return c.khata.Chat.Settle(c.t.Context(), shop, id, yes, "0192-clerk", "api")
}

// A claim is settled once, by a tap or by an operation, whichever comes first.
func TestAClaimIsSettledOnce(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	first := c.answered(asha, "paid 100 ref 412345678901")
	second := c.answered(asha, "paid 50")
	third := c.answered(asha, "paid 30")
	open := c.claimed(khatamodel.ClaimOpen)
	if len(open) != 3 || open[0].Amount.StringFixed(2) != "30.00" || open[2].ReferenceID != "412345678901" ||
		open[2].CustomerPhone != model.PhoneOf(asha) || open[2].MessageID == "" || open[2].CreatedAt == "" {
		t.Fatalf("%+v", open)
	}
	ids := []model.Name{open[2].ClaimID, open[1].ClaimID, open[0].ClaimID}

	confirmed, err := c.settles(ids[0], true)
	c.must(err)
	if confirmed.State != khatamodel.ClaimConfirmed || confirmed.SettledBy != "0192-clerk" ||
		confirmed.TransactionID == "" || c.owes() != "400.00" {
		t.Errorf("%+v; owes %s", confirmed, c.owes())
	}
	before := len(c.sent())
	again, err := c.settles(ids[0], true)
	if err != nil || again.TransactionID != confirmed.TransactionID || len(c.sent()) != before {
		t.Errorf("a repeated call: %+v, %v", again, err)
	}
	if _, err := c.settles(ids[0], false); !errors.Is(err, claims.ErrSettled) {
		t.Errorf("a confirmed claim is refused: %v", err)
	}
	want(t, c.answered(owner, "tap "+first[owner+" Yes, write it down"])[owner], "Nothing changed: ₹100")

	want(t, c.answered(owner, "tap "+second[owner+" No"])[asha], "has not found your payment of ₹50")
	if _, err := c.settles(ids[1], true); !errors.Is(err, claims.ErrSettled) {
		t.Errorf("a refused claim is confirmed: %v", err)
	}
	want(t, c.answered(owner, "tap "+third[owner+" Yes, write it down"])[owner], "Owes ₹370 now")
	settled, err := c.settles(ids[2], true)
	if err != nil || settled.SettledBy != "+"+owner || c.owes() != "370.00" {
		t.Errorf("%+v, %v; owes %s", settled, err, c.owes())
	}
	if _, err := c.settles("clm-20261121-000000000000000", true); !errors.Is(err, dynamo.ErrNotFound) {
		t.Error(err)
	}
	if left := c.claimed(khatamodel.ClaimOpen); len(left) != 0 {
		t.Errorf("%+v", left)
	}
}

// Two settle a claim at the same moment: one entry, and one word to the customer.
func TestTwoWhoSettleAClaimAtOnce(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	for i := range 3 {
		c.answered(asha, fmt.Sprintf("paid 1%d", i))
		id := c.claimed(khatamodel.ClaimOpen)[0].ClaimID
		before, done := len(c.sent()), make(chan error)
		shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
		c.must(err)
		for _, yes := range []bool{true, false} {
			go func() {
				_, err := creditOn(t, db, db.Client).khata.Chat.Settle(t.Context(), shop, id, yes, "by", "api")
				done <- err
			}()
		}
		one, other := <-done, <-done
		if (one == nil) == (other == nil) || !errors.Is(errors.Join(one, other), claims.ErrSettled) {
			t.Errorf("%v and %v", one, other)
		}
		if told := len(c.sent()) - before; told != 1 {
			t.Errorf("the customer is told %d times", told)
		}
	}
	c.owes()
}

// A tap on a button from before claims were kept writes the payment down, once.
func TestAButtonFromBeforeClaimsWereKeptStillCounts(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	asked := c.answered(asha, "paid 100")
	yes := asked[owner+" Yes, write it down"]
	claim := c.claimed(khatamodel.ClaimOpen)[0]
	// As the release before has stored it: a code that is no claim's, and no claim.
	const code = "0123456789abcdef"
	old := strings.Replace(yes, string(claim.ClaimID), code, 1)
	for pk, m := range c.sent() {
		if strings.Contains(string(m.Content), yes) {
			m.Purpose = model.AskOf("khata", code)
			m.Content = model.Document(strings.ReplaceAll(string(m.Content), string(claim.ClaimID), code))
			item, err := dynamo.Marshal(m)
			c.must(err)
			item["pk"] = dynamo.S(pk)
			c.must(db.Put(t.Context(), dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.IfPresent}))
		}
	}
	c.must(db.Transact(t.Context(), []dynamo.Write{dynamo.Delete{
		Table: tables.CustomerBalances, Key: keys.KhataClaim(creditStore, "open", claim.ClaimID),
		If: dynamo.IfPresent}}))
	want(t, c.answered(owner, "tap "+old)[owner], "Owes ₹400 now")
	c.answered(owner, "tap "+old)
	if got := c.owes(); got != "400.00" {
		t.Errorf("owes %s", got)
	}
}

// Who deletes the message has claimed nothing.
func TestADeletedMessageTakesItsClaimBack(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	asked := c.answered(asha, "paid 100")
	c.answered(asha, "deletes")
	if open, back := c.claimed(khatamodel.ClaimOpen), c.claimed(khatamodel.ClaimWithdrawn); len(open) != 0 ||
		len(back) != 1 {
		t.Fatalf("%+v %+v", open, back)
	}
	want(t, c.answered(owner, "tap "+asked[owner+" Yes, write it down"])[owner], "has deleted the message about ₹100")
	if got := c.owes(); got != "500.00" {
		t.Errorf("owes %s", got)
	}
}

// A customer's erasure takes their claims, and a tap on the question about one writes nothing down.
func TestAnErasureTakesTheClaims(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	c.answered(owner, "+70 98222 22222 tea")
	asked := c.answered(asha, "paid 100")
	c.answered(asha, "paid 20")
	c.answered(ravis, "paid 20")
	done, err := c.erasesOnce(t.Context())
	c.must(err)
	if open := c.claimed(khatamodel.ClaimOpen); len(open) != 1 || open[0].CustomerPhone != model.PhoneOf(ravis) ||
		done.Counts["paymentClaims"] != 2 {
		t.Errorf("%+v %+v", open, done.Counts)
	}
	c.answered(owner, "tap "+asked[owner+" Yes, write it down"])
	if got := c.owes(); got != "500.00" {
		t.Errorf("owes %s", got)
	}
}

// Where a person was known under two keys, their claims are one list.
func TestTheClaimsOfOnePersonAreJoined(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	c.answered(asha, "paid 100")
	c.answered(asha, "paid 20")
	_, err := c.settles(c.claimed(khatamodel.ClaimOpen)[0].ClaimID, false)
	c.must(err)
	join := func() {
		c.must(c.khata.Part().Rekey(t.Context(), contacts.Rekeyed{Phone: wt.Phone, From: asha, To: "IN.77"}))
	}
	join()
	join()
	for _, state := range []khatamodel.ClaimState{khatamodel.ClaimOpen, khatamodel.ClaimRefused} {
		if all := c.claimed(state); len(all) != 1 || all[0].CustomerPhone != "IN.77" {
			t.Errorf("%s: %+v", state, all)
		}
	}
	open, err := c.khata.Claims.OpenOf(t.Context(), creditStore, "IN.77")
	if err != nil || len(open) != 1 {
		t.Errorf("%+v %v", open, err)
	}
	_, err = c.settles(open[0].ClaimID, true)
	c.must(err)
	b, err := c.khata.Ledger.Balance(t.Context(), creditStore, "IN.77")
	if err != nil || b.OutstandingBalance.StringFixed(2) != "400.00" {
		t.Errorf("%+v %v", b, err)
	}
}

func TestJoiningClaimsSurvivesEveryCrashPoint(t *testing.T) {
	points := dynamotest.EveryCrashPoint(t, dynamotest.Crash{
		Tables: tables.All(),
		Seed: func(t testing.TB, db *dynamotest.DB) {
			seedCredit(t, db)
			c := creditOn(t, db, db.Client)
			c.answered(owner, "+500 98765 43210 rice")
			c.answered(asha, "paid 100")
			c.answered(asha, "paid 20")
		},
		Run: func(ctx context.Context, client *dynamo.Client, _ int) error {
			return creditOn(t, nil, client).khata.Part().Rekey(ctx,
				contacts.Rekeyed{Phone: wt.Phone, From: asha, To: "IN.77"})
		},
	})
	t.Logf("%d crash points", points)
}

// The check names a confirmed claim without its entry.
func TestAConfirmedClaimHasItsEntry(t *testing.T) {
	db := dynamotest.Start(t, tables.All()...)
	seedCredit(t, db)
	c := creditOn(t, db, db.Client)
	c.answered(owner, "+500 98765 43210 rice")
	c.answered(asha, "paid 100")
	c.answered(asha, "paid 20")
	claim, err := c.settles(c.claimed(khatamodel.ClaimOpen)[0].ClaimID, true)
	c.must(err)
	shop, err := c.khata.Shops.Shop(t.Context(), creditStore)
	c.must(err)
	kinds := func() (all []string) {
		t.Helper()
		checked, _, err := c.khata.Books.ClaimsOf(t.Context(), shop, 100, "")
		c.must(err)
		nightly, _, err := c.khata.Books.Everybody(t.Context(), "", func() bool { return true }, false)
		c.must(err)
		for _, f := range append(checked.Findings, nightly.Findings...) {
			all = append(all, string(f.Kind))
		}
		return all
	}
	if found := kinds(); len(found) != 0 {
		t.Errorf("%v", found)
	}
	key := keys.KhataClaim(creditStore, "confirmed", claim.ClaimID)
	set := func(do string, value dynamo.AttributeValue) {
		t.Helper()
		err := db.Update(t.Context(), dynamo.Update{
			Table: tables.CustomerBalances, Key: key, Do: do, If: dynamo.IfPresent, Values: dynamo.Item{":v": value}})
		c.must(err)
	}
	set("SET amount = :v", dynamo.N(21))
	if found := kinds(); strings.Join(found, " ") != "no_entry no_entry" {
		t.Errorf("%v", found)
	}
	set("SET transaction_id = :v", dynamo.S("txn-20261121-00000000ABCDEF"))
	if found := kinds(); strings.Join(found, " ") != "no_entry no_entry" {
		t.Errorf("%v", found)
	}
}
