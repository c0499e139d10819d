package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"github.com/haatline/haatline/infra/ops/deployment"
	"github.com/haatline/haatline/infra/stacks/names"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/secrets"
	"github.com/haatline/haatline/shared/tables"
)

// checkSending names the numbers that the outbox has stopped because Meta refused the number or its token.
func (x *examination) checkSending(ctx context.Context) []finding {
	var stopped []finding
	for _, n := range x.numbers.value {
		var sequence model.OutboxSequence
		if err := x.read(ctx, tables.OutboxSequences, keys.OutboxSequence(keys.OutboxSequenceID("phone:"+n.ID)),
			&sequence); err != nil {
			return append(stopped, x.unread(err, tables.OutboxSequences))
		}
		if until := time.UnixMilli(sequence.StoppedTo); until.After(x.now()) {
			stopped = append(stopped,
				warns(fmt.Sprintf(
					"sending from %s is stopped until %s: WhatsApp refused the number or its token; it is tried "+
						"again by itself then",
					x.called(n), until.UTC().Format("2006-01-02 15:04:05 UTC")),
					"the lines about the number and its token may say why; else "+x.logsOf("outbox")))
		}
	}
	if len(stopped) > 0 {
		return stopped
	}
	return []finding{fine("none of %d numbers is stopped", len(x.numbers.value))}
}

// read reads an item. If it does not exist, into stays empty.
func (x *examination) read(ctx context.Context, table tables.Table, key keys.Key, into any) error {
	err := x.db.value.Get(ctx, table, key, into)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil
	}
	return err
}

// unread returns the finding for a table that could not be read. The check of the tables reports a missing table.
func (x *examination) unread(err error, table tables.Table) finding {
	switch {
	case x.isLocal():
		return unseen("the local DynamoDB does not answer: "+x.whyAWS(err), "start the local cloud again: make run")
	case deployment.Is(err, "ResourceNotFoundException"):
		return waits("tables")
	}
	return x.refused(err, "dynamodb:GetItem on "+table.Name(x.stage))
}

// checkOwnTokens checks the access tokens of single numbers like the common one.
func (x *examination) checkOwnTokens(ctx context.Context) []finding {
	var list []finding
	for _, n := range x.numbers.value {
		var phone model.Phone
		if err := x.read(ctx, tables.Messages, keys.Phone(model.PhoneNumberID(n.ID)), &phone); err != nil {
			return append(list, x.unread(err, tables.Messages))
		}
		if phone.AccessTokenRef == "" {
			continue
		}
		for _, found := range x.checkOwnToken(ctx, phone.AccessTokenRef) {
			list = append(list, found.of(strings.TrimSpace("own token of "+x.called(n)+" "+found.about)))
		}
	}
	if len(list) == 0 {
		return []finding{fine("there are none: every number uses the common one")}
	}
	return list
}

func (x *examination) checkOwnToken(ctx context.Context, ref string) []finding {
	token, do, trouble := x.resolve(ctx, ref)
	if token == "" {
		return []finding{trouble}
	}
	x.private.add(token)
	data, first := x.debug(ctx, token, do, do)
	if first.state == missing || first.state == unknown {
		return []finding{first}
	}
	return []finding{first, judgeScopes(data, do).of("(permissions)")}
}

// localTokens is the prefix of the variables that make run passes to the functions.
const localTokens = accessToken + "_"

// resolve reads a number's own token from the reference on its item, like the outbox does, and returns what to do if
// the token is not valid. If the token cannot be read, it is empty and trouble says why.
func (x *examination) resolve(ctx context.Context, ref string) (token, do string, trouble finding) {
	const secretPrefix, variablePrefix = "secretsmanager:", "env:"
	id, isSecret := strings.CutPrefix(ref, secretPrefix)
	variable, isVariable := strings.CutPrefix(ref, variablePrefix)
	should := "set accessTokenRef on the number's item to " + secretPrefix + names.NumberSecrets(x.stage) +
		"{phone number id}"
	if x.isLocal() {
		should = "set accessTokenRef on the number's item to " + variablePrefix + localTokens +
			"{anything}, and that variable for make run and doctor"
	}
	switch {
	case secrets.IsSealed(ref) && !x.isLocal():
		return "", "", fine("it is encrypted by the stage's key, and only the functions that send can read it")
	case isSecret && !x.isLocal():
		return x.ownSecret(ctx, id)
	case isVariable && x.isLocal() && strings.HasPrefix(variable, localTokens):
		do = sameAsRun(variable)
		return strings.TrimSpace(os.Getenv(variable)), do, lacks(variable+" is not set here", do)
	case isSecret || isVariable:
		return "", "",
			lacks("the functions cannot read it where accessTokenRef says: "+
				strings.ToValidUTF8(ref[:min(len(ref), 60)], ""), should)
	}
	// it may be a token, so it is not shown
	return "", "", lacks("accessTokenRef is no reference, and would be sent as the token itself", should)
}

// ownSecret reads the secret of a single number.
func (x *examination) ownSecret(ctx context.Context, id string) (token, do string, trouble finding) {
	id, member, ofSeveral := strings.Cut(id, "#") // a secret may hold the tokens of several numbers
	name := id
	if _, ofARN, isARN := strings.Cut(id, ":secret:"); isARN {
		name = ofARN
	}
	if prefix := names.NumberSecrets(x.stage); !strings.HasPrefix(name, prefix) {
		return "", "",
			lacks("the outbox may not read "+x.private.cleaned(name),
				"put the token into a secret whose name begins with "+prefix+", and name that in accessTokenRef")
	}
	do = whence(accessToken) + "; " + putInto(id)
	if ofSeveral {
		do = whence(accessToken) + "; put it into " + name + ", a JSON object, under " + x.private.cleaned(member) +
			", beside those of other numbers"
	}
	read, err := secretsmanager.NewFromConfig(x.account.value).GetSecretValue(ctx,
		&secretsmanager.GetSecretValueInput{SecretId: &id})
	switch {
	case deployment.Is(err, "ResourceNotFoundException"):
		return "", "",
			lacks(name+" is not there, or holds no value",
				whence(accessToken)+"; aws secretsmanager create-secret --name "+name+"; "+do)
	case err != nil:
		return "", "", x.refused(err, "secretsmanager:GetSecretValue on "+name)
	}
	if text := aws.ToString(read.SecretString); !ofSeveral {
		return strings.TrimSpace(text), do, lacks(name+" holds no text", do)
	}
	return secrets.MemberOf(aws.ToString(read.SecretString), member), do,
		lacks(name+" holds no text under "+x.private.cleaned(member), do)
}
