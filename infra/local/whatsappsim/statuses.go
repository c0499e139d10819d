package whatsappsim

import (
	"slices"
	"strconv"
	"time"
)

// statusStep is one status of a message and when it is posted, counted from the acceptance.
type statusStep struct {
	status string
	after  time.Duration
}

// outcome is what becomes of an accepted message.
type outcome struct {
	id       string
	phone    string
	message  message
	category string // what it is billed as: service, or the category of its template
	failure  *graphError
	fault    StatusesFault
}

// steps are the statuses of an outcome in the order they are posted.
func (s *Server) steps(o outcome) []statusStep {
	delays := s.options.Delays
	steps := []statusStep{{"sent", delays.Sent}, {"delivered", delays.Delivered}, {"read", delays.Read}}
	if o.message.kind == "reaction" { // nobody is told whether a reaction was seen
		steps = steps[:1]
	}
	if o.failure != nil {
		steps = []statusStep{{"failed", delays.Sent}}
	}
	steps = slices.DeleteFunc(steps, func(step statusStep) bool { return slices.Contains(o.fault.Drop, step.status) })
	if o.fault.Reorder { // the times stay, so that the last status comes when the first was due
		for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
			steps[i].status, steps[j].status = steps[j].status, steps[i].status
		}
	}
	var posted []statusStep
	for _, step := range steps {
		step.after += time.Duration(o.fault.Delay)
		posted = append(posted, step)
		if o.fault.Duplicate {
			posted = append(posted, step)
		}
	}
	return posted
}

// deliver posts the statuses of a message in the background, each when the one before was taken or given up, so that
// they keep their order. A message beyond the limit of what may be under way gets no statuses.
func (s *Server) deliver(o outcome) {
	select {
	case s.underWay <- struct{}{}:
	default:
		s.options.Logger.Warn("too many messages under way, no statuses", "message_id", o.id)
		return
	}
	s.background(func() {
		defer func() { <-s.underWay }()
		accepted := time.Now() // the wall clock: the given one may stand still, the delays must not
		for _, step := range s.steps(o) {
			if !sleep(s.ctx, time.Until(accepted.Add(step.after))) {
				return
			}
			body, err := s.statusBody(o, step.status)
			if err != nil {
				s.options.Logger.Error("status webhook", "error", err)
				return
			}
			s.postUntilTaken(s.ctx, body, false)
		}
	})
}

func (s *Server) statusBody(o outcome, name string) ([]byte, error) {
	to := o.message.to
	customer := s.customers.find(to.user())
	status := webhookStatus{
		ID: o.id, Status: name, Timestamp: s.timestamp(),
		RecipientID: knownAs(to.waID), RecipientUserID: customer.userID, CallbackData: o.message.callbackData,
	}
	if to.userID != "" {
		status.RecipientUserID = to.userID
	}
	if to.group != "" {
		status.RecipientID, status.RecipientType, status.RecipientUserID = to.group, "group", ""
	}
	if name == "sent" {
		status.Pricing = pricingOf(o.category)
	}
	value := webhookValue{Statuses: []webhookStatus{status}}
	if name == "failed" { // a failed status carries no contacts there
		value.Statuses[0].Errors = []webhookError{failureOf(o.failure)}
	} else if to.group == "" {
		contact := webhookContact{
			Profile: webhookProfile{Name: customer.name}, WaID: knownAs(to.waID), UserID: status.RecipientUserID}
		if name != "sent" { // the username comes with delivered and read only
			contact.Profile.Username = customer.username
		}
		value.Contacts = []webhookContact{contact}
	}
	return s.envelope(o.phone, value)
}

func pricingOf(category string) *webhookPricing {
	if category == "service" {
		return &webhookPricing{Billable: false, Model: "PMP", Category: category, Type: "free_customer_service"}
	}
	return &webhookPricing{Billable: true, Model: "PMP", Category: category, Type: "regular"}
}

func failureOf(e *graphError) webhookError {
	failure := webhookError{
		Code: e.code, Title: e.title, Message: e.title,
		Href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
	}
	if e.details != "" {
		failure.Data = map[string]string{"details": e.details}
	}
	return failure
}

func (s *Server) timestamp() string { return strconv.FormatInt(s.options.Now().Unix(), 10) }
