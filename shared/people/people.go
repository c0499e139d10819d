// Package people is the directory of the people who use the API. It gives the subject of a token a name, because
// Cognito's access tokens contain none. An entry stays when the account is deleted.
package people

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// Person is somebody who signs in or has signed in.
type Person struct {
	Subject string // the sub claim of their tokens
	Name    string // "" if unknown
	Email   string // the address they sign in with
}

// Called returns a person's display name: the name, or else the e-mail address, or else "".
func (p Person) Called() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// Directory reads and writes entries in the messages table. It caches what it has read, so a process makes one
// Directory and shares it between requests.
type Directory struct {
	DB  *dynamo.Client
	Now func() time.Time

	mu         sync.Mutex
	remembered map[string]entry
}

// entry is a cached read. If the subject has no item, its Person has no Subject.
type entry struct {
	person Person
	until  time.Time
}

const (
	knownTTL   = 10 * time.Minute // after this time a changed name is seen
	unknownTTL = time.Minute      // after this time a new person is seen
	maxCached  = 1000             // maximum number of cached entries: far more than a deployment has people
)

// Find returns those of the subjects that the directory contains, by subject. It reads what is not cached in one batch.
func (d *Directory) Find(ctx context.Context, subjects ...string) (map[string]Person, error) {
	found := map[string]Person{}
	var refs []dynamo.Ref
	var asked []string
	now := d.Now()
	d.mu.Lock()
	for _, subject := range subjects {
		if e, ok := d.remembered[subject]; ok && now.Before(e.until) {
			if e.person.Subject != "" {
				found[subject] = e.person
			}
		} else if id, err := model.Parse[model.Name](subject); err == nil { // other texts cannot have an entry
			refs, asked = append(refs, dynamo.Ref{Table: tables.Messages, Key: keys.Person(id)}), append(asked, subject)
		}
	}
	d.mu.Unlock()
	if len(refs) == 0 {
		return found, nil
	}
	items, err := d.DB.BatchGet(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("read the directory of people: %w", err)
	}
	for i, subject := range asked {
		e := entry{until: now.Add(unknownTTL)}
		if item := refs[i].Found(items); item != nil {
			var stored model.Person
			if err := dynamo.Unmarshal(item, &stored); err != nil {
				return nil, err
			}
			e = entry{Person{Subject: subject, Name: stored.Name, Email: stored.Email}, now.Add(knownTTL)}
			found[subject] = e.person
		}
		d.remember(subject, e)
	}
	return found, nil
}

func (d *Directory) remember(subject string, e entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.remembered == nil || len(d.remembered) >= maxCached {
		d.remembered = map[string]entry{}
	}
	d.remembered[subject] = e
}

// Put writes a person's entry and creates it if there is none. If p has no name, it keeps the stored one. It returns an
// error if the subject cannot be part of a key.
func (d *Directory) Put(ctx context.Context, p Person) error {
	id, err := model.Parse[model.Name](p.Subject)
	if err != nil {
		return fmt.Errorf("the subject %q: %w", p.Subject, err)
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Person(id),
		Do: "SET #itemType = :type, #subject = :subject, #email = :email, #updatedAt = :now",
		If: dynamo.Unconditional, // the last writer wins, and every writer writes all attributes
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemPerson), ":subject": dynamo.S(id), ":email": dynamo.S(p.Email),
			":now": dynamo.S(model.At(d.Now())),
		},
	}
	if p.Name != "" {
		u.Do += ", #name = :name"
		u.Values[":name"] = dynamo.S(p.Name)
	}
	if err := d.DB.Update(ctx, u); err != nil {
		return fmt.Errorf("write %s into the directory of people: %w", p.Subject, err)
	}
	return nil
}
