package nlu

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/haatline/haatline/shared/lazy"
)

// unitKind says what a unit counts.
type unitKind int

const (
	measureUnit unitKind = iota + 1 // kg, ml, tablet: a measure of what is in a pack
	packUnit                        // packet, bottle, piece: packs or pieces
	dozenUnit
	rupeeUnit
	timesUnit // x, nos: it only says that the number is a count
)

// unit is what a number counts. A measure is that many of a base: a kg is 1000 g.
type unit struct {
	kind   unitKind
	name   string
	factor decimal.Decimal
	alone  bool // without a number it is one: kilo, darjan
}

// unitWords are the units by the words for them. The bases of measures are g, ml and names that stand for themselves.
var unitWords = []struct {
	kind   unitKind
	name   string
	factor int64
	alone  bool
	words  string
}{
	{measureUnit, "g", 1, false, "g gm gms gram grams gramm grm gr grma graam gramme ग्राम ग्रा गराम ग्रम"},
	{measureUnit, "g", 1000, true,
		"kg kgs kilo kilos kilogram kilograms kelo killo kilogramme kgm keji kilow किलो कीलो किलौ केलो " +
			"किलोग्राम केजी किग्रा कि.ग्रा"},
	{measureUnit, "g", 100000, true, "quintal kwintal qtl qntl kuntal क्विंटल"},
	{measureUnit, "g", 100000, false, "q"},
	{measureUnit, "g", 250, true, "pav paav pao paao pawa paava pau paua pauwa pava powa पाव पौवा"},
	{measureUnit, "g", 125, true, "adhpav adhpaav chhatank अधपाव"},
	{measureUnit, "ml", 1, false, "ml mls mili milli mililitre millilitre mililiter milliliter एमएल मिली मिलीलीटर"},
	{measureUnit, "ml", 1000, true,
		"l ltr ltrs lt lts litre litres liter liters lit litr leter leetar litar लीटर लिटर लीटेर लिटेर ली"},
	{measureUnit, "tablet", 1, false,
		"tablet tablets tab tabs goli goliyan goliyaan golian capsule capsules cap caps टैबलेट टेबलेट गोली गोलियां " +
			"गोलियाँ कैप्सूल"},
	{measureUnit, "metre", 1, false, "metre metres meter meters mtr mtrs मीटर मी मीटर्स"},
	{measureUnit, "foot", 1, false, "foot feet ft fut phut fit फुट फीट"},
	{measureUnit, "inch", 1, false, "inch inches inchi इंच"},
	{measureUnit, "page", 1, false, "page pages pg pgs panna panne पेज पन्ने"},
	{measureUnit, "watt", 1, false, "watt watts wat vat वाट वॉट"},
	{measureUnit, "amp", 1, false, "amp amps ampere amperes amper एम्पियर एंपियर एम्प"},
	{measureUnit, "volt", 1, false, "volt volts वोल्ट"},
	{packUnit, "packet", 1, false,
		"packet packets pkt pkts pack packs ream reams rim reem " +
			"pckt pket paket pakit pakat packat paikit pouch pouches sachet sachets " +
			"katton bora bore vial vials ampoule injection bag bags bori katta katte thaili " +
			"thaila thaile jhola theli pudi pudiya puda " +
			"bucket buckets balti " +
			"carton cartons peti tin tins can cans tray पैकेट पैकेट्स पाउच पैक थैली बोरी डिब्बी पुड़िया पेटी पैकिट " +
			"कैन टिन " +
			"पेकेट पाकेट पैकट पेकिट पाकिट पेकट पैकेत"},
	{packUnit, "bottle", 1, false, "bottle bottles botal bottal botle bottel btl shishi sheeshi बोतल शीशी बॉटल " +
		"बोटल बोत्तल"},
	{packUnit, "box", 1, false,
		"box boxes bx dabba dabbe dabbi dibba dibbe dibbi baksa डिब्बा डिब्बे डब्बा डब्बे बॉक्स"},
	{packUnit, "jar", 1, false, "jar jars जार barni baranni"},
	{packUnit, "tube", 1, false, "tube tubes ट्यूब टयूब"},
	{packUnit, "strip", 1, false, "strip strips patta patte pattaa stripe पत्ता पत्ते स्ट्रिप"},
	{packUnit, "bunch", 1, false,
		"bunch bunches guchha guchchha gucchha gaddi gaddiyan gatthi bundle bundles juri judi gadi गड्डी गुच्छा " +
			"गुच्छे गट्ठी"},
	{packUnit, "piece", 1, false,
		"piece pieces pc pcs pce peace peice pis nag adad unit units पीस पिस नग अदद pice roll rolls reel reels रील " +
			"sheet sheets " +
			"शीट टिकिया tikiya coil coils set sets plate plates portion portions slice slices " +
			"glass glasses gilas glas gls gilaas gillas cup cups कॉइल सेट प्लेट स्लाइस"},
	{packUnit, "pair", 1, false, "pair pairs jodi jodee jode jodiyan जोड़ी जोड़ा जोड़े"},
	{dozenUnit, "dozen", 12, true, "dozen dozens dozn dozan doz dz darjan darzan darjun darjhan दर्जन डजन"},
	{rupeeUnit, "rupee", 1, false,
		"rs re rupee rupees rupay rupaye rupaiye rupya rupaya rupiya rupye rupe rupay rupey inr ₹ रुपये रुपए रुपया " +
			"रुपयों रु रूपये रूपए"},
	{timesUnit, "", 1, false, "x × * nos no number qty"},
}

