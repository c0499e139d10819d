package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/haatline/haatline/shared/community/communitymodel"
	"github.com/haatline/haatline/shared/community/settings"
	"github.com/haatline/haatline/shared/community/users"
	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/idempotency"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/mailing"
	"github.com/haatline/haatline/shared/messaging/sending"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/ratelimit"
	"github.com/haatline/haatline/shared/tables"
)

// maxTries is how often a code is tried.
const maxTries = 5

// letter is a code that is to be sent to an address of email, or over WhatsApp to a phone number.
type letter struct {
	tenant  model.TenantID
	purpose model.Name
	to      users.Address
	// about returns what the code is for, whose address it is ("" for nobody's), and what the message says. It decides
	// by the tenant's settings and by what was read. A message without a code leads to nothing. It returns an error if
	// nothing is sent.
	about func(of communitymodel.Settings, found dynamo.Found) (is communitymodel.Code, says text, err error)
	more  []dynamo.Ref // what about needs
	// id is that of the message over WhatsApp: one, however often it is prepared.
	id model.MessageID
}

// send stores a code and has it sent, in one transaction. It sends nothing and returns no error if enough codes were
// sent to the address: so a repeated request sends none. Its condition is that the code is as it was read. It returns
// ErrNoPhones for a phone number if the tenant sends codes by email alone.
func (a *Access) send(ctx context.Context, l letter) error {
	code := fmt.Sprintf("%06d", binary.BigEndian.Uint64(a.random(8))%1_000_000)
	salt := a.random(saltLength)
	l.id = model.MessageID(idempotency.Hash(string(l.tenant), l.to.Text(), string(salt)))
	limited := model.Name(idempotency.Hash(string(l.tenant), l.to.Text()))
	ref := dynamo.Ref{Table: tables.CommunityUsers, Key: keys.AccessCode(l.purpose, l.tenant, l.to.Text())}
	refs := append([]dynamo.Ref{ref, settings.Ref(l.tenant)}, l.more...)
	refs = append(refs, ratelimit.Refs(Mails, limited)...)
	if l.to.Email != "" {
		refs = append(refs, mailing.Refs(l.tenant, l.to.Email)...)
	}
	return dynamo.Retry(ctx, dynamo.MaxCallerAttempts, func() error {
		found, err := a.DB.BatchGet(ctx, refs)
		if err != nil {
			return err
		}
		of, err := settings.In(found, l.tenant)
		if err != nil {
			return err
		}
		if l.to.Phone != "" && of.WhatsAppNumber == "" {
			return ErrNoPhones
		}
		is, says, err := l.about(of, found)
		if err != nil {
			return err
		}
		decision, writes, err := a.Limiter.Prepare(Mails, limited, found)
		if err != nil || !decision.Allowed {
			return err
		}
		is.PK, is.Address, is.SentAt = ref.Key.Partition, l.to.Text(), model.At(a.Now())
		is.ExpiresAt = a.Now().Add(communitymodel.CodeLife).Unix()
		is.Salt, is.Hash = hex.EncodeToString(salt), hashOf(salt, code)
		if !says.code {
			is.Hash = hashOf(salt, "") // no code has it
		}
		put, err := codePut(is, ref.Found(found))
		if err != nil {
			return err
		}
		message, err := a.message(ctx, l, of, says, code, found)
		if err != nil {
			return err
		}
		return dynamo.Conflict(a.DB.Transact(ctx, append(append(writes, put), message...)))
	})
}

// message returns the writes that have a message sent; none to somebody to whom the tenant sends nothing any more.
func (a *Access) message(ctx context.Context, l letter, of communitymodel.Settings, says text, code string,
	found dynamo.Found) ([]dynamo.Write, error) {
	purpose := model.PurposeOf(a.Domain, users.Reference(l.purpose, model.At(a.Now())))
	if l.to.Phone != "" {
		return a.whatsApp(ctx, l, of, purpose, says.template, code)
	}
	return a.mail(ctx, l, of, purpose, says.with(of.Language, code), found)
}

// codePut returns the write of a code. Its condition is that the one before is as it was read.
func codePut(is communitymodel.Code, was dynamo.Item) (dynamo.Put, error) {
	item, err := dynamo.Marshal(is)
	put := dynamo.Put{Table: tables.CommunityUsers, Item: item, If: dynamo.IfAbsent}
	if was != nil {
		put.If, put.Values = "#Hash = :was", dynamo.Item{":was": was["Hash"]}
	}
	return put, err
}

// mail returns the writes that have an email sent; none to an address to which the tenant sends nothing any more.
func (a *Access) mail(ctx context.Context, l letter, of communitymodel.Settings, purpose model.Purpose, says words,
	found dynamo.Found) ([]dynamo.Write, error) {
	_, writes, err := a.Mailing.Prepare(ctx, mailing.Email{
		Tenant: l.tenant, Purpose: purpose, From: of.From, FromName: of.FromName,
		To: l.to.Email, Subject: says.subject, Text: says.text, Automatic: true,
		Secret: true,
	}, found)
	if errors.Is(err, mailing.ErrSuppressed) || errors.Is(err, sending.ErrLeft) {
		return nil, nil
	}
	return writes, err
}

// try counts a try of a code, and returns the code if it is right and has tries left. It returns ErrCode. The try is
// counted before anything is compared, so that guesses side by side count as well.
func (a *Access) try(ctx context.Context, purpose model.Name, tenant model.TenantID, address,
	code string) (is communitymodel.Code, err error) {
	item, err := a.DB.UpdateReturning(ctx, dynamo.Update{
		Table: tables.CommunityUsers, Key: keys.AccessCode(purpose, tenant, address), Do: "ADD Tries :one",
		If: "attribute_exists(pk) AND Tries < :most AND ExpiresAt > :now",
		Values: dynamo.Item{
			":one": dynamo.N(1), ":most": dynamo.N(maxTries), ":now": dynamo.N(a.Now().Unix())},
	})
	if dynamo.IsConditionFailed(err) {
		return is, ErrCode
	}
	if err != nil {
		return is, fmt.Errorf("try a code: %w", err)
	}
	if err := dynamo.Unmarshal(item, &is); err != nil {
		return is, err
	}
	salt, err := hex.DecodeString(is.Salt)
	if err != nil {
		return is, fmt.Errorf("the salt of a code: %w", err)
	}
	if !hmac.Equal([]byte(hashOf(salt, code)), []byte(is.Hash)) || code == "" {
		return communitymodel.Code{}, ErrCode
	}
	return is, nil
}

// used returns the write that deletes a code. Its condition is that it is the code that was tried: a code is used once.
func used(is communitymodel.Code) dynamo.Delete {
	return dynamo.Delete{
		Table: tables.CommunityUsers, Key: keys.ByPK(is.PK), If: "#Hash = :was",
		Values: dynamo.Item{":was": dynamo.S(is.Hash)}}
}

// hashOf returns the salted hash of a code, in hexadecimal digits. A code has so few forms that a costlier hash would
// not hide it: tries are counted.
func hashOf(salt []byte, code string) string {
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(code))
	return hex.EncodeToString(mac.Sum(nil))
}
