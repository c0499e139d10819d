package faq

// askRows are the words that say what is asked of a thing, a row each. Every entry is a question, so they say little.
const askRows = `
?when when kab kis-din
?how how kaise kese hows want-to karna-hai karni-hai process procedure steps tarika
?much how-much how-many kitna kitni kitne how-long
?why why kyu kyun kyon
?who who whom kaun
?where where kahan kaha kidhar
`

// ideaRows are words for the same, a row each: of English, and of Hindi in Latin letters. A word of two parts has a
// hyphen.
const ideaRows = `
self gym clinic hospital salon parlour hotel shop store showroom office coaching institute agency company centre
self center school restaurant cafe bank outlet branch dukan dukaan sansthan kampani lab laboratory studio academy
self classes
greeting good-morning good-evening good-night good-afternoon good-day shubh-prabhat su-prabhat namaste namaskar
greeting pranam thank-you shukriya dhanyavad dhanyawad thanks-lot bye welcome salam
identity id id-card id-proof aadhaar aadhar adhar aadhaar-card aadhar-card pan-card pan pancard passport voter
identity voter-id pehchan pahchan identity
brand brand brands lg samsung sony whirlpool godrej ifb voltas daikin hp dell lenovo vivo oppo redmi realme iphone
brand apple maruti suzuki hyundai honda hero bajaj tata mahindra toyota kia loreal wella company-product
price rate rates kitne-ka kitne-ki kitna-lagega kitne-paise cost costs charge charges fee fees kimat keemat daam dam
rupaye rupees amount kharcha kharch
pay paid payment payments bhar bhare bharu bharna bharni bharne bhugtan gpay upi paytm phonepe
money paisa paise cash rakam
refund money-back paise-wapas paisa-wapas back wapas vapas returned lauta
return returns lautana lauta lautao lautane wapas
cancel cancellation close closed stop discontinue terminate band radd khatm end
change changed update updated edit modify correct badal badalna badalni badle badlu badlna badli badla
new naya nayi naye fresh
slow slo dheema dhima dheere speed
broken down dead kharab kharaab toota tooti tuta band-pada faulty defective damaged kaam-nahi not-working nahi-chal
stopped
late delay delayed der deri miss missed
due last-date aakhri akhri aakhiri due-date antim deadline
date tarikh tareekh din
time taim timing timings hours hour samay baje
open opens opened khula khuli khulta khulti khulte khulega khulegi
office branch shakha daftar dukan center centre
address pata location jagah place thikana workplace directions map
phone mobile number contact helpline call customer-care
person human agent operator someone insaan aadmi vyakti executive representative
complaint complain shikayat problem issue dikkat samasya pareshani
document documents paper papers kagaz kagzat kagaj proof dastavej certificate
invoice bill receipt rasid raseed
reject rejected declined refused thukra khareej reject
status result outcome what-happened kya-hua natija natija progress selected selection chuna chune
buy purchase kharidna kharid
move moving shift shifting shifted relocate transfer sthanantaran
house home flat ghar makan
friend neighbour colleague dost padosi
reward bonus gift inaam refer referring referral
family baby babies infant kid kids bacho bachon baccho bacchon parents wife husband children child mother father
mummy papa pati patni bachche bachcha mata pita biwi
job naukri work kaam rozgar
salary pay tankhwah tankha vetan tankhvah stipend income
leave leaves holiday holidays off offs chutti chhutti chhuttiyan avkash
food lunch dinner meal khana khane canteen
room hostel accommodation stay rehne rahne rehna rahna kamra
bus pickup transport cab conveyance
experience experienced anubhav fresher freshers
education qualification graduate graduation padhai padhai padha study degree pass tenth class dasvin
age old years umar umra umr saal
women woman girls girl ladies female mahila mahilaye mahilaen ladki ladkiyan aurat
start begin join joining shuru
interview sakshatkar
bring carry lana lane laana laane
day another-day kisi-aur dusre doosre
resume cv biodata bayodata
illness disease diseases sickness bimari beemari diabetes sugar bp
hospital hospitals aspatal clinic
pregnancy pregnant maternity prasav janm
accident accidents durghatna
teeth dental tooth glasses spectacles daant chashma
tax taxes kar-chhut 80d
discount discounts chhut chhoot off
renew renewal renewed navinikaran
wait waiting intezar intezaar intazar
senior elderly budhape bujurg
light batti lal laal red
visit visits technician mechanic engineer
limit limits limited unlimited seema sima cap max maximum allowed allow adhiktam
deposit security jamanat
download copy pdf soft-copy prati
upgrade downgrade
internet net broadband connection-net
join-add add jod jodna jodne jod-sakte include
covered cover covers coverage kavar shamil
claim claims dava daava
free muft mufat
talk speak chat baat connect
apply application aavedan avedan apply-karna
student students pupil pupils learner vidyarthi chhatra
teacher teachers faculty tutor trainer trainers instructor instructors coach shikshak adhyapak
teach teaches learn study studies training coaching coach course courses padhana padhate padhte sikhna sikhate
sikhana taiyari tayari
class classes lecture lectures session sessions kaksha
books notes material kitab kitabe kitaben kitabein
test tests exam exams pariksha
doubt doubts query queries sawal prashn puchna pucho
trial demo sample
admission admissions enrol enroll enrolment enrollment dakhila registration register join
month monthly mahina mahine mahinaa maheene
year yearly annual saal varsh
week weekly hafta hafte saptah
instalment instalments installment installments emi kist kisht kiston kisto
bag bags luggage baggage saman samaan suitcase
parcel courier box packet package
pet pets dog dogs cat cats animal animals kutta kutte billi janwar paltu
bed beds sleeper berth berths sona sone
toilet toilets washroom bathroom restroom
ac aircon air-conditioned air-conditioner
repair repairs fix fixed mend mended thik-karna banwana banwani banwa marammat
clean cleaning wash washing safai dhulai dhona
warranty guarantee guaranty garanti
original genuine asli authentic
technician mechanic mistri karigar engineer electrician plumber
city cities town shahar shaharon
area areas locality ilaka ilake ilakon colony nagar region
wedding marriage shaadi shadi baraat barat party event function
alone akela akeli akele solo
seat seats
travel journey trip yatra safar
ticket tickets
sell selling bechna bechni beche
used purana purani purane second-hand secondhand
fit fitting fitted install installation installed lagwana lagwani
remove uninstall dismantle utarwana utarna utar
forgot forget bhul bhool forgotten
reach reached arrive arrived arrives arrival pahuncha pahunchi pahunche pahunchega
miss missed chhut chhoot chhoota choot chut
van shuttle
son daughter beta beti
evening shaam sham
morning subah savere
night raat rat
today aaj same-day
sunday ravivar itvar itwar weekend
doorstep
return exchange replace replacement
size sizes fitting naap
colour color colours colors rang
delivery deliver delivered deliveries shipping ship shipped
order orders
product products item items
restaurant table reserve reservation
guest guests mehman
breakfast nashta
swim swimming pool
gym workout exercise kasrat
hair haircut baal
skin twacha face facial
massage spa
vegetarian veg shakahari
loan loans karz rin
interest byaj
gold jewellery
account accounts khaata
blocked block locked freeze
lost stolen gum chori kho
password pin passcode
app
website site portal
email mail
photo photos picture pictures tasveer
hall venue
measurement
stock uplabdh
lowest
member membership memberships sadasyata
pause hold
personal
shoe shoes joote
locker lockers
shower
towel towels tauliya
checkin check-in
checkout check-out
view balcony
eat eating khana khaana
drink drinks alcohol sharab
smoke smoking cigarette
water pani paani
electric electricity bijli
rent kiraya fare tariff
owner malik
law legal kanooni
visa passport
flight flights airport
train station
medicine medicines dawai dawa dawaiyan
report reports
doctor doctors daktar
patient patients mareez
blood khoon
vaccine vaccination vaccines tika teeka injection
fever bukhar
eyes eye aankh
parking park
vehicle car cars gaadi gadi bike
lift elevator
staff team employees karmchari
diploma
project projects
recording recordings recorded
leak leaks leaking leakage tapak risav ris tapakna
smell smells odour badbu badboo mahak
fire flame aag lau
empty finished over khatam khaali khali
less lesser lighter short shortage kam kami under
more extra additional zyada jyada adhik atirikt add-on
second another dusra doosra dusri doosri double dono
small smaller chhota chota chhoti choti mini little tiny
big bigger large larger bada badi bade
tight tang chust
stitch stitching sew tailor tailoring silai silna sil silwana darzi alteration
cloth clothes fabric kapda kapde kapdo cotton silk sooti linen
fade bleed nikalta niklega nikalega utarta utrega
hole torn tear damaged defective phata fata phati fati chhed kata cracked scratch tuta
wholesale thok bulk reseller dealer distributor boutique
abroad foreign international overseas videsh dubai london usa uk canada country countries
wrap wrapping pack packing packaging
restaurant hotel dhaba cafe commercial
faulty malfunction
credited jama deposited
pipe hose tube nali
stove burner chulha chulhe
shop store stores showroom shops outlet
name naam
surrender deactivate disconnect
syllabus curriculum pathyakram
marks score percentage percent pratishat ank grade
school vidyalaya skul college university
uniform dress kurta suit saree shirt
timetable schedule routine
menu dish dishes
spicy teekha masaledar mirch
table seating
bridal bride dulhan makeup mekap
mehndi henna
diet nutrition ahaar
slim weight-loss patla motapa wajan vajan
points loyalty
kyc verification verify satyapan
aadhaar aadhar adhar
pan pancard
statement vivran passbook
cheque chequebook
atm debit
cibil
foreclose prepay preclose prepayment foreclosure
guarantor jamin
eligible eligibility patra yogya qualify
income aay
flat apartment bhk
plot land jameen zameen
possession kabza
registry rajistry
broker brokerage dalali commission
maintenance rakhrakhav servicing
service services seva
spare parts part purja purje
battery batteries
screen display
charger charging charge-hona
heating heat garam
cooling cold thanda thandi cool
noise sound awaaz aawaz shor
tanki
fragile nazuk
customs duty
pickup-point boarding board stop
route routes rasta raste
driver chalak
fuel petrol diesel
toll
helmet
license licence dl
fine penalty jurmana
police
emergency urgent urgently turant jaldi immediate immediately apatkal
safe safety suraksha surakshit secure
hygiene hygienic saaf
quiet
couple couples unmarried
group groups
birthday janmdin anniversary
hall banquet lawn
decoration decor sajawat
catering caterer
dj music sangeet
photographer photography
invitation
priest pandit pooja puja
temple mandir
donate donation daan
prasad
volunteer
flower flowers phool
cake
voucher vouchers gift-card coupon coupons
brand brands company companies kampani kompany
weight weighs heavy bhari kilo kg kilogram
length lambai meter metre
height unchai
width chaudai
quality gunvatta
taza taaza
organic jaivik
expiry expire expired
frozen
milk doodh
egg eggs anda ande
meat chicken mutton
allergy allergic
nuksan
pain dard
operation surgery
ward
scan mri ct xray x-ray ultrasound sonography
prescription parcha parchi
specialist visheshagya
nurse attendant
ambulance
discharge
visitor visitors milne
insurance bima mediclaim cashless policy
nominee namit vaaris
maturity paripakvata
rider
death mrityu
hybrid wfh remote online ghar-baithe ghar-se
fulltime permanent
part-time parttime
intern internship
contractual contract theka anubandh
bond
target targets
incentive incentives
pf epf provident
esi esic
overtime
shift shifts
laptop computer
typing
english angrezi
language bhasha medium
reading
speaking
mbps
router modem
cable wire taar
tower signal network
recharge topup top-up
sim esim
port mnp
roaming
ott netflix prime hotstar
data gb
activate activation chalu
validity
balance bakaya baaki baki
autopay mandate
`