// units are the units by their word.
var units = lazy.Of[map[string]unit]{Make: func() map[string]unit {
	known := map[string]unit{}
	for _, row := range unitWords {
		for _, w := range strings.Fields(row.words) {
			known[normalise(w)] = unit{
				kind: row.kind, name: row.name, factor: decimal.NewFromInt(row.factor), alone: row.alone}
		}
	}
	return known
}}

// counters are words of packs and pieces that are names of goods, too: the drink Slice, paper plates. Where they are,
// they count nothing.
var counters = &wordSet{of: "coil coils set sets plate plates portion portions slice slices goli goliyan goliyaan " +
	"सेट प्लेट स्लाइस गोली गोलियां गोलियाँ"}

// vessels are words of packs that are goods where they are sold.
var vessels = &wordSet{of: "glass glasses gilas glas gls gilaas gillas cup cups bucket buckets balti"}

// unitOf returns the unit that a token stands for; its kind is 0 if it stands for none.
func unitOf(t token) unit {
	if t.kind == number {
		return unit{}
	}
	return units.Get()[t.text]
}

// size is a measure in its base: 500 g, 1000 ml, 15 tablet.
type size struct {
	base  string
	value decimal.Decimal
}

// sizeOf reads the size of a pack: "1 kg", "500 ml", "15 tablet". What it is not written in a known unit has its own
// base.
func sizeOf(text string) size {
	tokens := tokenise(normalise(text))
	value, took := readNumber(tokens)
	if took == 0 || took >= len(tokens) {
		return size{}
	}
	if u := unitOf(tokens[took]); u.kind == measureUnit {
		return size{base: u.name, value: value.Mul(u.factor)}
	} else if u.kind != 0 {
		return size{base: u.name, value: value}
	}
	return size{base: tokens[took].key, value: value}
}

// baseOf returns the base of a good's unit and how many of it the unit is: kg is 1000 g. A unit that is counted has the
// name that customers' words for it have: a bundle is a bunch.
func baseOf(name string) (string, decimal.Decimal) {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "m" { // in a message it is a size
		return "metre", one
	}
	switch u := units.Get()[name]; u.kind {
	case measureUnit:
		return u.name, u.factor
	case packUnit:
		return u.name, one
	}
	return name, one
}
