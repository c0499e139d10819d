package keys

import (
	"regexp"
	"slices"
	"testing"

	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func init() {
	holds(tables.Outbox, map[string]Key{"OutboxEvent": OutboxEvent("{event}")})
	holds(tables.OutboxSequences, map[string]Key{"OutboxSequence": OutboxSequence("{sequence}")})
}

func TestAnOutboxSequenceIsTheHashOfItsEntity(t *testing.T) {
	entity := OutboxEntityKey("shop", "whatsapp", WhatsAppEntityID("1055", "919876543210"))
	if want := "shop:whatsapp:1055:919876543210"; entity != want {
		t.Errorf("entity key %q, want %q", entity, want)
	}
	id := OutboxSequenceID(entity)
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(id) {
		t.Errorf("sequence id %q", id)
	}
	// A changed hash would orphan every sequence there is.
	if want := "c2b00a8e86401b9b7e560389697bfb49"; id != want {
		t.Errorf("sequence id %q, want %q: what is stored would not be found again", id, want)
	}
	if want := (Key{PartitionName: "sequenceId", Partition: id}); OutboxSequence(id) != want {
		t.Errorf("key %+v, want %+v", OutboxSequence(id), want)
	}
}

func TestEntitiesOfTwoTenantsTypesOrCustomersNeverShareASequence(t *testing.T) {
	seen := map[string]string{}
	for _, tenant := range []model.TenantID{"shop", "shop2"} {
		for _, kind := range []string{"whatsapp", "sms"} {
			for _, phone := range []model.PhoneNumberID{"1055", "10559"} {
				for _, customer := range []model.CustomerID{"919876543210", "19876543210", "IN.919876543210"} {
					entity := OutboxEntityKey(tenant, kind, WhatsAppEntityID(phone, customer))
					if other, taken := seen[OutboxSequenceID(entity)]; taken {
						t.Errorf("%s and %s share a sequence", entity, other)
					}
					seen[OutboxSequenceID(entity)] = entity
				}
			}
		}
	}
	if len(seen) != 24 {
		t.Errorf("%d sequences, want 24", len(seen))
	}
}

func TestEventIDsOfASequenceSortByNumber(t *testing.T) {
	sequence := OutboxSequenceID("shop:whatsapp:1055:919876543210")
	var ids []string
	for _, number := range []int64{1, 2, 9, 10, 99, 100, 1_000_000, 9_999_999_999} {
		id := OutboxEventID(sequence, number)
		if len(id) != len(sequence)+11 {
			t.Errorf("event %d has the id %q, of another width", number, id)
		}
		ids = append(ids, id)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("not in order: %q", ids)
	}
	if got, want := OutboxEventID("5e9", 7), "5e9-0000000007"; got != want {
		t.Errorf("event id %q, want %q", got, want)
	}
	if want := (Key{PartitionName: "eventId", Partition: ids[0]}); OutboxEvent(ids[0]) != want {
		t.Errorf("key %+v, want %+v", OutboxEvent(ids[0]), want)
	}
}

func TestACompositeIndexKeySortsByTimeFirst(t *testing.T) {
	earlier := Joined("2026-11-21T09:59:59.999Z", "z")
	later := Joined("2026-11-21T10:00:00.000Z", "a")
	if earlier != "2026-11-21T09:59:59.999Z#z" || later <= earlier {
		t.Errorf("%q and %q", earlier, later)
	}
}
