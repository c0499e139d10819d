package campaigns

import (
	"context"
	"fmt"
	"slices"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/lanes"
	"github.com/haatline/haatline/shared/messaging/campaigns/recipients"
	"github.com/haatline/haatline/shared/messaging/contacts"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/problem"
	"github.com/haatline/haatline/shared/tables"
	"github.com/haatline/haatline/shared/whatsapp/prices"
)

const (
	// MaxRecipients bounds the recipients of a campaign, and maxLists the lists that it gets them from.
	MaxRecipients = recipients.MaxLines
	maxLists      = 20
	// partSize is how many recipients one item holds.
	partSize = 100
	// abreast is how many parts, or messages, are written side by side.
	abreast = 8
)

// ErrTooMany means that a campaign would have too many recipients, or lists.
var ErrTooMany = problem.New("too many recipients", problem.Error{
	Class: problem.Conflict, Code: "too-many-recipients", Title: "Too many recipients",
	Detail: fmt.Sprintf("A campaign has at most %d recipients, from at most %d lists.", MaxRecipients, maxLists),
})

// SourceFile is the source of a list that names its recipients by what stands in a file.
const SourceFile = "file"

// List is recipients that are added at once.
type List struct {
	ID         model.Name // of the request, so that a repeated one adds nothing
	Source     string
	Columns    []string
	Recipients []model.CampaignRecipient
}

// Added says what has become of a list.
type Added struct {
	Recipients int
	Known      int // recipients who were on an earlier list already, or on this one in another form of their number
}

// Add adds a list to a campaign that has not begun. It returns ErrState and ErrTooMany. A list is announced first, then
// stored in parts, and then counted, so that an erasure finds every part that may be there.
func (s *Campaigns) Add(ctx context.Context, of model.Campaign, list List) (added Added, err error) {
	known, err := s.everybody(ctx, of, list.ID)
	if err != nil {
		return added, err
	}
	wanted := slices.DeleteFunc(slices.Clone(list.Recipients), func(r model.CampaignRecipient) bool {
		names := namesIn(list.Source, r.To)
		before := slices.ContainsFunc(names, func(name model.CustomerID) bool { return known[name] })
		for _, name := range names {
			known[name] = true
		}
		return before
	})
	added = Added{Recipients: len(wanted), Known: len(list.Recipients) - len(wanted)}
	if len(wanted) == 0 {
		return added, nil
	}
	if err := s.announce(ctx, of.CampaignID, list, len(wanted)); err != nil {
		return added, err
	}
	if err := s.store(ctx, of.CampaignID, list, wanted); err != nil {
		return added, err
	}
	_, err = s.change(ctx, of.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
		i := slices.IndexFunc(c.Lists, func(l model.CampaignList) bool { return l.ID == list.ID })
		switch {
		case i < 0:
			return nil, dynamo.ErrNotFound // it was taken away at this moment
		case !c.Lists[i].Announced:
			return nil, errSame
		case !open(c):
			return nil, ErrState // it has begun without the list, whose parts would move all places
		}
		c.Lists[i].Announced = false
		c.TotalRecipients += int64(len(wanted))
		if c.Markets == nil {
			c.Markets = map[string]int64{}
		}
		for _, r := range wanted {
			c.Markets[prices.MarketOf(string(r.To))]++
		}
		return nil, nil
	})
	return added, err
}

// announce notes on the campaign that a list will be there.
func (s *Campaigns) announce(ctx context.Context, id model.Name, list List, size int) error {
	_, err := s.change(ctx, id, func(c *model.Campaign) ([]dynamo.Write, error) {
		total := int64(size)
		for _, l := range c.Lists {
			if l.ID == list.ID {
				return nil, errSame
			}
			total += int64(l.Recipients)
		}
		switch {
		case !open(c):
			return nil, ErrState
		case total > MaxRecipients || len(c.Lists) == maxLists:
			return nil, ErrTooMany
		}
		c.Lists = append(c.Lists, model.CampaignList{
			ID: list.ID, Source: list.Source, Recipients: size, AddedAt: model.At(s.Now()), Announced: true,
			Columns: list.Columns})
		return nil, nil
	})
	return err
}

