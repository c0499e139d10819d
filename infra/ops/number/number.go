// Package number is the command that assigns a business number to a tenant or releases it, and sets how it sends.
package number

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/haatline/haatline/infra/ops/database"
	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/ops/linked"
	"github.com/haatline/haatline/infra/ops/people"
	"github.com/haatline/haatline/infra/ops/usage"
	"github.com/haatline/haatline/shared/audit"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/messaging"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/phonenumber"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/tenancy"
)

// order is what the command is to do.
type order struct {
	stage  tables.Stage
	remove bool
	find   bool       // AWS's id of the number is to be found
	sender model.Name // a number that sends SMS; "" for one of WhatsApp
	of     tenancy.NumberChange
}

// number is what the command speaks of.
func (o order) number() string {
	if o.sender != "" {
		return string(o.sender)
	}
	return string(o.of.Phone)
}

// carryOut changes the number and reports whether anything changed.
func (o order) carryOut(ctx context.Context, rooms *messaging.Domain) (changed bool, err error) {
	sender := tenancy.SenderChange{
		Number: o.sender, Tenant: o.of.Tenant, Move: o.of.Move, By: o.of.By, Reason: o.of.Reason}
	switch {
	case o.sender != "" && o.remove:
		return rooms.ReleaseSender(ctx, sender)
	case o.sender != "":
		return rooms.GiveSender(ctx, sender)
	case o.remove:
		return rooms.ReleaseNumber(ctx, o.of)
	}
	return rooms.GiveNumber(ctx, o.of)
}

// Run assigns a number to a tenant or releases it, records who did it, and prints the result in one sentence. If the
// number is already in the requested state, it changes nothing.
func Run(ctx context.Context, args []string, out io.Writer) error {
	do, err := read(args, out)
	if err != nil {
		return err
	}
	db, by, err := open(ctx, do.stage)
	if err != nil {
		return err
	}
	do.of.By = by
	if do.find {
		client, err := linked.Open(ctx, do.stage)
		if err != nil {
			return err
		}
		id, err := linked.NumberID(ctx, client, do.of.Phone)
		if err != nil {
			return err
		}
		do.of.AWSPhoneNumberID = &id
	}
	rooms := messaging.New(messaging.Config{
		DB: db, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }})
	changed, err := do.carryOut(ctx, rooms)
	if err != nil {
		return do.explain(err)
	}
	fmt.Fprintln(out, do.says(changed))
	return nil
}

func read(args []string, out io.Writer) (order, error) {
	flags := flag.NewFlagSet("number", flag.ContinueOnError)
	stageName := flags.String("stage", "", "dev, staging or prod, or local for a running make run")
	phone := flags.String("phone", "", "the number's id at Meta (phone_number_id), not the number that is dialled")
	sender := flags.String("sender", "", "instead of -phone: a number that sends SMS, such as +447700900444")
	tenant := flags.String("tenant", "", "the tenant that gets the number, or has it")
	waba := flags.String("waba", "",
		"the id of its WhatsApp Business Account; where it is left out, the number's first webhook says it")
	remove := flags.Bool("remove", false,
		"take the number from the tenant: it is nobody's then, and its conversations stay where they are")
	move := flags.Bool("move", false,
		"take the number, with all its conversations, from the tenant that has it or had it last")
	coexistence := flags.String("coexistence", "",
		"on for a number that is also used in the phone app, and sends more slowly; off; left out: as it is")
	marketing := flags.String("marketing-messages", "",
		"on to have marketing templates go the way of Meta's marketing messages; off; left out: as it is")
	aws := flags.String("aws", "", "AWS's id of a number that sends by AWS End User Messaging, "+awsForm+"; "+findID+
		" to ask AWS for it; meta for one that sends by Meta itself; left out: as it is")
	reason := flags.String("reason", "", "why, for the record")
	if err := usage.Parse(flags, args, out); err != nil {
		return order{}, err
	}
	stage, err := deployment.ParseStage(*stageName, deployment.Local)
	if err != nil {
		return order{}, err
	}
	id, number, err := which(*phone, *sender)
	if err != nil {
		return order{}, err
	}
	if err := people.CheckTenant(*tenant); err != nil {
		return order{}, err
	}
	if *waba != "" && (len(*waba) > 20 || strings.Trim(*waba, "0123456789") != "") {
		return order{}, usage.Wrong("-waba %q: the id of an account is digits", *waba)
	}
	if number != "" && *waba+*coexistence+*marketing+*aws != "" {
		return order{},
			usage.Wrong("number: -sender goes with none of -waba, -coexistence, -marketing-messages and -aws")
	}
	if *remove && (*move || *waba+*coexistence+*marketing+*aws != "") {
		return order{},
			usage.Wrong("number: -remove goes with none of -move, -waba, -coexistence, -marketing-messages and -aws")
	}
	atAWS, err := provider(*aws)
	if err != nil {
		return order{}, err
	}
	coexists, err := onOrOff("coexistence", *coexistence)
	if err != nil {
		return order{}, err
	}
	markets, err := onOrOff("marketing-messages", *marketing)
	if err != nil {
		return order{}, err
	}
	if *reason == "" {
		*reason = "none given"
	}
	return order{stage, *remove, *aws == findID, number, tenancy.NumberChange{
		Phone: id, Tenant: model.TenantID(*tenant), WABA: model.WABAID(*waba), Move: *move, Reason: *reason,
		Coexistence: coexists, MarketingMessages: markets, AWSPhoneNumberID: atAWS,
	}}, nil
}

