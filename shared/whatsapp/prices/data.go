package prices

import "github.com/haatline/haatline/shared/lazy"

// markets are Meta's markets. A code that is longer goes before a shorter one that it begins with.
var markets = []market{
	{"Argentina", "54"}, {"Brazil", "55"}, {"Chile", "56"}, {"Colombia", "57"}, {"Egypt", "20"}, {"France", "33"},
	{"Germany", "49"}, {"India", "91"}, {"Indonesia", "62"}, {"Israel", "972"}, {"Italy", "39"}, {"Malaysia", "60"},
	{"Mexico", "52"}, {"Netherlands", "31"}, {"Nigeria", "234"}, {"Pakistan", "92"}, {"Peru", "51"}, {"Russia", "7"},
	{"Saudi Arabia", "966"}, {"South Africa", "27"}, {"Spain", "34"}, {"Turkey", "90"},
	{"United Arab Emirates", "971"}, {"United Kingdom", "44"},
	{"North America", "1"},
	{"Rest of Africa", "211 212 213 216 218 220 221 222 223 225 226 227 228 229 231 232 233 235 237 241 242 244 245 " +
		"249 250 251 252 254 255 256 257 258 260 261 263 264 265 266 267 268 291"},
	{"Rest of Asia Pacific", "61 63 64 65 66 81 84 86 93 94 675 852 855 856 880 886 976 977 992 993 998"},
	{"Rest of Central & Eastern Europe", "30 36 40 48 355 359 370 371 373 374 375 380 381 385 386 389 420 421 994 995"},
	{"Rest of Latin America", "58 501 502 503 504 505 506 507 509 591 593 595 598 1787 1939 1809 1829 1849 1876 1658"},
	{"Rest of Middle East", "961 962 964 965 967 968 973 974"},
	{"Rest of Western Europe", "32 41 43 45 46 47 351 353 358"},
}

// countries are the markets of user ids, which begin with a country, where the market is not Other.
var countries = map[string]string{
	"AR": "Argentina", "BR": "Brazil", "CL": "Chile", "CO": "Colombia", "EG": "Egypt", "FR": "France", "DE": "Germany",
	"IN": "India", "ID": "Indonesia", "IL": "Israel", "IT": "Italy", "MY": "Malaysia", "MX": "Mexico",
	"NL": "Netherlands", "NG": "Nigeria", "PK": "Pakistan", "PE": "Peru", "RU": "Russia", "SA": "Saudi Arabia",
	"ZA": "South Africa", "ES": "Spain", "TR": "Turkey", "AE": "United Arab Emirates", "GB": "United Kingdom",
	"US": "North America", "CA": "North America",
}

// lists are Meta's lists of prices in US dollars, the oldest first: the last one before January 2026, and the one from
// then on, in which India is dearer, and France, Egypt and North America are cheaper.
var lists = lazy.Of[[]List]{Make: func() []List {
	return []List{
		{From: "2025-10-01", prices: with(map[string]price{
			"India": {"0.0107", "0.0014", "0.0014"}, "France": {"0.1432", "0.0300", "0.0300"},
			"Egypt": {"0.1073", "0.0036", "0.0036"}, "North America": {"0.0250", "0.0040", "0.0040"}})},
		{From: "2026-01-01", prices: with(map[string]price{
			"India": {"0.0118", "0.0014", "0.0014"}, "France": {"0.0859", "0.0300", "0.0300"},
			"Egypt": {"0.0644", "0.0036", "0.0036"}, "North America": {"0.0250", "0.0034", "0.0034"}})},
	}
}}

// with returns the prices of both lists, with those of the markets that changed.
func with(changed map[string]price) map[string]price {
	all := map[string]price{
		"Argentina": {"0.0618", "0.0260", "0.0260"}, "Brazil": {"0.0625", "0.0068", "0.0068"},
		"Chile": {"0.0889", "0.0200", "0.0200"}, "Colombia": {"0.0125", "0.0008", "0.0008"},
		"Germany": {"0.1365", "0.0550", "0.0550"}, "Indonesia": {"0.0411", "0.0250", "0.0250"},
		"Israel": {"0.0353", "0.0053", "0.0053"}, "Italy": {"0.0691", "0.0300", "0.0300"},
		"Malaysia": {"0.0860", "0.0140", "0.0140"}, "Mexico": {"0.0305", "0.0085", "0.0085"},
		"Netherlands": {"0.1597", "0.0500", "0.0500"}, "Nigeria": {"0.0516", "0.0067", "0.0067"},
		"Pakistan": {"0.0473", "0.0054", "0.0054"}, "Peru": {"0.0703", "0.0200", "0.0200"},
		"Russia": {"0.0802", "0.0400", "0.0400"}, "Saudi Arabia": {"0.0455", "0.0107", "0.0107"},
		"South Africa": {"0.0379", "0.0076", "0.0076"}, "Spain": {"0.0615", "0.0200", "0.0200"},
		"Turkey": {"0.0109", "0.0053", "0.0053"}, "United Arab Emirates": {"0.0499", "0.0157", "0.0157"},
		"United Kingdom": {"0.0529", "0.0220", "0.0220"}, "Rest of Africa": {"0.0225", "0.0040", "0.0040"},
		"Rest of Asia Pacific":             {"0.0732", "0.0113", "0.0113"},
		"Rest of Central & Eastern Europe": {"0.0860", "0.0212", "0.0212"},
		"Rest of Latin America":            {"0.0740", "0.0113", "0.0113"},
		"Rest of Middle East":              {"0.0341", "0.0091", "0.0091"},
		"Rest of Western Europe":           {"0.0592", "0.0171", "0.0171"},
		Other:                              {"0.0604", "0.0077", "0.0077"},
	}
	for name, p := range changed {
		all[name] = p
	}
	return all
}
