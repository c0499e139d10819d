package faq

// goodsConcepts are words for the same, a row each: of goods on the road, tools, homes, print, offices of the state,
// food, leisure, days and amounts.
const goodsConcepts = `
carton carton cartons crate crates box boxes dabba dibba peti container bubble-wrap tape
truck truck trucks lorry lorries tempo trailer carrier goods-vehicle tanker mini-truck chhota-hathi pickup-van
goods goods belongings stuff things-moved household luggage saman samaan items material consignment cargo load maal
load load loading unload unloading lift-up chadhana utarna
labour labour labourer labourers worker workers workman majdoor mazdoor hamal coolie helper helpers loader team crew
labour men banda
warehouse warehouse godown storage store-goods keep-goods storing gudam
route route raste rasta way highway road sadak
toll toll checkpost octroi
weighbridge weigh weighing kanta tol
dismantle dismantle disassemble assemble assembly open-up kholna khol jodna put-together take-apart fit-back
fragile fragile glass-item crockery delicate breakable nazuk kaanch
spectacles spectacles glasses specs chashma eyeglasses goggles sunglasses frame frames lens lenses power-glasses
contactlens contact-lens contact-lenses put-in-eye
eyepower power number eye-number eye-power power-number nazar najar vision-number
hearing hearing deaf bahra hearing-aid sunai
walker walker walking-stick crutch baisakhi stick chhadi wheelchair
mask mask sanitizer gloves thermometer oximeter nebulizer
bandage bandage patti plaster cotton-roll first-aid dressing
physio physiotherapy physio massage-therapy exercise-therapy
mental counselling therapy depression stress anxiety tanav
sleepissue insomnia neend-nahi sleepless
weightloss motapa obesity fat slim vajan-ghatana
smokequit nasha addiction nashamukti deaddiction
blooddonate donate-blood blood-bank raktdaan
fitnesscert fitness-certificate medical-certificate sick-note
check check चेक checked checking checkup check-up inspect inspected examine examined examination test jaanch chek
check dekhna-padega
door door doors darwaza window windows khidki gate shutter
wall wall walls deewar plaster crack-wall darar
floor-tile tile tiles marble granite flooring farsh
waterproof waterproofing seepage leakage-roof seelan damp
pipe pipe pipes nal tap taps faucet flush sink basin commode drain sewer
tank tank tanki sump overhead-tank septic
wood wood wooden lakdi plywood timber
metal iron steel aluminium loha brass copper
lock lock locks latch digital-lock lockset
curtainrod curtain-rod rod bracket hook
lightfitting bulb led-light tube tubelight lamp chandelier fan pankha switchboard socket plug
wirework wire wires cable cabling wiring taar
invertor inverter ups stabilizer battery-inverter
motor motor pump compressor starter
stairs stairs staircase steps ladder seedhi upstairs downstairs
terracegarden balcony terrace
swimmingpool pool swimming-pool
playarea playground play-area kids-zone
watersupply water-supply tanker borewell bore
cleaningjob deep-cleaning sofa-cleaning tank-cleaning house-cleaning
gardenjob gardening gardener mali lawn-mowing plants-care
securityjob bouncer security-guard
print print printing printout xerox photocopy scan scanning lamination binding spiral
card visiting-card business-card invitation-card wedding-card
banner banner flex poster pamphlet flyer brochure hoarding
website website domain hosting web-page design-website
software software license-key installation-software antivirus
sim sim sim-card esim port number-port mnp
recharge recharge top-up data-pack validity-pack talktime
storage storage memory space-full gb cloud backup-data
account-hack hacked account-compromised
printerink ink toner cartridge
government government sarkari govt municipal nagar-nigam tehsil collector
ration ration ration-card
voter voter election vote
birthcert birth-certificate death-certificate
marriagecert marriage-certificate court-marriage
property property registry land-record khasra mutation stamp-duty
affidavit affidavit notary shapath-patra
fir fir police-complaint police-report
divorce divorce maintenance-case alimony custody
courtcase case court-date hearing-date lawyer summons
trademark trademark copyright patent brand-registration
companyreg company-registration gst-registration udyam msme fssai shop-act licence-business
invest invest investment mutual-fund sip share stocks demat
returnrate returns yield growth
fd fixed-deposit fd recurring rd
creditcard credit-card card-limit
emi-bounce bounce cheque-bounce
insurancepremium premium policy-premium
claimamount claim-amount settlement settle
pension pension retirement
remit remittance money-transfer western-union
exchange-rate forex currency dollar
daycare daycare creche playschool nursery kindergarten babysitter nanny aaya
homework-help homework tuition home-tutor tutor-home
toy toy toys khilona game-toy
stationery pen pencil notebook copy-book register-book stationery
skill skill skills hobby craft drawing painting-class
language-class english-speaking spoken-english foreign-language
result-card report-card
libraryseat reading-room study-room seat-library
breakfast breakfast nashta
lunch lunch dopahar-khana
dinner dinner raat-khana
snack snack snacks namkeen
juice juice shake lassi
tiffin tiffin dabba-service lunch-box homemade-food
grocerypack packet packets pouch
organic organic chemical-free jaivik pesticide-free
dairy dairy milk-products paneer dahi curd ghee butter makhan cheese
meatshop chicken mutton fish egg eggs
oil oil tel mustard-oil sunflower
sugar sugar cheeni shakkar jaggery gud
salt salt namak
waterbottle water-bottle water-can jar bisleri can-water
icepack ice barf
seed seed seeds beej
fertiliser fertilizer khad
tractor tractor harvester plough thresher
irrigation irrigation drip sinchai
cattlefeed feed chara fodder
hairstyle hairstyle haircut hairdo blow-dry hair-spa
hairremoval waxing threading laser-hair
skincare facial cleanup bleach peel
tattoo tattoo piercing
bridalmake bridal-makeup party-makeup
perfume perfume deo attar itr
stayplace hotel homestay lodge dharamshala guest-house resort camp tent
tourguide guide tour-guide
trek trek trekking hiking camp-trip
adventure rafting paragliding bungee zipline
beach beach samudra sea
mountain mountain hill pahad
temple temple mandir darshan pilgrimage yatra-dham
movie movie cinema film show theatre screen-movie
ticketprice entry-ticket entry-fee
game game gaming arcade bowling
park amusement-park water-park rides slides jhula
museum museum zoo fort
swim-costume costume swimsuit swim-dress
photographer photographer photoshoot camera-man videographer
monday monday somvar
tuesday tuesday mangalvar
wednesday wednesday budhvar
thursday thursday guruvar brihaspativar
friday friday shukravar
saturday saturday shanivar
sunday sunday ravivar itvar
january january february march april june july august september october november december
festivaldate diwali-day holi-day
fewdays few-days kuch-din couple-days
longtime long-time lamba-samay
everyweek weekly har-hafte
anytime any-time kabhi-bhi 24-hours round-the-clock
lastyear last-year pichhle-saal
beforehand in-advance pehle-se beforehand prior
afterwards afterwards baad-mein later-on
onceagain once-more
pair pair jodi set-of
dozen dozen darjan
packetsize small-pack family-pack
need required necessary zaroori jaruri compulsory must mandatory
possible possible sambhav ho-sakta
difference difference fark antar
guaranteefix fixed-price final-price price-change increase-later later-increase hidden-cost ask-more
howmany how-many count number-of ginti
smallload few-things single-item one-item only-one ek-hi
own own apna apni khud self my-own ourselves myself
another another other-one dusra doosra different-one
original original asli
proof proof saboot praman evidence
identitycheck verified verification-police background-check trusted who-are police-verified
bribe bribe rishwat asked-money demanding-money maang-raha chai-pani wants-money tip-demand
lostchild lost-person missing-person
weatherdamage wet-rain rain-damage
nonworkingday closed-day band-din off-day
quick quick jaldi soon
slowservice slow-service
price-list rate-list rate-card price-list menu-card
sample sample namuna trial-piece tester
demo demo demonstration show-how dikhao-kaise
howwear how-wear how-use teach-me sikhao how-put-in kaise-pehne kaise-lagaye
adjust adjust adjustment loose-fit tighten kasna dheela
headache headache sir-dard dizzy dizziness chakkar
scratch scratch scratches kharoch lines-on nishan-pad
darkening photochromic dark-in-sun turn-dark
bluecut computer-glasses blue-cut anti-glare screen-protection
unbreakable unbreakable not-break does-not-break shatterproof mazboot
`
