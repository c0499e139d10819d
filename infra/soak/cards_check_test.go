package soak

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/cards/cardsmodel"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// cardRequests returns all requests for cards, by their ids.
func (w *simulation) cardRequests() []cardsmodel.Request {
	var all []cardsmodel.Request
	for _, item := range w.items(tables.CardRequests) {
		var request cardsmodel.Request
		unmarshal(w.t, item, &request)
		all = append(all, request)
	}
	slices.SortFunc(all,
		func(a, b cardsmodel.Request) int { return strings.Compare(string(a.RequestID), string(b.RequestID)) })
	return all
}

// checkCards compares the card program with what people have asked for and answered.
func (w *simulation) checkCards(s state) {
	trackers := map[model.Name]cardsmodel.Approval{}
	for _, item := range w.items(tables.PendingApprovals) {
		var tracker cardsmodel.Approval
		if unmarshal(w.t, item, &tracker); tracker.ApprovalStatus != "" {
			trackers[tracker.RequestID] = tracker
		}
	}
	held := w.heldCards()
	pending, given := map[model.Name]model.Name{}, map[model.Name][]cardsmodel.Card{}
	for _, request := range w.cardRequests() {
		happened.requests.Add(1)
		w.checkDecision(request)
		w.checkTracker(request, trackers[request.RequestID])
		card, has := held[request.RequestID]
		if has != (request.Status == cardsmodel.RequestApproved) {
			w.t.Errorf("the request %s is %s, and there is a card: %v", request.RequestID, request.Status, has)
		}
		if delete(held, request.RequestID); has {
			given[request.EcosystemID] = append(given[request.EcosystemID], card)
		}
		if request.Status == cardsmodel.RequestPending {
			pending[request.EcosystemID] = request.RequestID
		}
	}
	for id := range held {
		w.t.Errorf("the card %s was asked for by nobody", id)
	}
	w.checkCardUsers(s, pending, given)
	w.checkNotifications(s)
}

// heldCards returns the cards, by their ids.
func (w *simulation) heldCards() map[model.Name]cardsmodel.Card {
	all := map[model.Name]cardsmodel.Card{}
	for _, item := range w.items(tables.Cards) {
		var card cardsmodel.Card
		unmarshal(w.t, item, &card)
		all[card.CardID] = card
	}
	return all
}

// checkTracker checks that the tracker of a request says what the request says.
func (w *simulation) checkTracker(request cardsmodel.Request, tracker cardsmodel.Approval) {
	want := cardsmodel.ApprovalStatus(request.Status)
	switch d := request.Decision; {
	case d != nil && d.By == cardsmodel.ByAuto:
		want = ""
	case d != nil && d.By == cardsmodel.BySystem:
		want = cardsmodel.ApprovalExpired
	}
	if tracker.ApprovalStatus != want {
		w.t.Errorf("the request %s is %s, and its tracker says %q", request.RequestID, request.Status,
			tracker.ApprovalStatus)
	}
}

// checkDecision checks that somebody who may has decided a request as they meant, or that nobody had answered in time.
func (w *simulation) checkDecision(request cardsmodel.Request) {
	user, d := w.bank.people[w.bank.asked[request.RequestID]], request.Decision
	approved := request.Status == cardsmodel.RequestApproved
	switch {
	case user == nil:
		w.t.Errorf("the request %s was made by nobody", request.RequestID)
	case d == nil:
		if request.Status != cardsmodel.RequestPending || request.ExpiresAt.Go().Before(w.bank.ticked) {
			w.t.Errorf("the request %s is %s until %s, without a decision at %s", request.RequestID, request.Status,
				request.ExpiresAt, w.bank.ticked)
		}
	case d.By == cardsmodel.ByAuto:
		if !user.high || !approved {
			w.t.Errorf("the request %s of a user whose score is not high was %s at once", request.RequestID,
				request.Status)
		}
	case d.By == cardsmodel.BySystem:
		w.checkExpired(request)
	case d.Via == cardsmodel.ViaAPI:
		happened.decisions.Add(1)
		if !slices.ContainsFunc(w.bank.decisions, func(by *apiDecision) bool {
			return by.request == request.RequestID && by.subject == d.AdminID && by.approves == approved
		}) {
			w.t.Errorf("the request %s was %s by %s through the API, who has not meant it", request.RequestID,
				request.Status, d.AdminID)
		}
	default:
		happened.answers.Add(1)
		w.checkAnswered(request)
	}
	for _, by := range w.bank.decisions { // the API has said that it is decided so
		if by.accepted && by.request == request.RequestID && (d == nil || d.AdminID != by.subject) {
			w.t.Errorf("%s was told that they have decided the request %s, and it was decided by %+v", by.subject,
				request.RequestID, d)
		}
	}
}

