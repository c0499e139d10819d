package nlu

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/lazy"
)

// cardinals are the words for whole numbers. A word in Devanagari is known as it is written.
var cardinals = []struct {
	value int64
	words string
}{
	{1, "one वन ek aek एक"}, {2, "two टू do dui दो दुइ दुई"}, {3, "three थ्री teen tin तीन"},
	{4, "four फोर char chaar चार"},
	{5, "five फाइव panch paanch पाँच पांच"},
	{6, "six सिक्स chhe chhah cheh chheh छह छः छे छ"}, {7, "seven saat sat सात"}, {8, "eight एट aath ath आठ"},
	{9, "nine नाइन nau नौ"}, {10, "ten टेन das dus दस"},
	{21, "ikkis ikkees इक्कीस"}, {22, "bais baees बाईस बाइस"}, {23, "teis tees-teen तेईस तेइस"},
	{26, "chhabbis chabbis छब्बीस"}, {27, "sattais सत्ताईस सत्ताइस"},
	{28, "atthais athais अट्ठाईस अठाईस"}, {29, "untis unatis उनतीस"}, {31, "iktis ikattis इकतीस इकत्तीस"},
	{32, "battis बत्तीस"}, {33, "taintis तैंतीस"},
	{34, "chautis चौंतीस"}, {37, "saintis सैंतीस"}, {38, "adtis अड़तीस"}, {39, "untalis उनतालीस"},
	{41, "iktalis इकतालीस"}, {42, "bayalis बयालीस"},
	{44, "chavalis चवालीस"}, {46, "chhiyalis छियालीस"}, {48, "adtalis अड़तालीस"}, {51, "ikyavan ikyawan इक्यावन"},
	{52, "bawan बावन"}, {55, "pachpan पचपन"},
	{56, "chhappan छप्पन"}, {65, "painsath पैंसठ"}, {72, "bahattar बहत्तर"}, {85, "pachasi पचासी"},
	{95, "pachanve पचानवे"}, {99, "ninyanve निन्यानवे"},
	{11, "eleven gyarah gyara ग्यारह"}, {12, "twelve ट्वेल्व barah baarah बारह"}, {13, "thirteen terah तेरह"},
	{14, "fourteen chaudah चौदह"},
	{15, "fifteen pandrah pandra pandreh पंद्रह पन्द्रह"}, {16, "sixteen solah सोलह"}, {17, "seventeen satrah सत्रह"},
	{18, "eighteen atharah अठारह"},
	{19, "nineteen unnis उन्नीस"}, {20, "twenty ट्वेंटी bees bis बीस"}, {24, "chaubis चौबीस"},
	{25, "pachis pachchis pacchis pachees पच्चीस"},
	{30, "thirty tees tis तीस"}, {35, "paintis पैंतीस"}, {36, "chhattis छत्तीस"},
	{40, "forty fourty chalis chaalis चालीस"}, {45, "paintalis पैंतालीस"},
	{50, "fifty फिफ्टी pachas pachaas पचास"}, {60, "sixty साठ"}, {70, "seventy sattar सत्तर"},
	{75, "pachhattar pachattar पचहत्तर"}, {80, "eighty assi अस्सी"},
	{90, "ninety nabbe नब्बे"}, {100, "hundred sau सौ"}, {1000, "thousand hazar hajar hazaar हज़ार हजार"},
	{2, "couple"},
}

// fractions of the unit that follows. What is added goes to the number that follows: saadhe teen is 3.5.
var fractionWords = []struct{ alone, added, words string }{
	{"0.5", "", "half hlf aadha adha aadhi adhi aadhe adhe aadh आधा आधी आधे"},
	{"0.25", "", "quarter chauthai चौथाई"},
	{"0.75", "-0.25", "pauna paune pona paun pauney पौन पौना पौने"},
	{"1.25", "0.25", "sava sawa savaa sawaa सवा"},
	{"1.5", "", "dedh ded derh deadh dhed daidh डेढ़ डेढ"},
	{"2.5", "", "dhai dhaai adhai dhaee dhayi ढाई अढ़ाई अढाई"},
	{"", "0.5", "sadhe saadhe sadhey sarhe saade saarhe साढ़े साढे"},
}

// numeral is what a number word stands for. A multiplier is 100 or 1000.
type numeral struct {
	alone, added decimal.Decimal
	fraction     bool
}

var (
	one    = decimal.NewFromInt(1)
	two    = decimal.NewFromInt(2)
	twelve = decimal.NewFromInt(12)
)

// numerals are the number words by their spelling.
var numerals = lazy.Of[map[string]numeral]{Make: func() map[string]numeral {
	known := map[string]numeral{}
	for _, row := range cardinals {
		for _, w := range strings.Fields(row.words) {
			known[normalise(w)] = numeral{alone: decimal.NewFromInt(row.value)}
		}
	}
	for _, row := range fractionWords {
		n := numeral{alone: exact(row.alone), added: exact(row.added), fraction: true}
		for _, w := range strings.Fields(row.words) {
			known[normalise(w)] = n
		}
	}
	return known
}}

// exact returns a number that is written in the data; 0 for "".
func exact(text string) decimal.Decimal {
	if text == "" {
		return decimal.Zero
	}
	return decimal.RequireFromString(text)
}