// which reads the number that is meant: one of WhatsApp by Meta's id, or one that sends SMS.
func which(phone, sender string) (id model.PhoneNumberID, number model.Name, err error) {
	if sender == "" {
		if id, err = model.ParsePhoneNumberID(phone); err != nil {
			return "", "", usage.Wrong("-phone %q: %v; make doctor shows those of your account", phone, err)
		}
		return id, "", nil
	}
	digits, err := phonenumber.Parse(sender, "")
	if phone != "" || err != nil || "+"+digits != sender {
		return "", "", usage.Wrong("-sender %q: a number in E.164, such as +447700900444, and no -phone", sender)
	}
	return "", model.Name(sender), nil
}

// awsForm is the form of AWS's ids of numbers, and findID stands for the id that AWS has.
const (
	awsForm = "phone-number-id-…"
	findID  = "find"
)

// provider reads the flag that says by whom a number sends; nil for one that is left out, or that is to be found.
func provider(value string) (*string, error) {
	switch {
	case value == "", value == findID:
		return nil, nil
	case value == "meta":
		return new(string), nil
	case tenancy.IsAWSID(value):
		return &value, nil
	}
	return nil, usage.Wrong("-aws %q: "+awsForm+", as the console of AWS End User Messaging shows it, "+findID+
		" or meta", value)
}

// onOrOff reads a flag that changes a setting; nil for one that is left out.
func onOrOff(name, value string) (*bool, error) {
	switch value {
	case "":
		return nil, nil
	case "on", "off":
		on := value == "on"
		return &on, nil
	}
	return nil, usage.Wrong("-%s %q: on or off", name, value)
}

// open returns a client of the stage's tables and the actor: in AWS the owner of the credentials.
func open(ctx context.Context, stage tables.Stage) (*dynamo.Client, audit.Actor, error) {
	by := audit.Actor{Subject: "operator command", RequestID: "make number"}
	if stage != deployment.Local {
		account, err := deployment.AWS(ctx)
		if err != nil {
			return nil, by, err
		}
		if by.Subject, err = deployment.Caller(ctx, account); err != nil {
			return nil, by, err
		}
	}
	db, err := database.Open(ctx, stage)
	return db, by, err
}

// explain turns an error into one line that says what to do.
func (o order) explain(err error) error {
	var taken *tenancy.NumberTaken
	switch {
	case errors.As(err, &taken) && o.remove:
		return fmt.Errorf("%s is not %s's, but %s's", o.number(), o.of.Tenant, taken.Tenant)
	case errors.As(err, &taken) && o.sender != "":
		return fmt.Errorf("%s is %s's: to take it from them, say ARGS=-move", o.sender, taken.Tenant)
	case errors.As(err, &taken):
		return fmt.Errorf(
			"%s is %s's, or was last, and its conversations still are: to take both from them, say ARGS=-move",
			o.number(), taken.Tenant)
	case deployment.Is(err, "ResourceNotFoundException"):
		return fmt.Errorf(
			"the tables of %s are not there: deploy first, or set AWS_REGION and AWS_PROFILE to the deployment's",
			o.stage)
	case o.stage == deployment.Local && dynamo.Unavailable(err):
		return errors.New("the local DynamoDB does not answer: start the local cloud again: make run")
	}
	return fmt.Errorf("change the number: %s", deployment.Why(err))
}

func (o order) says(changed bool) string {
	switch {
	case o.sender != "" && o.remove && changed:
		return fmt.Sprintf("%s was taken from %s, and is nobody's", o.sender, o.of.Tenant)
	case o.sender != "" && changed:
		return fmt.Sprintf("%s is %s's", o.sender, o.of.Tenant)
	case o.remove && changed:
		return fmt.Sprintf(
			"%s was taken from %s, and is nobody's: what customers write to it is kept, and nobody sees it", o.number(),
			o.of.Tenant)
	case o.remove:
		return fmt.Sprintf("%s is nobody's already", o.number())
	case changed && o.stage == deployment.Local:
		return fmt.Sprintf("%s is %s's; who may see it: make token ARGS=\"-groups tenant:%s\"", o.number(), o.of.Tenant,
			o.of.Tenant)
	case changed:
		return fmt.Sprintf("%s is %s's; who may see it: make operator STAGE=%s TENANT=%s EMAIL=…", o.number(),
			o.of.Tenant, o.stage, o.of.Tenant)
	}
	return fmt.Sprintf("%s is %s's already", o.number(), o.of.Tenant)
}