// checkAnswered checks that an admin has answered as the request was decided, with the authority, under the question,
// and in time.
func (w *simulation) checkAnswered(request cardsmodel.Request) {
	approved := request.Status == cardsmodel.RequestApproved
	for _, answer := range w.bank.answers {
		if answer.request == request.RequestID && answer.approves == approved && !answer.forged &&
			w.mayAnswer(answer, request.Decision) &&
			!answer.said.at.After(request.ExpiresAt.Go().Add(aSecond)) {
			return
		}
	}
	w.t.Errorf("the request %s was %s by %s at %s, and nobody who may has answered so: %s", request.RequestID,
		request.Status, request.Decision.AdminID,
		request.Decision.DecidedAt, w.answersTo(request))
}

// mayAnswer reports whether an answer decides by the authority in whose name it is recorded. What comes before the shop
// knows that the number has passed on is excused.
func (w *simulation) mayAnswer(answer *cardAnswer, d *cardsmodel.Decision) bool {
	for _, a := range w.bank.admins {
		if "admin:"+a.name != d.AdminID {
			continue
		}
		told, known := w.shop.known[a.left]
		knew := a.left != "" && known && d.DecidedAt.Go().After(told)
		return a.has(answer.by, answer.said.at) || !knew && (answer.by == a.first() || answer.by == a.number.holder)
	}
	return false
}

// answersTo describes the answers to a request.
func (w *simulation) answersTo(request cardsmodel.Request) string {
	var all []string
	for _, answer := range w.bank.answers {
		if answer.request == request.RequestID {
			word := map[bool]string{true: "yes", false: "no"}[answer.approves]
			all = append(all,
				word+" of "+answer.by.name+" at "+
					answer.said.at.Format("02 15:04:05.000")+map[bool]string{true: ", forged"}[answer.forged])
		}
	}
	return strings.Join(all, "; ")
}

// checkExpired checks that a request that has expired was answered by nobody in time, as far as answers had been read
// by then.
func (w *simulation) checkExpired(request cardsmodel.Request) {
	happened.expiries.Add(1)
	d, expires := request.Decision, request.ExpiresAt.Go()
	if d.DecidedAt.Go().Before(expires) || request.Status != cardsmodel.RequestRejected {
		w.t.Errorf("the request %s has expired at %s as %s, before %s", request.RequestID, d.DecidedAt, request.Status,
			expires)
	}
	for _, answer := range w.bank.answers {
		if answer.request != request.RequestID || answer.forged || answer.said.seen.IsZero() ||
			!answer.said.seen.Before(expires) {
			continue
		}
		user := w.bank.people[w.bank.asked[request.RequestID]]
		for _, a := range w.bank.admins {
			// an erased user gets no card
			if a.hasSurely(answer.by, answer.said.at) && a.left == "" && !user.maybe && user.of.erasures == 0 {
				w.t.Errorf("the request %s has expired, though %s had answered: %s; %s", request.RequestID,
					answer.by.name, w.answersTo(request),
					w.kept(answer.said.id))
			}
		}
	}
}