// digits returns what a token of digits stands for: 1.5, 1,5 and 3/2 are one and a half; 1,000 is a thousand. It fails
// on times, dates and powers of ten.
func digits(text string) (decimal.Decimal, bool) {
	if len(text) > 12 || strings.ContainsAny(text, ":e") {
		return decimal.Zero, false
	}
	if above, below, ok := strings.Cut(text, "/"); ok {
		a, err := decimal.NewFromString(above)
		b, wrong := decimal.NewFromString(below)
		if err != nil || wrong != nil || b.IsZero() || len(above) > 1 || len(below) > 1 { // 12/05 is a date
			return decimal.Zero, false
		}
		return a.DivRound(b, 6), true
	}
	if whole, rest, ok := strings.Cut(text, ","); ok {
		if len(rest) == 3 || strings.Contains(rest, ",") {
			text = whole + strings.ReplaceAll(rest, ",", "")
		} else {
			text = whole + "." + rest
		}
	}
	value, err := decimal.NewFromString(text)
	return value, err == nil
}

// readNumber reads a number at the start of some tokens: digits, number words, or both (2 1/2, dhai sau, saadhe teen).
// It returns how many tokens it took; 0 if there is none.
func readNumber(tokens []token) (value decimal.Decimal, took int) {
	if len(tokens) == 0 {
		return decimal.Zero, 0
	}
	if tokens[0].kind == number {
		return readDigits(tokens)
	}
	first, ok := numerals.Get()[tokens[0].text]
	if !ok || tokens[0].kind != word {
		return decimal.Zero, 0
	}
	value, took = first.alone, 1
	if first.fraction && len(tokens) > 1 && !first.added.IsZero() {
		if rest, more := readWhole(tokens[1:]); more > 0 {
			step := one
			// sava do sau is 225
			if rest.GreaterThanOrEqual(decimal.NewFromInt(100)) && rest.Mod(decimal.NewFromInt(100)).IsZero() {
				step = decimal.NewFromInt(100)
				if rest.Equal(step) { // sava sau is 125
					return rest.Add(first.added.Mul(step)), more + 1
				}
			}
			return rest.Add(first.added.Mul(step)), more + 1
		}
	}
	if value.IsZero() { // saadhe without a number
		return decimal.Zero, 0
	}
	if first.fraction {
		if n, ok := multiplier(tokens[1:]); ok { // dhai sau
			return value.Mul(n), 2
		}
		return value, 1
	}
	value, took = readWhole(tokens)
	if n := andHalf(tokens[took:]); n > 0 {
		return value.Add(exact("0.5")), took + n
	}
	return value, took
}

// readDigits reads a number in digits, perhaps with a fraction after it.
func readDigits(tokens []token) (decimal.Decimal, int) {
	value, ok := digits(tokens[0].text)
	if !ok {
		return decimal.Zero, 0
	}
	if len(tokens) > 1 && tokens[1].kind == number && strings.Contains(tokens[1].text, "/") &&
		!strings.Contains(tokens[0].text, "/") {
		if part, ok := digits(tokens[1].text); ok && part.LessThan(one) {
			return value.Add(part), 2
		}
	}
	if n, ok := multiplier(tokens[1:]); ok {
		return value.Mul(n), 2
	}
	if n := andHalf(tokens[1:]); n > 0 {
		return value.Add(exact("0.5")), 1 + n
	}
	return value, 1
}

// readWhole reads a number of whole number words: do sau, ek hazar.
func readWhole(tokens []token) (value decimal.Decimal, took int) {
	if len(tokens) == 0 {
		return decimal.Zero, 0
	}
	if tokens[0].kind == number {
		value, ok := digits(tokens[0].text)
		if !ok {
			return decimal.Zero, 0
		}
		return value, 1
	}
	n, ok := numerals.Get()[tokens[0].text]
	if !ok || n.fraction {
		return decimal.Zero, 0
	}
	value, took = n.alone, 1
	if m, ok := multiplier(tokens[1:]); ok {
		value, took = value.Mul(m), 2
		// do sau pachas
		if rest, more := readWhole(tokens[2:]); more > 0 && rest.LessThan(m) &&
			rest.GreaterThanOrEqual(decimal.NewFromInt(10)) {
			return value.Add(rest), 2 + more
		}
		return value, took
	}
	// twenty five
	if tens := value.IntPart(); tens >= 20 && tens < 100 && tens%10 == 0 && len(tokens) > 1 &&
		english.Has(tokens[0].text) {
		if unit, ok := numerals.Get()[tokens[1].text]; ok && !unit.fraction &&
			unit.alone.LessThan(decimal.NewFromInt(10)) && english.Has(tokens[1].text) {
			return value.Add(unit.alone), 2
		}
	}
	return value, took
}

// english are the number words that join to one number: twenty five.
var english = lazy.Words(
	"twenty thirty forty fifty sixty seventy eighty ninety one two three four five six seven eight nine")

// multiplier reads hundred or thousand.
func multiplier(tokens []token) (decimal.Decimal, bool) {
	if len(tokens) == 0 {
		return decimal.Zero, false
	}
	n, ok := numerals.Get()[tokens[0].text]
	return n.alone, ok && n.alone.GreaterThanOrEqual(decimal.NewFromInt(100))
}

// andHalf returns how many tokens say "and a half"; 0 if none do.
func andHalf(tokens []token) int {
	at := 0
	if at < len(tokens) && (tokens[at].text == "and" || tokens[at].text == "&" || tokens[at].text == "n") {
		at++
		if at < len(tokens) && tokens[at].text == "a" {
			at++
		}
		if at < len(tokens) && tokens[at].text == "half" && at+1 < len(tokens) && unitOf(tokens[at+1]).kind != 0 {
			return at + 1
		}
		if at == 2 && at < len(tokens) && tokens[at].text == "half" {
			return at + 1
		}
	}
	return 0
}
