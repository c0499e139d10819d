package model_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/haatline/haatline/shared/dynamo"
	"github.com/haatline/haatline/shared/dynamotest"
	"github.com/haatline/haatline/shared/keys"
	"github.com/haatline/haatline/shared/model"
	"github.com/haatline/haatline/shared/tables"
)

func TestAnIDIsNotEmptyNotLongAndHoldsNoSeparator(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "a separator": "a#b", "only a separator": "#", "one at the end": "wamid.A#",
		"513 bytes": strings.Repeat("a", 513), "257 characters of two bytes": strings.Repeat("ä", 257),
	} {
		if id, err := model.Parse[model.MessageID](text); !errors.Is(err, model.ErrInvalidID) || id != "" {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
	for _, text := range []string{
		"a", "wamid.HBgMOTE5ODc2NTQzMjEwFQIAEhgg/+=", "US.ENT.11815799212886844830", strings.Repeat("a", 512), " ",
		"🛒"} {
		if id, err := model.Parse[model.CustomerID](text); err != nil || string(id) != text {
			t.Errorf("%q: %q, %v", text, id, err)
		}
	}
}

func TestAPhoneNumbersIDIsFiveToTwentyDigits(t *testing.T) {
	for _, text := range []string{"12345", "106540352242922", "1122334455667", "12345678901234567890"} {
		if id, err := model.ParsePhoneNumberID(text); err != nil || string(id) != text {
			t.Errorf("%q: %q, %v", text, id, err)
		}
	}
	for _, text := range []string{
		"", "1", "1234", "123456789012345678901", " 106540352242922", "106540352242922 ", "+106540352242922",
		"106540352242922.0", "1065-4035", "me", "app", "..",
		"106540352242922#", "<BUSINESS_PHONE_NUMBER_ID>", "TEST987654321", "١٢٣٤٥٦٧", "phone-number-id-7b1c",
	} {
		if id, err := model.ParsePhoneNumberID(text); !errors.Is(err, model.ErrInvalidID) || id != "" {
			t.Errorf("%q: %q, %v", text, id, err)
		}
	}
}

// Whatever a phone number's id or a customer's parses to, parses to itself again: it has one spelling.
func FuzzAnIDHasOneSpelling(f *testing.F) {
	for _, text := range []string{
		"106540352242922", "+91 98765-43210", "US.ENT.1", "..", "9~x", "091", "a#b", "\x00", "１２３４５"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if id, err := model.ParsePhoneNumberID(text); err == nil {
			if again, err := model.ParsePhoneNumberID(string(id)); err != nil || again != id || len(id) < 5 ||
				strings.Trim(string(id), "0123456789") != "" {
				t.Errorf("%q is the number %q and then %q, %v", text, id, again, err)
			}
		}
		if id, err := model.ParseCustomer(text); err == nil {
			if again, err := model.ParseCustomer(string(id)); err != nil || again != id ||
				strings.Contains(string(id), "#") || id == "" {
				t.Errorf("%q is the customer %q and then %q, %v", text, id, again, err)
			}
		}
	})
}

func TestTimesOfAnyZoneAreStoredInUTCWithMilliseconds(t *testing.T) {
	india := time.FixedZone("IST", 5*60*60+30*60)
	for want, instant := range map[model.Time]time.Time{
		"2026-11-21T00:00:00.000Z": time.Date(2026, 11, 21, 5, 30, 0, 0, india),
		"2026-11-21T00:00:00.999Z": time.Date(2026, 11, 21, 0, 0, 0, 999_999_999, time.UTC),
		"0001-01-01T00:00:00.000Z": {},
		"9999-12-31T23:59:59.999Z": time.UnixMilli(1 << 60), // further away than a fixed width can say
		"0000-01-01T00:00:00.000Z": time.UnixMilli(-1 << 60),
	} {
		if got := model.At(instant); got != want {
			t.Errorf("%s is stored as %s, want %s", instant, got, want)
		}
	}
}

func TestATextThatIsNoStoredTimeIsTheZeroTime(t *testing.T) {
	for _, text := range []model.Time{
		"", "yesterday", "2026-11-21", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000+05:30",
		"2026-11-21T10:00:00.000000Z",
		"2026-02-30T10:00:00.000Z", "1732183200",
	} {
		if got := text.Go(); !got.IsZero() {
			t.Errorf("%q is %s", text, got)
		}
	}
}

