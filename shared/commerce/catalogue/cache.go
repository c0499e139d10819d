package catalogue

import (
	"container/list"
	"sync"
	"time"

	"github.com/haatline/haatline/shared/commerce/nlu"
	"github.com/haatline/haatline/shared/model"
)

// built is the index of a store, and of what it was built.
type built struct {
	store   model.Name
	index   *nlu.Index
	goods   int        // the articles in it
	version model.Time // of the catalogue: when it changed
	at      time.Time
}

const (
	// maxGoods bounds the articles in the indexes of a process: an article takes about 3 KB.
	maxGoods = 40_000
	// ownGoods is what an index takes beside its articles, in articles.
	ownGoods = 50
)

// indexes are the indexes that a process has built. Those that have not been used for the longest time go where there
// are too many. The zero value has none.
type indexes struct {
	mu     sync.Mutex
	places map[model.Name]*list.Element
	recent list.List // of built, the latest used first
	goods  int

	building map[model.Name]chan struct{} // closed when the building ends
	refused  map[model.Name]refusal
}

// refusal is a catalogue that could not be read.
type refusal struct {
	version model.Time
	until   time.Time
}

// maxRefused bounds how many refusals a process remembers.
const maxRefused = 1000

// build asks to build the index of a store. The caller builds it if mine, and calls built; else somebody does, until
// done. refused is true for a catalogue that could not be read a moment ago.
func (x *indexes) build(store model.Name, version model.Time,
	now time.Time) (done <-chan struct{}, mine, refused bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if no, known := x.refused[store]; known && no.version == version && now.Before(no.until) {
		return nil, false, true
	}
	if running, is := x.building[store]; is {
		return running, false, false
	}
	if x.building == nil {
		x.building, x.refused = map[model.Name]chan struct{}{}, map[model.Name]refusal{}
	}
	x.building[store] = make(chan struct{})
	return nil, true, false
}

// built ends the building of an index.
func (x *indexes) built(store model.Name, version model.Time, tooLarge bool, now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if delete(x.refused, store); tooLarge {
		if len(x.refused) >= maxRefused {
			clear(x.refused)
		}
		x.refused[store] = refusal{version, now.Add(tryAgainAfter)}
	}
	close(x.building[store])
	delete(x.building, store)
}

// get returns the index of a store.
func (x *indexes) get(store model.Name) (built, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	place := x.places[store]
	if place == nil {
		return built{}, false
	}
	x.recent.MoveToFront(place)
	return place.Value.(built), true
}

// put keeps an index, in place of an earlier one of its store. It is kept however large it is.
func (x *indexes) put(b built) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.places == nil {
		x.places = map[model.Name]*list.Element{}
	}
	if place := x.places[b.store]; place != nil {
		x.drop(place)
	}
	x.places[b.store] = x.recent.PushFront(b)
	for x.goods += b.goods + ownGoods; x.goods > maxGoods && x.recent.Len() > 1; {
		x.drop(x.recent.Back())
	}
}

func (x *indexes) drop(place *list.Element) {
	b := x.recent.Remove(place).(built)
	delete(x.places, b.store)
	x.goods -= b.goods + ownGoods
}
