package nlu

import (
	"slices"
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// madeOf says what things are made of, so that the two words beside each other name one thing even where only others of
// its kind are sold: nariyal tel is neither a coconut nor another oil.
var madeOf = lazy.Of[map[string][]string]{Make: func() map[string][]string {
	made := map[string][]string{}
	for _, row := range []struct{ things, of string }{
		{"oil hairoil", "coconut mustard sesame peanut almond castor olive neem sunflower soyabean soya amla clove"},
		{"juice", "orange mango apple pineapple litchi guava pomegranate grapes lemon amla carrot beetroot " +
			"sugarcane watermelon"},
		{"pickle", "mango rawmango lemon chilli garlic amla carrot jackfruit"},
		{"jam", "mango apple pineapple strawberry orange"},
		{"sauce ketchup", "tomato chilli soya"},
		{"chutney", "mint coriander coconut tamarind mango tomato garlic"},
		{"soup", "tomato corn chicken"},
		{"halwa", "carrot moong suji besan"},
		{"papad", "moong urad rice potato chana"},
		{"paratha", "potato paneer cauliflower radish onion"},
		{"chips", "banana potato"},
		{"milk", "almond coconut soya"},
		{"icecream", "mango strawberry chocolate pistachio butterscotch"},
		{"paste", "ginger garlic tomato onion"},
		{"barfi", "coconut besan cashew pistachio almond"},
		{"laddu", "besan sesame coconut peanut"},
		{"burger pizza sandwich roll momos wrap noodles biryani paratha pasta puff patty cutlet pakora kebab tikka " +
			"curry thali maggi omelette uttapam frankie toast manchurian pulao kathi tacos quesadilla hotdog",
			"chicken mutton egg veg vej paneer potato onion corn mushroom fish prawn cheese cauliflower keema peas " +
				"tofu soya babycorn spinach"},
		{"cake pastry milkshake shake kulfi lassi donut muffin cupcake",
			"chocolate vanilla mango strawberry pineapple butterscotch rose pistachio coffee blackforest redvelvet"},
	} {
		of := strings.Fields(row.of)
		for i, w := range of {
			if !known.Get().things[w] {
				of[i] = language.Fold(w)
			}
		}
		for _, thing := range strings.Fields(row.things) {
			if !known.Get().things[thing] {
				thing = language.Fold(thing)
			}
			made[thing] = append(made[thing], of...)
		}
	}
	return made
}}

// isMadeOf reports whether the last of some words is a thing and the others are what it is made of.
func isMadeOf(words []string) bool {
	last := len(words) - 1
	of := madeOf.Get()[words[last]]
	return last > 0 && !slices.ContainsFunc(words[:last], func(w string) bool { return !slices.Contains(of, w) })
}
