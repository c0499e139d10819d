package chat

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/lazy"
)

// withSums returns words with each sum that is written in words, such as paanch sau, dedh hazaar or 5k, as a number.
func withSums(words []string) (all []string) {
	for i := 0; i < len(words); {
		sum, used := sumOf(words[i:])
		if used == 0 {
			all = append(all, words[i])
			i++
			continue
		}
		all = append(all, sum.String())
		i += used
	}
	return all
}

// sumOf returns the sum with which words begin, and how many words it has; 0 for none. It has hundreds or thousands:
// small numbers in words are words for other things, too.
func sumOf(words []string) (sum decimal.Decimal, used int) {
	if text, is := strings.CutSuffix(words[0], "k"); is {
		if amount, isAmount := amountOf(text); isAmount && len(text) <= 3 {
			return amount.Mul(decimal.NewFromInt(1000)), 1
		}
	}
	for used < len(words) {
		rest := words[used:]
		part, n := decimal.NewFromInt(1), 0
		more, is := quarters.Get()[rest[0]]
		if is && len(rest) > 2 && counts.Get()[rest[1]] > 0 { // saadhe teen sau
			part = decimal.New(counts.Get()[rest[1]]+more, -2)
			if scales.Get()[rest[2]] == 0 {
				break
			}
			sum = sum.Add(part.Mul(decimal.NewFromInt(scales.Get()[rest[2]])))
			used += 3
			continue
		}
		if amount, is := amountOf(rest[0]); is && len(rest[0]) <= 3 {
			part, n = amount.Decimal, 1
		} else if half, is := counts.Get()[rest[0]]; is {
			part, n = decimal.New(half, -2), 1
		}
		if n == len(rest) || scales.Get()[rest[n]] == 0 {
			break
		}
		sum = sum.Add(part.Mul(decimal.NewFromInt(scales.Get()[rest[n]])))
		used += n + 1
	}
	if used > 0 && used < len(words) { // char sau pachas, but not: paanch sau do
		if rest, is := counts.Get()[words[used]]; is && words[used] != "do" && words[used] != "दो" {
			sum, used = sum.Add(decimal.New(rest, -2)), used+1
		}
	}
	return sum, used
}

// quarters change the count behind them, in hundredths.
var quarters = lazy.Of[map[string]int64]{Make: func() map[string]int64 {
	return map[string]int64{
		"saadhe": 50, "sadhe": 50, "साढ़े": 50, "साढे": 50, "sava": 25, "sawa": 25, "सवा": 25, "paune": -25,
		"पौने": -25}
}}

var scales = lazy.Of[map[string]int64]{Make: func() map[string]int64 {
	return map[string]int64{
		"sau": 100, "so": 100, "hundred": 100, "सौ": 100, "lakh": 100000, "lac": 100000,
		"लाख": 100000, "hazaar": 1000, "hazar": 1000, "hajar": 1000, "hajaar": 1000,
		"thousand": 1000, "हज़ार": 1000, "हजार": 1000,
	}
}}

// counts are what may stand before a scale, in hundredths.
var counts = lazy.Of[map[string]int64]{Make: func() map[string]int64 {
	all := map[string]int64{}
	for i, names := range strings.Split(`ek one एक|do two दो|teen tin three तीन|char chaar four चार|paanch panch
		five पांच पाँच|
		chhe chhah che six छह छः|sat seven सात|aath ath eight आठ|nau no-nau nine नौ|das dus ten दस|gyarah eleven
		ग्यारह|
		barah baarah twelve बारह|terah thirteen तेरह|chaudah fourteen चौदह|pandrah pandra fifteen पंद्रह|
		solah sixteen सोलह|satrah seventeen सत्रह|atharah athara eighteen अठारह|unnis nineteen उन्नीस|
		bees bis twenty बीस`, "|") {
		for _, name := range strings.Fields(names) {
			all[name] = int64(i+1) * 100
		}
	}
	for name, count := range map[string]int64{
		"dedh": 150, "ded": 150, "डेढ़": 150, "डेढ": 150, "dhai": 250, "dhaai": 250, "ढाई": 250, "sava": 125,
		"सवा":     125,
		"pachees": 2500, "pachis": 2500, "पच्चीस": 2500, "tees": 3000, "thirty": 3000, "तीस": 3000, "paintees": 3500,
		"chalis": 4000, "chaalis": 4000, "forty": 4000, "चालीस": 4000, "paintalis": 4500, "pachas": 5000,
		"pachaas": 5000, "fifty": 5000, "पचास": 5000, "pachpan": 5500, "sixty": 6000, "साठ": 6000,
		"sattar": 7000, "seventy": 7000, "सत्तर": 7000, "pachattar": 7500, "pachhattar": 7500, "पचहत्तर": 7500,
		"assi": 8000, "eighty": 8000, "अस्सी": 8000, "pachasi": 8500, "nabbe": 9000, "ninety": 9000, "नब्बे": 9000} {
		all[name] = count
	}
	return all
}}
