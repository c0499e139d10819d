package faq

import (
	"strings"

	"github.com/haatline/haatline/shared/language"
	"github.com/haatline/haatline/shared/lazy"
)

// synonymRows are words for the very same thing, in English and in Hindi. An idea is wider: rats and mosquitoes are
// pests, and chuha is a rat alone.
const synonymRows = `
rat mouse mice rats chuha chuhe choohe; mosquito mosquitoes machhar machchhar macchar
cockroach roach roaches tilchatta tilchatte; termite termites deemak dimak; bedbug bedbugs khatmal
ant ants cheenti chinti; lizard chhipkali; snake saanp samp; bee bees madhumakkhi; fly flies makkhi
insect bug bugs keeda keede kida kide; dog puppy kutta kutte kuttiya; cat kitten billi; cow gaay gai; buffalo bhains
bird chidiya pakshi; horse ghoda; fish machhli machli; chicken murga murgi; egg anda ande; milk doodh dudh
water paani pani; tea chai chaay; sugar cheeni shakkar; salt namak; oil tel; rice chawal; wheat gehu gehun
flour atta aata; bread roti chapati; vegetable sabzi sabji sabziyan; fruit phal fal; food khana bhojan
breakfast nashta naashta; dinner; sweet mithai mithaai; spice masala masale; onion pyaz pyaaz; garlic lehsun lahsun
meat maans gosht; alcohol sharab daru liquor; house home ghar makaan makan; room kamra kamre; kitchen rasoi
roof chhat terrace; wall deewar diwar; floor farsh; door darwaza darwaja; window khidki; stairs seedhi seedhiyan
garden bageecha bagicha; tree ped; plant paudha paudhe; flower phool; grass ghaas ghas; soil mitti; seed beej
farm khet; farmer kisan; village gaon gaanv; city sheher shahar shaher town; state rajya; country desh; road sadak
shop dukan dukaan; market bazaar bazar; office daftar karyalaya; school vidyalaya; hospital aspatal haspatal
temple mandir; car gaadi gadi kaar; tyre tire pahiya wheel; petrol fuel diesel indhan; driver chalak; ticket tikat
luggage samaan saman baggage; boat naav; bed palang khat cot; mattress gadda gadde; pillow takiya
bedsheet chadar chaddar; blanket kambal rajai; chair kursi; table mez mej; cupboard almari almirah wardrobe
mirror sheesha aaina; lamp bulb batti; fan pankha; stove chulha; utensil utensils bartan; knife chaku; bag thaila
box dibba peti carton; lock tala taala; key chabi chaabi; clock watch ghadi; book kitab kitaab pustak
paper kagaz kagaj; pen kalam; letter chitthi; photo tasveer tasvir picture; cloth kapda kapde clothes; shirt kameez
shoe jute joota juta; ring angoothi anguthi; necklace haar; gold sona; silver chandi; diamond heera hira
glasses spectacles chashma; umbrella chhata; toy khilona khilone; money paisa paise rupaye; debt karz udhaar
salary wage tankhwah vetan pagar; rent kiraya kiraye bhada; tax; price rate daam kimat keemat bhav; interest byaj sood
loss nuksan; profit munafa fayda; account khata; receipt raseed rasid; bill bijak; name naam; address pata
age umar umra; date tarikh tareekh; day din; night raat; morning subah savere; evening shaam sham; noon dopahar
week hafta hafte saptah; month mahina mahine; year saal sal varsh; hour ghanta ghante; minute minat; today aaj
summer garmi garmiyan; winter sardi sardiyan thand; rain barish baarish; wind hawa; sun dhoop dhup; fire aag
smoke dhuan; dust dhool; smell badbu gandh; noise shor; light roshni ujala; electricity bijli bijlee current
man aadmi mard purush male gents; woman aurat mahila female lady ladies; boy ladka ladke; girl ladki ladkiyan
child bachcha bachche baccha bacche bachhe kid kids children; baby shishu newborn infant navjat; son beta
daughter beti; father papa pita pitaji dad; mother mummy maa mata mom; brother bhai; sister behen bahan; husband pati
wife patni biwi; grandfather dada nana; grandmother dadi nani; friend dost yaar; guest mehman mehmaan visitor
neighbour padosi; owner malik maalik; servant naukar; maid bai kaamwali; nurse parichaarika; doctor vaidya daktar
patient mareez mariz; teacher adhyapak shikshak; student chhatra vidyarthi; groom dulha; bride dulhan
wedding shaadi shadi vivah marriage byah; death maut nidhan dehant; birth janm; body sharir; head sar sir; hair baal
eye aankh aankhen; ear kaan; nose naak; mouth munh; tooth teeth daant dant; neck gardan; hand haath; leg foot pair pao
knee ghutna ghutne; back kamar peeth; stomach pet; heart dil; skin twacha chamdi; blood khoon khun; bone haddi
pain dard; fever bukhar bukhaar; cough khansi; zukam jukam; wound zakhm chot injury; medicine dawa dawai davai
injection sui; disease bimari beemari illness; sleep sona neend; bath nahana nahane; massage maalish malish
exercise kasrat vyayam; song gaana gana; dance naach; game khel; colour color rang; red laal lal; blue neela
green hara; yellow peela; white safed; black kaala kala; big bada badi large; small chhota chhoti; long lamba lambi
short chhota; heavy bhari; halka halki; new naya nayi naye; old purana purani purane; hot garam; cold thanda thandi
wet geela gila; dry sukha sookha; dirty ganda gandi filthy; clean saaf saf; full bhara; empty khali khaali vacant
good accha achha badhiya; bad kharab bura; cheap sasta saste; expensive mehnga mahanga costly; fast tez tej
slow dheere dheema dheemi; easy aasan; hard mushkil difficult; true sach; wrong galat; right sahi; same wahi waisa
different alag; other doosra dusra another; first pehla pehle; last aakhri antim; half aadha aadhi
whole poora pura complete; more zyada jyada; less kam; alone akela akele; together saath; far door dur
near paas nazdeek; inside andar; outside bahar; above upar upstairs; below neeche niche; seven saat; eight aath
give dena; take lena; bring lana laana; send bhejna bhejo bhej; buy kharidna khareedna purchase; sell bechna
pay bharna chukana; open kholna khulna khulta khulega; close band; start shuru begin; stop rukna rokna rok
finish khatam khatm end; break todna tootna toot tut broken broke; tear phatna phat fata torn; burn jalna jal burnt
cut kaatna kat; tie baandhna; wash dhona dhulai dhulwana; wipe mop pocha; sweep jhadu; cook pakana; eat
drink peena pina; sit baithna baith; stand khada; walk chalna paidal; run daudna; drive chalana chalata chalayega
fall girna gir gira; climb chadhna; learn sikhna seekhna sikh seekh; teach sikhana padhana; read padhna
write likhna likhwana; see dekhna dekh dekhne look; show dikhana dikhao; hear sunna; speak bolna; talk baat
ask puchna poochna; answer jawab javab; call bulana; tell batana; think sochna; understand samajhna samajh
remember yaad; forget bhoolna bhool bhul forgot; lose khona kho gum lost; find dhundhna dhoondhna
steal chori churana stolen theft; hide chhupana; lautana lautao return; change badalna badal badlo
fix theek thik repair sudharna; work kaam; wait intezar intezaar ruko; live rehna rahna; stay thaharna theharna ruk
move shift; come aana; go jana; arrive pahunchna pahunch reach; leave chhodna chhod; meet milna; choose chunna
need zarurat jarurat; want chahna; like pasand; agree sehmat; refuse mana inkaar; help madad sahayata
trust bharosa vishwas; promise vaada; fear dar; laugh hasna; cry rona; fight ladai jhagda; play khelna; win jeetna
sign hastakshar dastakhat; count ginti ginna; measure naap nap; weigh wazan vajan weight
test jaanch janch pariksha check; proof saboot praman; rule niyam; law kanoon; permission ijazat anumati
complaint shikayat; problem dikkat samasya pareshani; reason wajah karan; result nateeja parinam; news khabar samachar
helpline; festival tyohar tyohaar; holiday chhutti chutti; prayer puja pooja; donation daan chanda; language bhasha
religion dharm; caste jaati jati gotra; horoscope kundli kundali; job naukri naukari rozgar
business vyapar dhandha karobar; company sanstha; government sarkar; police pulis thana thane; court adalat kachehri
lawyer vakil vakeel advocate; security suraksha; danger khatra; accident durghatna takkar collision
insurance bima beema; loan rin; katai; motapa; limit seema had; distance doori; seat jagah; queue line kataar
hall sabhagar; stage manch; movie film cinema; snack snacks namkeen; cleaning safai; repairman mistri karigar
rubbish garbage kachra kooda; wood lakdi lakadi; iron loha; glass kaanch kanch; stone patthar; sand ret; brick eent
cement; paint putai; pipe nal; well kuan; pond talab; river nadi; sea samudra; mountain pahad; forest jungle van
sky aasman; star tara; moon chaand; bike motorcycle motorbike motorsaikil; scooter scooty activa; bicycle cycle saikil
bus buses; train trains relgadi railway; flight plane aeroplane; taxi cab cabs; truck lorry; auto rickshaw
monkey bandar; goat bakri; rabbit khargosh; hotel hotels; loan loans; phone mobile phones mobiles; laptop laptops
computer computers; tv television; fridge refrigerator; ac; geyser; cooler; camera cameras; printer printers
sofa sofas couch; curtain curtains parda parde; carpet carpets kaleen; pizza pizzas; cake cakes; burger burgers
biryani; coffee; juice; beer; wine; saree sari saris sarees; blouse blouses; suit suits; lehenga lehengas; jeans
shirt shirts; tshirt; jacket jackets; passport passports; visa visas; licence license licences laisens; aadhaar aadhar
pan; plumber plumbers nalsaz; electrician electricians; carpenter carpenters badhai; painter painters
cook cooks rasoiya bawarchi; guard guards chowkidar chaukidar; gardener maali; tailor tailors darzi darji; barber nai
priest pandit pujari; photographer photographers; dj; yoga yog; gym gyms; swimming tairna tairaki; cricket; football
english angrezi angreji; hindi; maths math ganit; science vigyan; ambulance; vaccine teeka tika vaccination; xray; mri
dentist; physiotherapist physio physiotherapy; tablet tablets goli; syrup; cylinder cylinders silendar; solar
inverter inverters; battery batteries; parking; wifi; internet; locker lockers; lift elevator; pool pools
balcony balconies; bathroom toilet washroom; deposit jamanat; refund refunds; emi kist kisht; discount chhoot
coupon coupons; gst; warranty guarantee garanti
`

// synonyms reads the rows at first use: the first word of a group by how each sounds, and by that without its ending.
var synonyms = lazy.Of[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for _, withoutEnding := range []bool{false, true} {
		for row := range strings.SplitSeq(strings.ReplaceAll(synonymRows, "\n", ";"), ";") {
			words := strings.Fields(row)
			for _, w := range words {
				sounds := []string{language.Sound(english(w))}
				if withoutEnding {
					sounds = bases(sounds[0])
				}
				for _, sound := range sounds {
					if all[sound] == "" {
						all[sound] = words[0]
					}
				}
			}
		}
	}
	return all
}}

// synonym returns the first word of the group of synonyms that a word is in; "" if it is in none.
func synonym(word string) string {
	sound := language.Sound(word)
	if same := synonyms.Get()[sound]; same != "" {
		return same
	}
	for _, base := range bases(sound) {
		if same := synonyms.Get()[base]; same != "" {
			return same
		}
	}
	return ""
}
