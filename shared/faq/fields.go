package faq

import (
	"math"
	"strings"

	"github.com/haatline/haatline/shared/lazy"
)

// fieldRows are fields of meaning, a row each: the name, and after a colon the ideas that belong to it. An idea may
// belong to several. They are wider than ideas: a sofa and a table are goods, and so is what a list calls an item. A
// long field goes on in the next row of its name.
const fieldRows = `
pricing: price tariff budget bargain cheap expensive price-list fees bhk load claimamount bookingamount ticketprice
pricing: weight minimumorder overcharge saving free extra latefee interest insurancepremium
paying: pay cash card onlinepay autopay cod codpay wallet netbanking credit creditcard instalment installments emi
paying: rupaye money recharge prepay bank cheque transfer remit contactless loan iphone topup
moneyback: refund deposit-refund deduct return cancel deposit money credited stuck overcharge cashback-offer
moneyback: returnrate refuse
advance: deposit bookingamount stampduty book-in-advance guarantor
owed: due late latefee fine lastdate bounce emi-bounce bill credit pay delayed instalment
bill: bill invoice gst gstbill tax tds copy statement price-list certificate stampduty
saving: discount discountgroup coupon cheap bargain free cashback-offer reward scheme scholarship combo voucher budget
saving: saving subsidy incentive sibling senior festival
lending: loan emi interest cibil score guarantor instalment foreclose prepay homeloan goldloan bank eligible credit
lending: salary income approve reject
banking: bank account atm balance ifsc passbook cheque statement fd fixeddeposit savings maturity nominee kyc dormant
banking: netbanking card minimum credited transfer deposit
investing: invest profit interest fd fixeddeposit maturity stockmarket returnrate savings plot property gold
clock: hours time morning evening afternoon night hour timetable open close lunch today early late overtime
calendar: date day today tomorrow week month year weekday weekend sunday saturday monday tuesday wednesday thursday
calendar: friday holiday festival january festivaldate lastdate everyweek nonworkingday fewdays available-date
lasting: duration duration-stay period validity maturity minimum notice longtime year month week day agreement fewdays
lasting: expiry noticeperiod lastyear hours wait
soonness: urgent early fast quick sameday today emergency late wait delivery delayed slow ready tomorrow anytime
lateness: late delayed wait notarrived noshow nobody slow slowservice bus-late queue missed track stuck longtime
often: daily often everyweek again onceagain week month schedule recurring date
place: address area city near distance landmark far branch branch-other outside shop reach visit pincode route station
place: pickup-point hotplace europe country beach mountain road
reaching: address near distance far landmark route station parking transport bus taxi reach visit
home: home house flat building floor room address tenant rent owner bhk lift stairs society kitchen bathroom roof wall
home: door balcony homecollection doorstep move
renting: rent rentout tenant owner agreement deposit vacate room roommate flat furnished bhk notice tariff
moving: move shift transfer home house address vacate city truck packing carry smallload luggage floor lift dismantle
travel: travel ticket bus train flight taxi visa passport luggage hotel trek airport seat route driver
travel: cancelled-flight sightseeing tourguide bus-late customs roaming abroad pickup-point europe country
vehicle: car bike scooter vehicle truck tractor tyre engineoil driver licence parking petrol mileage rc motor cycle
vehicle: fuel testdrive helmet accident breakdown drive learner automatic ambulance van
people: person man woman child family friend guest senior couple parents sibling group student patient customer human
people: relative alone guestcount age neighbour roommate
staff: staff technician manager doctor teacher driver guard maid nurse cook instructor specialist photographer
staff: tourguide owner plumber electrician carpenter gardenjob labour human person experience rude counsellor priest
staff: lawyer ca tailor makeup
kids: child school daycare babyfood diaper illchild child-safe toy lostchild parents birthday schoolbus vaccine minor
kids: class age
elderly: senior age wheelchair pension lifecertificate stairs lift
belonging: product goods furniture clothes device appliance phone laptop tv fridge ac shoe bag parcel gift jewel
belonging: spectacles accessories book bed table medicine meal cake stock washingmachine carpet curtain glass toy
belonging: equipment order plate spare
furnishing: furniture bed table furnished carpet curtain linen wood carpenter towel repair
machine: device appliance ac fridge tv washingmachine geyser heater microwave computer laptop phone mobile invertor
machine: generator motor printer camera router meter purifier solar battery stove equipment speaker screen ro
digital: app website login online download update otp password internet wifi data software computer email notification
digital: profile account whatsapp register screen scan hack onlineclass message registry
connectivity: wifi internet mbps router connect connection sim roaming recharge data redlight tower slow plan
connectivity: netbanking ott
power: electricity electric power powercut load meter solar invertor generator battery light charger transformer
power: tariff charging lowoutput switch shutdown
waterfield: water watersupply tanki leak plumber pipe bathroom purifier toll wet swimmingpool swim shower drink
waterfield: waterproof weather
gasfield: gas stove leak smell smoke fire
food: meal food menu veg nonveg vegetarian breakfast lunch dinner snack sweets sweet cake bread fruit vegetable dairy
food: milk drink restaurant cook cooking spice spicy taste ghee oil salt rice egg eggless tiffin plate catering
food: canteen eat dryfruit grain juice pizza prasad allergy coldfood hot frozen kitchen diet
foodkind: veg nonveg vegetarian eggless organic diet spicy sugar allergy meat meatshop egg
drinking: alcohol drink smoke smoking water juice mocktail
cloth: clothes cloth clothing fabric stitch tailor blouse lehenga size colour laundry iron dryclean fade stain
cloth: alteration uniform shoes shoe measure footwear wash towel linen
cleanfield: clean laundry wash stain hygiene garbage dryclean sterilise pest soap maid toilet bathroom sanitary
cleanfield: cleaningjob iron fresh smell
beauty: hair haircut haircolour facial makeup bridal skin massage waxing nail mehndi skincare hairstyle haircare
beauty: hairremoval cosmetic perfume bridalmake tattoo
health: doctor hospital patient illness pain fever medicine prescription surgery admit nurse blood test report
health: diabetes heart pregnancy pregnant eye teeth skin allergy vaccine vaccination headache vomit swelling bleeding
health: breathing physio mental body bodypart emergency ambulance thyroid bandage sugar illchild sleepissue bite
testing: test report sample blood fasting urine xray scan cbc fullbody vaccine result homecollection thyroid
testing: cholesterol bloodcount accurate accredited lipid sugar
medicinef: medicine prescription substitute expire expiry vaccine side expiredproduct bandage
fitness: gym exercise yoga diet weight weightloss fitnesscert swim weight-loss walk slim equipment steam sport sports
fitness: gym-play
eyef: eye spectacles contactlens eyepower bluecut
animal: pet vet cattle cattlefeed bird grooming vaccine bite
learning: course class teacher learn syllabus book exam school university homework doubt batch studymaterial marks
learning: result education subject onlineclass demo test english speaking certificate teach student coursekind diploma
learning: doubtclass language-class library missed medium skill
schooling: school admission fees uniform transport ptm homework schoolbus principal transfercertificate marksheet
schooling: transfercert subject child education student exam class batch board
exams: exam examtest result resulte marks mocktest score syllabus test scholarshiptest interview result-card marksheet
work: job salary interview fresher experience intern internship shift resume contractual esi pf office night-shift
work: labour staff overtime join placement skill part-time cleaningjob securityjob fulltime selfemployed
business: office wholesale partner gst shop corporate branch service bulk quantity companyreg trademark stock
ceremony: wedding hall decoration dj music catering photography mehndi baraat event birthday flower guest guestcount
ceremony: invitation cake stage celebrate firework puja album lawn
worship: temple puja prasad priest festival vastu donation astrology volunteer donate
gifting: gift giftwrap personalise write card flower birthday invite message
shipping: delivery parcel packing track pickup pickupdrop arrive order carry doorstep home area return-home address
shipping: warehouse customs weight truck handover
fetching: pickup pickupdrop homecollection carry home arrange take visit return
ordering: order book buy slot appointment reserve book-in-advance need arrange ticket table stock choose
starting: start begin join join-add open open-start activate install new connection register apply admission first
starting: beginner trial
ending: stop cancel close finish vacate surrender leave disconnection foreclose remove postpone expire last
pausing: pause holiday leave away absent fewdays postpone missed stop
continuing: renew extend continue longtime more increase again keep carryforward upgrade period expiry onceagain
changing: change update exchange correct correction reschedule shift upgrade downgrade customise transfer another
changing: different batchchange substitute adjust
timechange: reschedule postpone early late date change another shift hours appointment tomorrow
swapping: exchange return another change wrongitem size substitute different old compare
growing: upgrade increase more extra extend improve big topup
shrinking: downgrade decrease less small cheap few remove
damage: damaged broken hole leak scratch repair breakdown notworking faulty lost accident fire stain fade burst melt
damage: weatherdamage water-damage bite wet nuksan waterproof denting fragile warranty complaint
failing: notworking failed broken slow stuck faulty redlight lowoutput breakdown stopped hot noise leak repair
failing: slowservice missed cooling heating
fixing: repair technician spare spareparts service correct plumber electrician carpenter maintenance original-part
fixing: guaranteefix breakdown warranty visit
upkeep: service maintenance clean repair check amc daily often free year visit
wrongness: wrong wrongitem mix different missing less damaged exchange correct correction overcharge complaint
wrongness: spelling
lacking: missing less lost lostfound missing-item part notarrived empty
losing: lost theft missing forget forgot duplicate lostfound lostchild copy key insurance police fir block
crime: theft fraud hack police fir block bribe guard safe lost cctv insurance bully
guarding: safe guard cctv lock key curfew privacy police woman verify door locker child-safe
secrecy: privacy data safe verification password share personal hide
risk: insure insurance insurancepremium accident fire theft claim covered damaged weather death insuranceh cashless
risk: nominee
claiming: claim insuranceh cashless insurance document reject approve death hospital claimamount covered
proof: document identity aadhaar pan passport proof certificate address-proof verification kyc idcard affidavit copy
proof: form photo licence sign birthcert marriagecert lifecertificate original noc police voter stamp
filing: form apply register admission online sign document eligible status
eligibility: eligible age minimum maximum allow experience income salary senior student beginner need limit
allowing: permission allow allowed forbidden possible policy rule noc bring pet guest smoking alcohol outside own
allowing: entry agree
contracting: agreement policy rule period notice sign noticeperiod bond minimum
deciding: approve reject status result eligible verify wait refuse
asking: call phone human helpline email contact talk complaint message whatsapp callback connect
complaining: complaint rude bad quality noise refund wrong feedback manager taste worsen slowservice dislike
praising: feedback love quality recommend good believe like
informing: notification status track report message email update call
judging: quality genuine original fresh brand organic compare trust experience safe accredited accurate worm
guarantee: warranty guaranteefix expiry repair year quality maturity insurance period
counting: quantity count maximum minimum size group bulk capacity few dozen packetsize limit howmany guestcount
counting: wholesale double single
measuring: size weight height width measure length load area capacity big small measurement mileage
variety: model choose colour brand design different menu plan new compare sample
planf: plan membership upgrade member scheme recharge renew period class price join
sharingf: share roommate family sibling friend couple group partial together transfer double
trying: trial demo sample see show visit testdrive first check sitevisit free survey test sit
seeing: see show visit photo watch survey sample sitevisit screen camera view testdrive
assembling: install fit dismantle connect connection remove lightfitting hang
building: construction building renovation paint floor wall roof plot floor-tile
property: flat plot property registry possession agreement sitevisit rera loan resale vastu project floorplan
growingthings: plant garden seed farmer crop fertilizer fertiliser irrigation gardenjob flower tractor lawn
lawf: lawyer courtcase police agreement notice divorce trademark affidavit law will
government: government subsidy scheme licence aadhaar pension certificate tax election
citizens: society committee maintenance neighbour guard clubhouse parking noise gatepass visitor lift tank
joy: movie music game sport swim pool dance museum show event cricket playarea clubhouse instrument
sleepf: bed room hotel checkin checkout night sleep noise hostel extrabed
weatherf: weather hot cold summer waterproof wet
colour: colour fade bright dark paint design haircolour
sound: noise sound music dj hear speaker neighbour night
smellf: smell taste fresh bad leak perfume smoke
written: write print printed name copy book document translate spelling message photo stamp banner
helping: help guide counsellor arrange understand
`

