package messagingapi

import (
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/messaging/templates/library"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

// hasSearched gives an account a search in Meta's library of templates that has found two of them, for a second page.
func (w *world) hasSearched(waba model.WABAID, text string) {
	w.t.Helper()
	filters := model.LibraryFilters{Text: "bill"}
	name, at, ttl := library.NameOf(filters), model.At(minutesAgo(4)), noon.Add(library.Lifetime).Unix()
	entries := []model.LibraryEntry{}
	for _, name := range []string{"bill_1", "bill_2"} {
		entries = append(entries, model.LibraryEntry{
			Name: name, Language: "en_US", Body: text, Samples: []string{text}, Types: []string{"TEXT"},
			Buttons: []model.Document{model.Document(`{"type":"URL"}`)}})
	}
	w.db.Seed(w.t, tables.Messages,
		model.LibrarySearch{
			PK: keys.LibrarySearch(waba, name).Partition, ItemType: model.ItemLibrarySearch, Filters: filters, At: at,
			AnsweredAt: at, Pages: 1, Count: 2, TTL: ttl, Version: 1},
		model.LibraryPage{
			PK: keys.LibraryPage(waba, name, at, 0).Partition, ItemType: model.ItemLibraryPage, Entries: entries,
			TTL: ttl})
}