// checkCardUsers checks that each user is of the person whom they were made for, and that their summary is that of
// their cards.
func (w *simulation) checkCardUsers(s state, pending map[model.Name]model.Name,
	given map[model.Name][]cardsmodel.Card) {
	users := map[model.Name]cardsmodel.User{}
	for _, item := range w.items(tables.CardUsers) {
		var user cardsmodel.User
		if unmarshal(w.t, item, &user); user.Role != "" {
			users[user.EcosystemID] = user
		}
	}
	for id, made := range w.bank.people {
		user, there := users[id]
		switch erased := user.ErasedAt != ""; {
		case !there:
			w.t.Errorf("the card user %s of %s is gone", id, made.of.name)
			continue
		case made.erased && (!erased || strings.Contains(s.text, made.marker)):
			w.t.Errorf("the card user %s of %s, who was erased, still says who they are: %+v", id, made.of.name, user)
		case erased && !made.maybe && made.of.erasures == 0:
			w.t.Errorf("the card user %s of %s was erased, and they were not", id, made.of.name)
		}
		limit := decimal.Zero
		for _, card := range given[id] {
			limit = limit.Add(card.Limit.Decimal)
		}
		if sum := user.CardSummary; sum.ActiveCards != int64(len(given[id])) || !sum.TotalLimit.Equal(limit) {
			w.t.Errorf("the card user %s has %d cards over %s, and the summary says %+v", id, len(given[id]),
				limit, sum)
		}
		if user.PendingRequestID != pending[id] {
			w.t.Errorf("the card user %s waits for %q, and %q is pending", id, user.PendingRequestID, pending[id])
		}
	}
	for id := range users {
		if w.bank.people[id] == nil {
			w.t.Errorf("the card user %s was made by nobody", id)
		}
	}
}

// checkNotifications checks that every notification came to its end, and that questions went to those alone who may
// answer.
func (w *simulation) checkNotifications(s state) {
	accepted := w.acceptedAt()
	for _, item := range w.items(tables.WhatsAppNotifications) {
		var n cardsmodel.Notification
		unmarshal(w.t, item, &n)
		if n.DeliveryStatus == cardsmodel.NotificationPending && n.ErasedAt == "" {
			w.t.Errorf("the notification %s waits for ever: %+v, and its event is %+v", n.NotificationID, n,
				s.events[n.OutboxEventID])
		}
	}
	for _, copy := range w.meta.all() {
		if copy.phone != shopPhone || copy.holder == nil ||
			!strings.Contains(string(copy.body), cardsmodel.NotifyApprovalRequest) {
			continue
		}
		may := false
		for _, a := range w.bank.admins {
			told, known := w.shop.known[a.left]
			knew := a.left != "" && known && told.Before(accepted[copy.eventID].Go())
			may = may || a.has(copy.holder, copy.at) || copy.holder == a.first() && !knew ||
				copy.holder == a.number.holder && !knew
		}
		if !may {
			w.t.Errorf("%s was asked at %s, who may not decide: %s", copy.holder.name, copy.at, copy.body)
		}
	}
}

// acceptedAt returns when each event of the outbox was accepted.
func (w *simulation) acceptedAt() map[string]model.Time {
	accepted := map[string]model.Time{}
	for _, item := range w.items(tables.Outbox) {
		accepted[dynamo.Text(item, "eventId")] = model.Time(dynamo.Text(item, "createdAt"))
	}
	return accepted
}

// aboutCards returns whom the notifications of card users are about, by their events.
func (w *simulation) aboutCards() map[string]*customer {
	about := map[string]*customer{}
	for _, item := range w.items(tables.WhatsAppNotifications) {
		var n cardsmodel.Notification
		unmarshal(w.t, item, &n)
		if user := w.bank.people[n.EcosystemID]; user != nil && n.NotificationType != cardsmodel.NotifyApprovalRequest {
			about[n.OutboxEventID] = user.of
		}
	}
	return about
}

// kept describes what the card program has kept of a message.
func (w *simulation) kept(id string) string {
	for _, item := range w.items(tables.WhatsAppInbound) {
		if textOf(item, "messageId") == id {
			return textOf(item, "processedStatus") + " " + textOf(item, "processedAction") + " " +
				textOf(item, "processingError")
		}
	}
	return "nothing is kept of it"
}