// fieldsOf maps ideas to fields by number, and counts the fields.
type fieldsOf struct {
	of map[string][]int
	n  int
}

var fields = lazy.Of[fieldsOf]{Make: func() fieldsOf {
	f := fieldsOf{of: map[string][]int{}}
	at := map[string]int{}
	for row := range strings.Lines(fieldRows) {
		name, ideas, is := strings.Cut(row, ":")
		if !is {
			continue
		}
		n, has := at[name]
		if !has {
			n, at[name], f.n = f.n, f.n, f.n+1
		}
		for _, idea := range strings.Fields(ideas) {
			f.of[idea] = append(f.of[idea], n)
		}
	}
	return f
}}

// scope is how much of each field of meaning a text has.
type scope []float64

// scopeOf returns the fields of terms. A word whose idea is of many fields says little of each.
func scopeOf(all []term) scope {
	f := fields.Get()
	s := make(scope, f.n)
	for _, t := range all {
		whole := 1.0
		if t.part {
			whole = ofPart
		}
		for _, idea := range t.ideas[:min(3, len(t.ideas))] {
			of := f.of[idea]
			for _, n := range of {
				s[n] += whole / math.Sqrt(float64(len(of)))
			}
			whole *= byNext
		}
	}
	for n := range s {
		s[n] = min(s[n], mostOfField)
	}
	return s
}

// mostOfField is how much of a field a text has at most.
const mostOfField = 1.5

// to returns how much alike two scopes are, from 0 to 1, by how much each field says.
func (s scope) to(o scope, says []float64) float64 {
	both, one, other := 0.0, 0.0, 0.0
	for n, w := range says {
		both += s[n] * o[n] * w
		one += s[n] * s[n] * w
		other += o[n] * o[n] * w
	}
	if both == 0 {
		return 0
	}
	return both / math.Sqrt(one*other)
}

// sayings returns how much each field says among the answers: the more, the fewer of them have it.
func (x *Index) sayings() []float64 {
	says := make([]float64, fields.Get().n)
	for _, a := range x.answers {
		for n := range says {
			has := 0.0
			for _, way := range a.asks {
				has = max(has, min(1, x.asks[way].scope[n]))
			}
			says[n] += has
		}
	}
	for n, in := range says {
		says[n] = math.Log((float64(len(x.answers)) + 2) / (in + 1))
		says[n] *= says[n]
	}
	return says
}
