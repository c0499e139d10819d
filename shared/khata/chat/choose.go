package chat

import (
	"context"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/khata/ledger"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/whatsapp/content"
)

const (
	// pickPrefix begins the ids of rows by which the owner says which of several customers is meant.
	pickPrefix = AnswerPrefix + "pick:"
	// maxChoices is how many customers a question can name.
	maxChoices = 9
)

// pick is an entry, or a look at an account, of one of several customers who fit a name.
type pick struct {
	what    spokenKind // what the entry is, or an account, or nothing
	amount  model.Amount
	day     string
	account model.Name
	note    string
}

// String returns the id of the row.
func (p pick) String() string {
	return pickPrefix + strings.Join([]string{
		string(p.what), p.amount.String(), p.day, string(p.account), model.Truncate(p.note, maxPickedNote)}, "|")
}

// maxPickedNote keeps the id of a row short.
const maxPickedNote = 60

// parsePick is the reverse of String. It reports false for an id that is none.
func parsePick(id string) (p pick, ok bool) {
	text, is := strings.CutPrefix(id, pickPrefix)
	parts := strings.SplitN(text, "|", 5)
	kinds := []spokenKind{sale, paid, unclear, account, nothing}
	if !is || len(parts) != 5 || !slices.Contains(kinds, spokenKind(parts[0])) {
		return p, false
	}
	amount, err := decimal.NewFromString(parts[1])
	account, errAccount := model.Parse[model.Name](parts[3])
	if err != nil || errAccount != nil || len(parts[1]) > 20 || parts[2] != "" && len(parts[2]) != len("2006-01-02") {
		return p, false
	}
	return pick{spokenKind(parts[0]), model.Amount{Decimal: amount}, parts[2], account, parts[4]}, true
}

// What else a row or a button says: the owner is told what somebody owes, or nothing is written down.
const (
	account spokenKind = "account"
	nothing spokenKind = "nothing"
)

// picked returns the row's entry for one of the customers.
func (w wanted) picked(b khatamodel.Balance) pick {
	kind := w.kind
	if kind == "" {
		kind = either(w.sale, sale, paid)
	}
	return w.pick(kind, b.CustomerPhone)
}

func (w wanted) pick(kind spokenKind, of model.Name) pick {
	return pick{what: kind, amount: w.amount, day: w.day, account: of, note: w.note}
}

// choose asks which of some customers is meant. A row says what is to be done with its customer.
func (t talk) choose(ctx context.Context, words []string, found []khatamodel.Balance,
	of func(khatamodel.Balance) pick) error {
	who := strings.Join(words, " ")
	values := map[string]string{"who": who, "names": t.listed(found)}
	var rows []content.Row
	var about []model.CustomerID
	for _, b := range found[:min(len(found), maxChoices)] {
		rows = append(rows, content.Row{
			ID: of(b).String(), Title: model.Truncate(model.ShownLine(b.CustomerName), 24),
			Description: string(b.CustomerPhone) + ", " + t.money(b.OutstandingBalance)})
		about = append(about, khatamodel.CustomerOf(b.CustomerPhone))
	}
	t.others = about
	list := content.List{
		Body: model.Truncate(t.text("", "which_customer", values), 1000), Button: t.text("", "choose", nil),
		Sections: []content.Section{{Rows: rows}}}
	return t.ask(ctx, t.questionID("khata pick"), list)
}

// questionID returns what a question about the message is known by.
func (t talk) questionID(what string) string { return idempotency.Hash(what, string(t.m.ID))[:16] }

// chosen does what a row says, if it stands under a question of this domain. The first row counts: another one of the
// same question changes nothing.
func (t talk) chosen(ctx context.Context, p pick) (bool, error) {
	code, ours, err := t.m.Asked(ctx, t.Domain)
	if err != nil || !ours || !t.isOwner || !t.shop.Terms.Commands {
		return false, err
	}
	b, err := t.Ledger.Balance(ctx, t.shop.ID, p.account)
	if err != nil {
		return false, ignoreMissing(err)
	}
	switch p.what {
	case account:
		return true, t.tellAccount(ctx, b)
	case nothing:
		return true, t.reply(ctx, "nothing_written", nil)
	}
	w := wanted{
		sale: p.what == sale, amount: p.amount, day: p.day, note: p.note,
		to: khatamodel.CustomerOf(p.account), name: b.CustomerName}
	if p.what == unclear {
		return true, t.askKind(ctx, w)
	}
	request, err := ledger.Request(t.shop, idempotency.Command, "pick "+code, nil)
	if err != nil {
		return false, err
	}
	if found, err := t.DB.BatchGet(ctx, request.Refs()); err != nil || len(found) > 0 {
		if err == nil {
			err = t.reply(ctx, "chosen_already", nil)
		}
		return true, err
	}
	return true, t.enterOnce(ctx, w, request)
}