// store stores the parts of a list. A repeated request stores the same parts again.
func (s *Campaigns) store(ctx context.Context, id model.Name, list List, wanted []model.CampaignRecipient) error {
	expires := s.Now().Add(keptFor).Unix()
	var jobs []func() error
	number := 0
	for chunk := range slices.Chunk(wanted, partSize) {
		part := model.CampaignPart{
			PK: keys.CampaignPart(id, list.ID, number).Partition, ItemType: model.ItemCampaignPart,
			Columns: list.Columns, Recipients: chunk, TTL: expires, Version: 1,
		}
		jobs = append(jobs, func() error {
			item, err := dynamo.Marshal(part)
			if err != nil {
				return err
			}
			return s.DB.Put(ctx, dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional})
		})
		number++
	}
	for _, err := range lanes.Concurrently(abreast, jobs...) {
		if err != nil {
			return fmt.Errorf("store recipients: %w", err)
		}
	}
	return nil
}

// Remove takes a list away from a campaign that has not begun. It returns ErrState, and dynamo.ErrNotFound if there is
// no such list. The campaign names the list until its last part is gone, so that an erasure finds what is left.
func (s *Campaigns) Remove(ctx context.Context, of model.Campaign, list model.Name) error {
	i := slices.IndexFunc(of.Lists, func(l model.CampaignList) bool { return l.ID == list })
	if i < 0 {
		return dynamo.ErrNotFound
	}
	gone, err := s.marketsOf(ctx, of.CampaignID, of.Lists[i])
	if err != nil {
		return err
	}
	change := func(with func(c *model.Campaign, i int) (changed bool)) error {
		_, err := s.change(ctx, of.CampaignID, func(c *model.Campaign) ([]dynamo.Write, error) {
			i := slices.IndexFunc(c.Lists, func(l model.CampaignList) bool { return l.ID == list })
			switch {
			case i < 0:
				return nil, errSame
			case !open(c):
				return nil, ErrState
			}
			if !with(c, i) {
				return nil, errSame
			}
			return nil, nil
		})
		return err
	}
	if err := change(func(c *model.Campaign, i int) bool { return forget(c, i, gone) }); err != nil {
		return err
	}
	if err := s.deleteParts(ctx, of.CampaignID, of.Lists[i]); err != nil {
		return err
	}
	return change(func(c *model.Campaign, i int) bool {
		c.Lists = slices.Delete(c.Lists, i, i+1)
		return true
	})
}

// forget takes the recipients of a list out of what a campaign counts. It reports whether they were in there.
func forget(c *model.Campaign, i int, markets map[string]int64) bool {
	if c.Lists[i].Announced {
		return false
	}
	c.Lists[i].Announced = true
	c.TotalRecipients -= int64(c.Lists[i].Recipients)
	left := map[string]int64{}
	for market, n := range c.Markets {
		if n -= markets[market]; n > 0 {
			left[market] = n
		}
	}
	c.Markets = left
	return true
}

// marketsOf returns the recipients of a list by market.
func (s *Campaigns) marketsOf(ctx context.Context, id model.Name, list model.CampaignList) (map[string]int64, error) {
	markets := map[string]int64{}
	return markets, s.eachPart(ctx, id, placesIn(list, 0), func(_ place, part model.CampaignPart) error {
		for _, r := range part.Recipients {
			markets[prices.MarketOf(string(r.To))]++
		}
		return nil
	})
}

// deleteParts deletes the parts of a list. Nothing else writes them by then.
func (s *Campaigns) deleteParts(ctx context.Context, id model.Name, list model.CampaignList) error {
	for _, at := range placesIn(list, 0) {
		err := s.DB.Transact(ctx, []dynamo.Write{
			dynamo.Delete{
				Table: tables.Messages, Key: keys.CampaignPart(id, at.list, at.number), If: dynamo.Unconditional},
			dynamo.Delete{
				Table: tables.Messages, Key: keys.CampaignProgress(id, at.list, at.number), If: dynamo.Unconditional},
		})
		if err != nil {
			return fmt.Errorf("delete recipients: %w", err)
		}
	}
	return nil
}

