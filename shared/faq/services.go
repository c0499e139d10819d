package faq

// serviceRows are words for the same, as tradeRows are: of what is sold, brought, shown and repaired, and of the world
// at large, of which no list speaks.
const serviceRows = `
delivery deliver delivers delivering delivered home-delivery dilivery dilevri pahunchana pahunchate pahuncha-denge
delivery courier-karte
shipping ship shipped dispatch dispatched dispach
track tracking track-order where-order status awb consignment
parcel packet package packages paket courier
damaged broken torn defective cracked toota tuta phata fata kharaab damage leaking-item
missing less-items item-missing not-inside nahi-nikla kam-nikla missing-item
return returns vapas-karna wapas-karna send-back give-back
exchange exchanges replace replacement swap badal badalna
refund refunds refunded rifand money-back paisa-wapas paise-wapas paisa-vapas
cod cash-on cash-delivery on-delivery pay-later delivery-payment
codpay pay-when pay-after deliver-pay
stock available availability in-stock out-stock sold sold-out uplabdh khatam-stock restock
size sizes saaiz xl xxl small-size chart
colour color colours colors rang shade shades
fade bleed bleeds fading rang-nikalna rang-utarna wash
fabric fabrics material kapda cotton cloth cloths kapde
customise customize customised customized custom personalised personalized name-on print printing printed logo
customise engrave
giftwrap gift-wrap gift-pack gift gifts gifting tohfa uphaar present
coupon promo promocode promo-code voucher code discount-code kupan
combo combos deal deals
points reward rewards loyalty cashback
cheap cheaper cheapest sasta saste sasti affordable low-budget lowest budget
expensive mehnga mahanga mahnga costly
bargain mol-bhav kam-karo negotiable reduce thoda-kam
wholesale bulk thok reseller retail quantity large-order
international abroad overseas foreign videsh outside-india export london dubai canada america usa uk us nepal
pincode pin-code zip area-code
ghee oil masala
menu menus dishes dish vyanjan
veg vegetarian vegan pure-veg shakahari jain jain-food non-veg nonveg meat maansahari
spicy teekha mirchi less-spicy
plate plates per-plate thali
capacity kitne-log how-many-people seating strength seats occupancy
decoration decorate decor decorations sajawat phool-sajawat balloon balloons theme
dj music-system band live-music sound-system
catering caterer caterers khana-lagana outside-food own-food bahar-ka
alcohol liquor drinks beer wine sharab daru bar
cake cakes kek birthday-cake
eggless egg-less without-egg bina-anda bina-ande
photographer photography photoshoot video videography camera shoot photos
album albums
mehndi henna mehendi
wedding weddings marriage shaadi shadi vivah bride groom getting-married married
birthday birthdays janmdin bday janamdin
ac aircondition air-condition airconditioned cooler fan
wifi wi-fi internet net
checkin check-in checkin-time arrive arrival
checkout check-out leave-room vacate khaali-karna khali-karna
earlycheckin early-check early-arrival
extrabed extra-bed mattress gadda extra-mattress bistar
breakfast nashta naashta
laundry wash washing clothes-wash dhulai dhulwana dhulwane kapde-dhona dhobi iron ironing press istri
dryclean dry-clean dry-cleaning
stain stains daag dhabba
pool swimming-pool swim
sightseeing sights places-visit ghoomne ghumne ghoomna ghumna tourist places-see darshan dekhne-layak
taxi taxis cab cabs car-hire rickshaw auto
airport hawai flight flights
station railway railways stesan stashan
distance far door dur duri kitna-dur near nearby nearest paas najdeek
luggage baggage bag bags saman samaan suitcase
cloakroom cloak-room
seat seats window-seat sit
reschedule postpone prepone date-change change-date badal-tarikh
missed miss missed-bus chhoot-gayi chhut-gaya late-reached
travel journey yatra safar tour tours trip
visa visas viza
passport pasport
guide guides tour-guide
trek trekking camping
scooter scooty scooti activa two-wheeler bike bikes motorcycle motorbike motarsaikil dopahiya
car cars gaadi gadi four-wheeler vehicle vehicles vahan kaar alto swift
testdrive test-drive trial-ride test-ride
tyre tyres tire tires taayar puncture panchar
engineoil engine-oil oil-change
mileage average average-kitna
service servicing serviced sarvis servis full-service
pickupdrop pick collect pick-up pickup drop pick-drop collection le-jana le-jaoge le-jaenge utha uthana uthate
pickupdrop lene-aaoge
spare spares part-available purze
accident accidental thuk-gayi takkar
rc registration-certificate
pollution puc
licence license licences laisens laisense driving-licence dl
learner learning-licence learners
automatic auto-gear gearless without-gear automatic-car
instructor instructors trainer sikhane-wala
drive driving chalana chalani gaadi-chalana
learn learning learned sikhna seekhna sikh seekh sikhao sikhate sikha seekhni sikhni teach teaches taught
repair repairs repaired repairing marammat thik-karna theek-karna banwana sudharna service-karna
technician mechanic technicians mistri karigar kaarigar
spareparts genuine-parts
tv television led lcd
fridge refrigerator frij
washingmachine washing-machine
microwave oven
geyser heater water-heater
ro purifier filter water-purifier
mobile phone phones smartphone handset
screen screens display glass touch toot-gayi
battery batteries baitri charge-nahi
laptop laptops computer computers pc
data dataloss data-loss data-delete data-safe backup
water-damage waterdamage paani-gir paani-me
meter meters mitar reading
bill bills bil electricity-bill bijli-bill
load sanctioned-load kilowatt kw
solar saur panel panels
connection connections kanekshan line-lena
disconnection disconnect disconnected kat-gayi line-kat
reconnection reconnect chalu-karna jodna
tariff unit-rate per-unit unit units slab
transformer khamba pole
shutdown scheduled-cut
gas cylinder cylinders silendar lpg
temple mandir trust
donation donate donations daan chanda 80g
volunteer volunteers seva sevak
puja pooja aarti arti havan
prasad prasadam
adopt adoption god-lena
library pustakalay
membership member members sadasyata sadasya subscription subscribe
pause freeze hold hold-membership rok rokna temporarily stop-for
upgrade upgradation
equipment machine machines treadmill mashin dumbbell
diet diet-plan diet-chart nutrition nutritionist khaan-paan
weight-loss slim fat motapa wajan vajan lose-weight gain-weight
steam sauna jacuzzi
shower bath nahane nahana nahaana showers
changing-room changingroom change-clothes
shoes footwear joote
massage malish
facial facials feshial phesial
haircut hair-cut cutting baal-katwana baal-kaatna trim
haircolour hair-colour hair-color dye
waxing wax threading
bridal bride dulhan makeup make-up mekap mekup
allergy allergies allergic rash rashes sensitive reaction side-effect side-effects khujli nuksan
product products brand brands company-product
tattoo piercing
spectacles chashma chasma glasses lens lenses
eyes eye-test aankh aankhen
teeth tooth dant daant dental root-canal
vet veterinary pashu
grooming groom
vaccination vaccine tika teekakaran
insect infestation
tailor tailoring darji darzi stitching silai sil
alteration alter alterations tight loose dheela fitting-change
measurement measurements naap nap size-guide
blouse lehenga suit saree sari kurta kurti
farmer farmers kisan kheti farming
seed seeds beej
fertiliser fertilizer khaad khad
crop crops fasal
mandi market bazaar bazar
tax taxes itr income-tax gst return-file
gstbill gst-bill gst-invoice gst-number gstin
lawyer advocate vakil court kanoon
ca accountant audit
government govt sarkari sarkaar
police thana
job jobs naukri vacancy vacancies hiring career careers rojgar work-with
salary salaries vetan tankhwah
fresher freshers without-experience no-experience bina-anubhav
night-shift night raat-ki
website site app application application-app online-portal
onlinepay pay-online online-payment
autopay auto-debit autodebit ecs nach mandate standing-instruction
recharge top-up
plan plans paik pack
slow speed buffering dheema
router modem red-light
invoice bill receipt raseed rasid bill-copy pakka-bill
tds form16 form-16 interest-certificate
cashback-offer cashback
warranty guarantee guaranty gaurantee waranti garanti
amc annual-maintenance yearly-contract
complaint complain complaints complained shikayat shikaayat grievance escalate escalation
feedback review reviews rating ratings suggestion sujhav
manager manager-se senior-officer supervisor
callback call-back call-me phone-karo call-karo
whatsapp watsapp
email mail e-mail
landmark paas-me opposite
branch branches shakha shakhayen
sunday sundays weekend weekends ravivar itvar
saturday saturdays shanivar second-saturday
weekday monday tuesday wednesday thursday friday somvar mangal mangalvar budhvar guruvar shukravar
morning early subah-subah
evening shaam sham late-evening
night raat late-night
urgent urgently express fast faster tatkal jaldi-chahiye quickly jald immediately asap
sameday same-day today aaj-hi aaj-mil today-itself
quantity kitna-maal
rentout kiraye-ka kiraya-par hire hiring-car on-rent kiraye-par kiraye-pe
safe safety cctv camera secure suraksha surakshit
privacy private confidential gopniya secret data-share
cctv cctvs camera cameras footage
wheelchair disabled divyang viklang handicapped accessible
toilet toilets washroom shauchalay
smoking smoke cigarette
name naam nam surname rename name-change
mobilenumber mobile-number phone-number number-change registered-number
dob birth-date date-of
address-proof addressproof
death died dead-person mrityu expired-person guzar passed-away nidhan late-father late-husband
divorce talaak
succession legal-heir uttaradhikari
away out-of bahar travelling holiday-absence
nobody no-one koi-nahi not-home nobody-home absent ghar-nahi
alone akela akele single
shared sharing share-room
deposit-refund security-deposit securitydeposit jamanat
noticeperiod notice-period notice vacating
curfew gate-closing in-time entry-time
cooking kitchen rasoi
weather mausam barish baarish rain raining garmi-kitni temperature
cricket match ipl score-kya india-match football-match
news khabar samachar president minister pradhanmantri mantri election chunav capital country-capital
joke jokes chutkula shayari song songs gaana gana sing film films movie movies filmy
stockmarket share-market shares sensex nifty bitcoin crypto mutual-fund
petrol diesel pump fuel cng
iphone samsung-phone vivo oppo
astrology kundli rashifal jyotish horoscope
love girlfriend boyfriend shaadi-karoge
groceries grocery kirana sabzi vegetables rice atta milk
pizza burger biryani samosa
cycle cycles bicycle saikil
train trains irctc pnr rail relgadi
bus buses
hotel hotels
sweets mithai
?why reason reasons wajah vajah karan kaaran kisliye
technician boy guy guys ladka ladke karmchari karamchari executive man sample-wala delivery-boy rider agent
processing prosesing processing-fee file-charge file-charges upfront upfront-fee
interest percent percentage parsent parcent annum byaj-dar byaj-rate rate-interest dar
reject turned-down turn-down asvikar aswikar nahi-mila denied deny refuse declined nahi-hua
bounce bounced bounces debit-failed no-balance balance-nahi cheque-return return-hua low-balance insufficient nsf
prepay finish-off pay-off close-early chukana chukaana chuka chukta settle settlement full-payment pehle-band
prepay before-time samay-pehle time-pehle waqt-pehle
partial part-payment part partly aanshik anshik bich-me beech-me thoda-pehle kuch-paise
noc nodues no-due no-dues dues-certificate nil-due anapatti no-pending nothing-pending clearance-letter praman-patra
noc letter
topup top-up top-loan aur-paise aur-paisa more-money more-loan aur-loan dubara-loan existing-loan chalu-loan
selfemployed self-employed businessman businesswoman vyavsay vyavsaay vyapar vyapari dhandha apni-dukan own-shop
selfemployed own-business freelancer trader shopkeeper dukandar udyami
salary income incomes earn earns earning kamata kamati kamai aay aamdani selri tankha package-kitna
limit highest maximum zyada-zyada jyada-jyada adhiktam maximum-amount most upto
minimum kam-kam lowest least nyuntam nyoontam minimum-kitna at-least
score cibil sibil cibil-score credit-score kredit-skor skor bureau
status stage progress kahan-tak kaha-pahunchi pahuncha-kya chek-kare
emi instalment installment kist kisht kishten kisten kiston monthly-payment
date tarik tareek tarikh date-aage
auto debit-date
account khata khate a/c
maintenance mentenance maintanence mentinance maintainance maintenence mainten
water tap taps nal nalka
stuck atak atki atka phas phansi fasi trapped
broken kharab band-padi band-pada stopped stops-working not-work chal-nahi toot tut fault faulty ruk
lift elevator elevators
helpline ring kisko kise kisse
plumber sink basin drain drainage pipe-leak tapak tapakta commode
electrician fan fans switch switches mcb fuse wiring tubelight short-circuit bijli-mistri
parking basement stilt khadi khada lagwaye lagaye lagaun lagana allot alot allotment parking-slot
guest relatives relative mehmaan rishtedar guests-car aaye-hain
tenant renting rent-out letting tenent tenents kirayedaar kiraye-pe kiraye-par
sell buyer buyers selling sold beche bech bechna
wedding sagai engagement function party celebrate celebration celebrating karyakram samaroh samaaroh event events
wedding birthday jagran katha
renovation renovate renovating civil wall walls tiles tile todfod tod-fod break-wall interior marammat
renovation furniture-work toda
permission permision permissions anumati ijazat allowed mandatory compulsory
gatepass gate-pass entry-card entry-pass pass-banwana
maid bai kamwali kaamwali domestic domestic-help house-help sahayak cook
office karyalay karyalaya daftar
garbage kuda kooda kachra kachre kude trash waste
swim tairaki tairna swimming pool
gym jim
printed print prints chhapi hardcopy hard-copy paper-copy kagaz-par printout hard
thyroid tsh t3 t4 thairoid thayroid
bloodcount cbc sibisi blood-count complete-blood haemogram
lipid cholesterol kolestrol triglyceride
fasting empty-stomach khali-pet bhuke bhuka bhukhe-pet tea chai nashta kuch-kha khake kha-sakte eat-before naashta
homecollection draw-blood khoon-lene khoon-lena blood-collection sample-lene sample-lena come-house ghar-bhejna
homecollection ghar-sample home-sample come-place my-place
delayed delay late still-waiting waiting abhi-tak ab-tak not-yet promised nahi-aayi nahi-aaya nahi-aya pending
noshow showed-up not-come nobody-came nobody-showed koi-nahi aaya-nahi nahi-pahuncha didnt-come intezar intezaar
noshow starving
accredited accreditation nabl certified recognised recognized manyata manyata-prapt iso licensed registered-lab
accredited approved-lab
understand values abnormal samajh explain samjha salah advice sujhav
cancel called-off call-off kensal cansel cancle kancel
postpone parso parson shift-booking slot-change
senior pitaji dadi dada nani nana buzurg buzurgo bujurgo varishth nagrik senior-citizen 60 65 68 70 72 75
discount chut chhoot chhut kam-hoga kuch-kam riyayat concessions rebate
open khula khuli khulta khulti working-hours
price rupaye rupay rupees rs kitne-rupaye kitne-me kitne-ka kitna-lagta charj kharcha sab-milakar
refund paise-wapas money-back paisa-vapas wapas-kab paise-kab see-money rifand
wrong galat incorrect misprint printed-wrong jagah-likha spelling-mistake
correct fix theek-karo sahi-karo sudhar
warranty guarantee garanti
data photos contacts
water-damage paani-gir bheeg
buyback exchange-old old-phone purana-phone
accessories cover covers charger chargers earphone earphones case cases tempered
unlock pattern frp screen-lock
charging charge charging-port charge-nahi chaarj
speaker mic sound awaz aawaz
camera lens-broken
hang hanging slow-phone software update-software format virus
original-part original-parts duplicate-part
substitute replacement-item badle-me alternative dusra-item
missing-item kam-aaya item-missing chhoot-gaya missing
expiredproduct expired-item expired old-stock sada sadi rotten kharab-nikla stale smelling badbu
weight tol kam-tola less-weight
freshness fresh taza taaza
minimumorder minimum-order min-order kam-order
slot delivery-slot time-slot delivery-time kitne-baje
tip tips
contactless
wallet wallets
syllabus portion chapters
fees fee fis
scholarshiptest scholarship-test entrance entrance-test pravesh-pariksha
attendance haziri
mocktest mock-test test-series series
studymaterial study-material notes booklet
doubtclass doubt-session doubt-class
parents parents-meeting ptm
batchchange batch-change change-batch
installments kist-me
dropout leave-course chhod
library reading-room
results toppers
`
