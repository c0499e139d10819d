package soak

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	cardanswer "github.com/haatline/haatline/shared/cards/command"
	"github.com/haatline/haatline/shared/cards/policy"
	"github.com/haatline/haatline/shared/cards/requests"
	"github.com/haatline/haatline/shared/cards/users"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/registry"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// bank is the card program of the shop's number, with what really happened in it.
type bank struct {
	admins []*authority

	mu        sync.Mutex // of what operations note
	users     map[*customer]model.Name
	people    map[model.Name]*cardUser
	asked     map[model.Name]model.Name // the user of a request
	answers   []*cardAnswer
	decisions []*apiDecision
	ticked    time.Time // when expired requests were rejected last
}

// cardUser is whom a card user was made for.
type cardUser struct {
	of     *customer
	marker string // in the email
	high   bool
	erased bool
	maybe  bool // they were erased under another identifier than that by which the program knows them
}

// cardAnswer is what somebody has answered to a request for a card in the chat.
type cardAnswer struct {
	said     *saying
	by       *customer
	request  model.Name
	approves bool
	forged   bool // the button stands under another message
}

// apiDecision is a decision by the API.
type apiDecision struct {
	subject  string
	request  model.Name
	approves bool
	accepted bool
	at       time.Time
}

// approvalTime is how long admins have to answer.
const approvalTime = 12 * time.Hour

// opensCards sets the card program up, without faults.
func (w *simulation) opensCards(t testing.TB) {
	b := &bank{users: map[*customer]model.Name{}, people: map[model.Name]*cardUser{},
		asked: map[model.Name]model.Name{}}
	w.bank = b
	program := cardsmodel.Program{TenantID: tenant, PhoneNumberID: shopPhone, Language: "en", Policy: policy.Default()}
	program.Policy.ApprovalSeconds = int(approvalTime / time.Second)
	for i, name := range []string{"ravi", "meena"} {
		a := w.gives(name, fmt.Sprintf("91882222222%d", i))
		b.admins = append(b.admins, a)
		program.Admins = append(program.Admins,
			cardsmodel.Admin{ID: model.Name(name), Name: name, Phone: "+" + a.number.id})
	}
	if _, err := registry.Cards(w.open(w.db.Client)).Programs.Set(t.Context(), program, operator("boss")); err != nil {
		t.Fatal(err)
	}
}

// inBank makes a step in the card program happen.
func (w *simulation) inBank(s step, c *customer) {
	b := w.bank
	admin := b.admins[w.rng.IntN(len(b.admins))]
	switch s.kind {
	case askCard:
		w.asksForCard(c)
	case adminTap:
		w.tapsAsAdmin(admin)
	case adminWrite:
		w.answersCard(admin.first())
	case strangerWrite:
		if w.rng.IntN(2) == 0 && admin.left != "" {
			c = admin.number.holder
		}
		w.answersCard(c)
	case decideByAPI:
		w.decides()
	case expireCards:
		// the next run does what fails
		w.operations = append(w.operations, func() { _ = registry.Cards(w.rooms()).Tick(w.t.Context()) })
	case adminMoves:
		w.passesAuthority(b.admins[0])
	case confirmAdmin:
		w.confirms(admin)
	case confirmStore:
		w.confirms(w.shop.authority)
	}
}

// asksForCard has an operator ask for a card for a customer, who becomes a user if they are none.
func (w *simulation) asksForCard(c *customer) {
	if c, _ = w.named(c); !w.isNamed(c) || c.quiet.After(w.clock()) {
		return
	}
	seed, phone, score := fmt.Sprintf("card-%d", w.ids.Add(1)), "+"+c.number.id,
		[]int{300, 600, 600, 750}[w.rng.IntN(4)]
	w.operations = append(w.operations, func() {
		user := w.cardUserOf(c, seed, phone, score)
		if user == "" {
			return
		}
		w.answered("a request for a card", func() error {
			key, err := idempotency.NewRequest(idempotency.API, tenant, "operator", "request-card", seed, seed)
			if err != nil {
				return err
			}
			request, err := registry.Cards(w.rooms()).Requests.Make(w.t.Context(), requests.Ask{
				Tenant: tenant, User: user, Product: "standard", Key: key, By: operator("operator"),
			})
			if err == nil {
				w.bank.mu.Lock()
				defer w.bank.mu.Unlock()
				w.bank.asked[request.RequestID] = user
			}
			return err
		})
	})
}