// everybody returns the recipients of a campaign's lists but one.
func (s *Campaigns) everybody(ctx context.Context, of model.Campaign, but model.Name) (map[model.CustomerID]bool,
	error) {
	known := map[model.CustomerID]bool{}
	for _, list := range of.Lists {
		if list.ID == but {
			continue
		}
		err := s.eachPart(ctx, of.CampaignID, placesIn(list, 0), func(_ place, part model.CampaignPart) error {
			for _, r := range part.Recipients {
				for _, name := range namesIn(list.Source, r.To) {
					known[name] = true
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}

// namesIn returns a recipient's name, and in a file the other form that Meta uses of some numbers. The keys of two
// conversations lead to two people whatever their form.
func namesIn(source string, name model.CustomerID) []model.CustomerID {
	if source == SourceFile {
		return contacts.FormsOf(name)
	}
	return []model.CustomerID{name}
}

// place is where a part of a campaign's recipients is stored.
type place struct {
	list    model.Name
	number  int   // within its list
	size    int   // of its recipients
	first   int64 // the place of its first recipient among all
	addedAt model.Time
	// addresses reports whether the recipients are numbers and user ids, as in a file, and not the keys of
	// conversations. The person who had an address when the list was added gets the message.
	addresses bool
}

// placesIn returns the places of a list's parts, in order. first is the place of the list's first recipient among all.
func placesIn(list model.CampaignList, first int64) (all []place) {
	for from := 0; from < list.Recipients; from += partSize {
		all = append(all, place{
			list: list.ID, number: from / partSize, size: min(partSize, list.Recipients-from),
			first: first + int64(from), addedAt: list.AddedAt, addresses: list.Source == SourceFile})
	}
	return all
}

// placesOf returns the places of the parts of all lists of a campaign, in order. It leaves out lists that are not
// stored as a whole.
func placesOf(c model.Campaign) (all []place) {
	first := int64(0)
	for _, list := range c.Lists {
		if !list.Announced {
			all = append(all, placesIn(list, first)...)
			first += int64(list.Recipients)
		}
	}
	return all
}

// partsAtOnce is how many parts are read in one round trip, and held in memory. All of them are at most 10 MB.
const partsAtOnce = 25

// eachPart hands over the parts at some places, in order; the zero value for one that is not there, or has expired.
func (s *Campaigns) eachPart(ctx context.Context, id model.Name, places []place,
	each func(place, model.CampaignPart) error) error {
	for some := range slices.Chunk(places, partsAtOnce) {
		refs := make([]dynamo.Ref, len(some))
		for i, at := range some {
			refs[i] = partRef(id, at)
		}
		found, err := s.DB.BatchGet(ctx, refs)
		if err != nil {
			return fmt.Errorf("read recipients: %w", err)
		}
		for i, at := range some {
			var part model.CampaignPart
			if err := dynamo.Unmarshal(refs[i].Found(found), &part); err != nil {
				return err
			}
			if err := each(at, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// part returns a part; the zero value for one that is not there, or has expired.
func (s *Campaigns) part(ctx context.Context, id model.Name, at place) (p model.CampaignPart, err error) {
	return p, s.read(ctx, partRef(id, at), &p)
}

func partRef(id model.Name, at place) dynamo.Ref {
	return dynamo.Ref{Table: tables.Messages, Key: keys.CampaignPart(id, at.list, at.number)}
}

// read reads an item. It leaves the entity as it is if there is no such item.
func (s *Campaigns) read(ctx context.Context, ref dynamo.Ref, entity any) error {
	found, err := s.DB.BatchGet(ctx, []dynamo.Ref{ref})
	if err != nil {
		return fmt.Errorf("read for a campaign: %w", err)
	}
	return dynamo.Unmarshal(ref.Found(found), entity)
}
