// Package people owns the directory of the people who work with the API: what a subject of a token is called. Cognito's
// access tokens carry no name, and an account that is deleted takes its name along; an entry of the directory stays.
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

// Person is somebody who signs in, or did.
type Person struct {
	Subject string // the sub of their tokens
	Name    string // what people call them; "" where nobody has said
	Email   string // with which they sign in
}

// Called returns what to show for a person: the name, or else the e-mail address, or else "".
func (p Person) Called() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// Directory reads and writes the entries, in the messages table. It remembers what it has read, so one is made for a process
// and shared by its requests.
type Directory struct {
	DB  *dynamo.Client
	Now func() time.Time

	mu         sync.Mutex
	remembered map[string]entry
}

// entry is what was read of a subject, and until when it counts. A subject without an item has a Person without a subject.
type entry struct {
	person Person
	until  time.Time
}

const (
	knownFor   = 10 * time.Minute // a new name shows after that
	unknownFor = time.Minute      // somebody who was just added
	mostKept   = 1000             // entries: far more than the people of a deployment
)

// Find returns those of the subjects that the directory knows, by subject. It reads, in one batch, those that it does not
// remember.
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
		} else if id, err := model.Parse[model.Name](subject); err == nil { // no other text has an entry
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
		e := entry{until: now.Add(unknownFor)}
		if item := refs[i].Found(items); item != nil {
			var stored model.Person
			if err := dynamo.Unmarshal(item, &stored); err != nil {
				return nil, err
			}
			e = entry{Person{Subject: subject, Name: stored.Name, Email: stored.Email}, now.Add(knownFor)}
			found[subject] = e.person
		}
		d.remember(subject, e)
	}
	return found, nil
}

func (d *Directory) remember(subject string, e entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.remembered == nil || len(d.remembered) >= mostKept {
		d.remembered = map[string]entry{}
	}
	d.remembered[subject] = e
}

// Enter writes a person's entry, and makes it where there is none. It keeps the name that is there where the person comes
// without one.
func (d *Directory) Enter(ctx context.Context, p Person) error {
	id, err := model.Parse[model.Name](p.Subject)
	if err != nil {
		return fmt.Errorf("the subject %q: %w", p.Subject, err)
	}
	u := dynamo.Update{
		Table: tables.Messages, Key: keys.Person(id),
		Do: "SET #itemType = :type, #subject = :subject, #email = :email, #updatedAt = :now",
		If: dynamo.Unconditional, // what was said last counts, and every writer says the whole of it
		Values: dynamo.Item{
			":type": dynamo.S(model.ItemPerson), ":subject": dynamo.S(id), ":email": dynamo.S(p.Email), ":now": dynamo.S(model.At(d.Now())),
		},
	}
	if p.Name != "" {
		u.Do += ", #name = :name"
		u.Values[":name"] = dynamo.S(p.Name)
	}
	if _, err := d.DB.Update(ctx, u); err != nil {
		return fmt.Errorf("write %s into the directory of people: %w", p.Subject, err)
	}
	return nil
}