// cardUserOf returns the card user of a customer, and makes one if there is none; "" if that is refused.
func (w *simulation) cardUserOf(c *customer, seed, phone string, score int) model.Name {
	b := w.bank
	b.mu.Lock()
	defer b.mu.Unlock()
	if user := b.users[c]; user != "" {
		return user
	}
	made := &cardUser{of: c, marker: seed + "-end@example.org", high: score >= policy.Default().HighFrom}
	w.answered("a card user", func() error {
		key, err := idempotency.NewRequest(idempotency.API, tenant, "operator", "create-card-user", seed, seed)
		if err != nil {
			return err
		}
		user, err := registry.Cards(w.rooms()).Users.Create(w.t.Context(), users.New{
			Tenant: tenant, Email: made.marker, Name: c.name, Phone: phone, Language: "en", Role: cardsmodel.RoleUser,
			Score: score,
		}, key, operator("operator"))
		if err == nil {
			b.users[c], b.people[user.EcosystemID] = user.EcosystemID, made
		}
		if errors.Is(err, users.ErrExists) {
			w.t.Errorf("%s of %s cannot become a user of cards: %v", phone, c.name, err)
		}
		return err
	})
	return b.users[c]
}

// forgetsCardUser notes that the person who is a card user was erased. Who shows no number is another person to the
// program.
func (w *simulation) forgetsCardUser(c *customer) {
	user := w.bank.people[w.bank.users[c]]
	if user == nil {
		return
	}
	if user.maybe = true; c.shows != aUserID {
		user.erased = true
		delete(w.bank.users, c)
	}
}

// questions returns the copies of questions about cards that somebody has got.
func (w *simulation) questions(c *customer) (got []*taken) {
	for _, copy := range w.meta.all() {
		if copy.phone == shopPhone && copy.holder == c && !copy.failed() &&
			strings.Contains(string(copy.body), cardsmodel.NotifyApprovalRequest) {
			got = append(got, copy)
		}
	}
	return got
}

// gotFromShop returns the copies of all messages that somebody has got from the shop's number.
func (w *simulation) gotFromShop(c *customer) []*taken {
	return slices.DeleteFunc(w.meta.all(),
		func(copy *taken) bool { return copy.phone != shopPhone || copy.holder != c || copy.failed() })
}

// tapsAsAdmin has an admin, or who has got an admin's number, tap a button under a question, or one with such an id
// under another message.
func (w *simulation) tapsAsAdmin(a *authority) {
	by := a.first()
	if a.left != "" && w.rng.IntN(2) == 0 {
		by = a.number.holder
	}
	got := w.questions(by)
	if len(got) == 0 {
		return
	}
	copy := got[max(0, len(got)-1-w.rng.IntN(3))]
	buttons := copy.buttons()
	button := buttons[w.rng.IntN(len(buttons))]
	under := copy
	if all := w.gotFromShop(by); w.rng.IntN(3) == 0 {
		under = all[w.rng.IntN(len(all))]
	}
	said := w.tellsShop(by, "button",
		wt.Object{"button": wt.Object{"payload": button, "text": "tapped"}, "context": wt.Object{"id": under.wamid}})
	w.notesAnswer(said, button, !strings.Contains(string(under.body), button))
}

// notesAnswer keeps what a button about a card has answered.
func (w *simulation) notesAnswer(said *saying, button string, forged bool) {
	tapped, is := cardanswer.FromPayload(button)
	if !is {
		w.t.Errorf("%q is no answer to a request for a card", button)
		return
	}
	w.bank.answers = append(w.bank.answers, &cardAnswer{
		said: said, by: said.by, request: model.Name(tapped.Request), approves: tapped.Action == cardanswer.Approve,
		forged: forged,
	})
}

// answersCard has somebody write the answer to a request for a card.
func (w *simulation) answersCard(by *customer) {
	var codes []cardsmodel.Request
	for _, request := range w.cardRequests() {
		if request.Code != "" {
			codes = append(codes, request)
		}
	}
	if len(codes) == 0 {
		return
	}
	request := codes[max(0, len(codes)-1-w.rng.IntN(3))]
	approves := w.rng.IntN(2) == 0
	word := map[bool]string{true: "APPROVE ", false: "reject "}[approves]
	said := w.tellsShop(by, "text", w.text(word+cardanswer.Show(request.Code)))
	w.bank.answers = append(w.bank.answers,
		&cardAnswer{said: said, by: by, request: request.RequestID, approves: approves})
}

// decides has an operator decide by the API.
func (w *simulation) decides() {
	asked := w.cardRequests()
	if len(asked) == 0 {
		return
	}
	d := &apiDecision{
		subject: fmt.Sprintf("operator-%d", w.ids.Add(1)), request: asked[w.rng.IntN(len(asked))].RequestID,
		approves: w.rng.IntN(2) == 0,
		at:       w.clock(),
	}
	w.bank.decisions = append(w.bank.decisions, d)
	w.operations = append(w.operations, func() {
		outcome := map[bool]cardsmodel.ApprovalStatus{
			true: cardsmodel.ApprovalApproved, false: cardsmodel.ApprovalRejected}[d.approves]
		d.accepted = !w.answered("a decision", func() error {
			_, err := registry.Cards(w.rooms()).Requests.Decide(w.t.Context(), requests.Answer{
				Tenant: tenant, Request: d.request, Outcome: outcome, By: operator(d.subject), At: model.At(d.at),
			})
			return err
		})
	})
}
