package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/haatline/haatline/shared/khata/khatamodel"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
	wt "github.com/haatline/haatline/shared/whatsapp/whatsapptest"
)

// debtors returns the customers who owe the shop something.
func (w *simulation) debtors() (all []*customer) {
	owners := w.owners()
	for _, item := range w.items(tables.CustomerBalances) {
		var balance khatamodel.Balance
		if unmarshal(w.t, item, &balance); balance.OutstandingBalance.IsPositive() &&
			slices.Contains(w.customers, owners[balance.CustomerPhone]) {
			all = append(all, owners[balance.CustomerPhone])
		}
	}
	slices.SortFunc(all, func(a, b *customer) int { return strings.Compare(a.name, b.name) })
	return all
}

// nextMarker returns a text that nothing else holds, for a message to the shop.
func (w *simulation) nextMarker() string { return fmt.Sprintf("shopmarker-%d-end", w.ids.Add(1)) }

// sendsPicture has somebody send a picture to the shop.
func (w *simulation) sendsPicture(c *customer) {
	if !w.isClear(c) {
		return
	}
	marker := w.nextMarker()
	said := w.tellsShop(c, "image",
		wt.Object{"image": wt.Object{"id": marker, "mime_type": "image/jpeg", "caption": marker}})
	said.plain, said.marker = true, marker
}

// changesAtShop has somebody edit or delete a message of theirs to the shop, or react to it, or write one that can be
// changed.
func (w *simulation) changesAtShop(c *customer) {
	if !w.isClear(c) {
		return
	}
	var own []*saying
	for _, said := range w.shop.said {
		if said.by == c && said.plain && !said.group && said.kind == "" {
			own = append(own, said)
		}
	}
	marker := w.nextMarker()
	if len(own) == 0 || w.rng.IntN(3) == 0 {
		said := w.tellsShop(c, "text", w.text(marker))
		said.plain, said.marker = true, marker
		return
	}
	of := own[max(0, len(own)-1-w.rng.IntN(2))]
	kind := []string{"revoke", "edit", "reaction"}[w.rng.IntN(3)]
	content := wt.Object{"revoke": wt.Object{"original_message_id": of.id}}
	switch kind {
	case "edit":
		content = wt.Object{
			"edit": wt.Object{
				"original_message_id": of.id, "message": wt.Object{"type": "text", "text": wt.Object{"body": marker}}}}
	case "reaction":
		content = wt.Object{"reaction": wt.Object{"message_id": of.id, "emoji": "👍 " + marker}}
	}
	said := w.tellsShop(c, kind, content)
	said.kind, said.changes, said.marker = kind, of, marker
}

// checkShopMessages checks that each message to the shop is stored once, in the conversation of its writer, and that
// changes show.
func (w *simulation) checkShopMessages(s state) {
	homes := map[string]*customer{}
	for _, said := range w.shop.said {
		stored, there := s.messages[said.id]
		switch {
		case !there || stored.ErasedAt != "":
			w.t.Errorf("%s of %s to the shop is not there: %+v", said.id, said.by.name, stored)
		case stored.AttachedTo != "":
			w.checkShopChange(s, said)
		// who shows different identifiers may be two people until they show both
		case said.kind != "" && said.by.shows == mixed:
		case said.kind != "":
			w.t.Errorf("%s is a %s of %s, and stands by itself", said.id, said.kind, said.changes.id)
		case said.group:
		case said.marker != "" && stored.RevokedAt == "" &&
			!strings.Contains(stored.TextBody+stored.Caption, "shopmarker-"):
			w.t.Errorf("%s of %s has lost its text: %+v", said.id, said.by.name, stored)
		default:
			pk := s.standing(stored.ConversationPK)
			if of := homes[pk]; of != nil && of != said.by {
				w.t.Errorf("%s holds messages to the shop of %s and of %s (%s)", pk, of.name, said.by.name, said.id)
			}
			homes[pk] = said.by
		}
	}
}

func (w *simulation) checkShopChange(s state, said *saying) {
	original := s.messages[said.changes.id]
	shown := false
	switch said.kind {
	case "revoke":
		shown = slices.ContainsFunc(original.Versions,
			func(v model.Version) bool { return v.MessagePK == "MSG#"+said.id && !v.Refused })
	case "edit":
		shown = slices.ContainsFunc(original.Versions,
			func(v model.Version) bool { return strings.Contains(v.Text, said.marker) && !v.Refused })
	case "reaction":
		shown = slices.ContainsFunc(original.ShownReactions(),
			func(r model.Reaction) bool { return strings.Contains(r.Emoji, said.marker) })
		shown = shown || slices.ContainsFunc(w.shop.said, func(other *saying) bool {
			later := !other.at.Truncate(time.Second).Before(said.at.Truncate(time.Second))
			return other != said && other.kind == "reaction" && other.changes == said.changes && later
		})
	}
	if !shown || s.messages[said.id].AttachedTo != original.PK {
		w.t.Errorf("%s is a %s of %s at the shop, which does not show it: %+v", said.id, said.kind, said.changes.id,
			original)
	}
}