func TestTimesHaveOneWidthAndSortAsInstants(t *testing.T) {
	anyTime := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "near") {
			return time.UnixMilli(1_700_000_000_000 + rapid.Int64Range(-2000, 2000).Draw(t, "ms"))
		}
		return time.UnixMilli(rapid.Int64Range(-62_000_000_000_000, 253_402_300_799_999).Draw(t, "ms"))
	})
	rapid.Check(t, func(t *rapid.T) {
		one, other := anyTime.Draw(t, "one"), anyTime.Draw(t, "other")
		if stored := model.At(one); len(stored) != len("2006-01-02T15:04:05.000Z") || !stored.Go().Equal(one) {
			t.Fatalf("%s is stored as %s and read as %s", one, stored, stored.Go())
		}
		if stored := model.At(one) < model.At(other); stored != one.Before(other) {
			t.Fatalf("%s and %s: before %v", model.At(one), model.At(other), stored)
		}
	})
}

func TestAnAmountOfAnotherTypeIsRefused(t *testing.T) {
	for _, value := range []types.AttributeValue{
		&types.AttributeValueMemberS{Value: "10.50"}, &types.AttributeValueMemberN{Value: "ten"},
		&types.AttributeValueMemberN{},
		&types.AttributeValueMemberNULL{Value: true}, &types.AttributeValueMemberBOOL{}, nil,
	} {
		amount := model.Amount{Decimal: decimal.New(7, 0)}
		if err := amount.UnmarshalDynamoDBAttributeValue(value); err == nil {
			t.Errorf("%T became %s", value, amount)
		}
	}
}

func TestAnAmountIsExactInTheEngine(t *testing.T) {
	db := dynamotest.Start(t, tables.Messages)
	type priced struct {
		PK    string       `dynamodbav:"pk"`
		Price model.Amount `dynamodbav:"price"`
	}
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`-?[1-9][0-9]{0,37}`).Draw(t, "digits")
		coefficient, _ := new(big.Int).SetString(digits, 10)
		want := model.Amount{Decimal: decimal.NewFromBigInt(coefficient, rapid.Int32Range(-80, 40).Draw(t, "exponent"))}
		key := keys.Media("rice")
		item, err := dynamo.Marshal(priced{PK: key.Partition, Price: want})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Put(t.Context(),
			dynamo.Put{Table: tables.Messages, Item: item, If: dynamo.Unconditional}); err != nil {
			t.Fatal(err)
		}
		var got priced
		if err := db.Get(t.Context(), tables.Messages, key, &got); err != nil {
			t.Fatal(err)
		}
		if !got.Price.Equal(want.Decimal) {
			t.Fatalf("%s became %s", want, got.Price)
		}
	})
}

func TestTenthsAddUp(t *testing.T) {
	sum := model.Amount{}
	for range 10 {
		sum.Decimal = sum.Add(decimal.RequireFromString("0.1"))
	}
	value, err := sum.MarshalDynamoDBAttributeValue()
	if err != nil {
		t.Fatal(err)
	}
	if n := value.(*types.AttributeValueMemberN).Value; n != "1" {
		t.Errorf("ten tenths are %s", n)
	}
}

func TestALaterDeliveryStateHasAHigherRankAndFailureTheHighest(t *testing.T) {
	order := []model.DeliveryStatus{model.Sent, model.Delivered, model.Read, model.Played, model.Failed}
	for i, status := range order {
		if i > 0 && status.Rank() <= order[i-1].Rank() {
			t.Errorf("%s ranks %d, %s ranks %d", status, status.Rank(), order[i-1], order[i-1].Rank())
		}
		if status.Rank() <= model.Queued.Rank() {
			t.Errorf("%s does not outrank queued", status)
		}
	}
	for _, status := range []model.DeliveryStatus{"", "deleted", "captured", "SENT", "warning"} {
		if status.Rank() != 0 {
			t.Errorf("%q is no delivery state and ranks %d", status, status.Rank())
		}
	}
}
