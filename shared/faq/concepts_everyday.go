package faq

// everydayConcepts are words for the same, as ideaRows are: everyday words in which customers tell what they need and
// what has happened, in English and in Hindi.
const everydayConcepts = `
ask ask answer reply respond response enquiry enquiries query question doubt poochna puchna puchhna jawab javab jawaab
ask uttar sawal sawaal prashn
help help assist assistance assistant guidance aid rescue struggling struggle sahara madat sahayata-karo samajh-nahi
complaint complaint apologise apologize apology sorry blame fault-your unacceptable disappointed disappointing
complaint horrible terrible pathetic ridiculous lousy worst awful frustrating frustrated annoyed annoying irritating
complaint irritate angry furious fed-up hopeless useless ghatiya bekar bekaar bakwas pareshan pareshaan tang dukhi
complaint gussa khafa shikwa shikayaten consumer-court legal-action unprofessional irresponsible laparwah laparwahi
complaint lapervahi
rude rude impolite polite shouted shouting yelled arrogant insult insulted misbehaved behaviour attitude abused
rude unfriendly chillaya chillana daant daanta badtamiz tameez tamiz gandi-bhasha ladai jhagda
good good nice excellent wonderful pleased glad satisfied satisfaction happy badhiya badiya shandar shaandar mast umda
good lajawab khush khushi
price price spend spending afford quotation quotes valuation paisa-kitna expense expenses expenditure kharche fare
price bhada bhaada bhade laagat lagat keemten kimten charges-kya damage-cost total-amount lumpsum lump-sum estimate
price anumaan andaza hisaab hisab
pay pay spend spent settle settlement clearing paid-already chukaya chuka-diya bhara bhar-diya jama-kiya jama-karna
pay jama-karwana de-chuka paying payable chukta bhugtaan
cash cash currency coins sikke change-coins khulle khulla
money money amount sum funds rashi raashi rakme dhanrashi
refund refund reimburse reclaim recover money-return paisa-lautana lautaye lauta-do lautaoge vapsi wapsi vaapsi wapasi
refund paise-vapis vapis waapas
deduct deduct deduction withheld cut-off subtracted katauti kaatna kaatoge kaatte kat-jayega kat-jata kat-liya
deduct kaat-liya
extra extra surcharge hidden additional-fee besides topping atirikt alawa alaava upar-ka
overcharge overcharge expensive-bill double-billed overbilled too-much loot lootna loot-rahe thaga
free free complimentary gratis costless zero waive waived waiver bonus muft-mein maaf maafi
due due owe owed owes owing arrears unpaid dues bakaaya bakaya udhari udhaari
late late tardy behind overdue belated lagging delaying postponed-again vilamb deri-se ruk-ruk kitni-der
fine fine punishment penal penalise penalty-amount jurmaana dand saza
discount discount cheaper-price reduced rebate markdown bargain loyalty-discount riayat riyaayat kifayat sasta-karo
discount kam-kar ghata ghatao lowest-price bhav-kam negotiate negotiable
instalment instalment instalments tukde tukdon hisson thode-thode mahine-mahine
deposit deposit upfront initial-amount downpayment pledge girvi rakhwana advance-amount pehle-paisa peshagi
loan loan borrow borrowed lend lent debt overdraft credit-limit udhar karz karja karja-lena
interest interest byaaj sud rate-percent percentage annual-rate
profit profit earn earned earnings benefit gain munaafa fayda faida labh kamai kamana
salary salary wage wages payday income earning tankha tankhwa pagar pagaar mehnatana
account account ledger passbook-entry khaata khate
bill bill receipts invoices raseed-chahiye bilti parchi hisab-kitab statement
tax tax taxpayer kar-lagta
hours hours timings schedule daytime lunchtime closing-time samay-kya baje bajay oclock noon half-past ghadi khulne-ka
hours band-karne
morning morning dawn sunrise bhor tadke subha subeh savera
evening evening sunset dusk saanjh shyam
night night midnight midnight-time aadhi-raat der-raat rat-ko
today today tonight now-itself aaj-hi abhi-chahiye
tomorrow tomorrow kal-subah parso parson
week week fortnight weeks-time saptaah haftey hafton
month month quarter quarterly months-time maheene mahino mahinon maah
year year annually yearly decade saalon salon varshon
period period term tenure timeframe span interval timescale muddat miyad miyaad avdhi samay-seema
duration duration lasting temporary temporarily long-term short-term permanent permanently kitne-mahine
longtime longtime forever lifetime permanent always years-together hamesha sada zindagi-bhar jeevan-bhar umar-bhar
longtime lambe-samay kaafi-samay
wait wait waiting patience hold-on rukna intjar intajar intzaar intezaar pratiksha queue-long line-lambi lineup
late late slowly sluggish dheere dhire susti
urgent urgent hurry rush rushed quickest asap instantly immediate jaldi-se jald jhatpat fatafat fataafat foran
urgent turant-chahiye emergency-need zaruri-kaam
early early earlier premature beforehand pehle-se
often often frequently occasional occasionally rarely seldom regularly kabhi-kabhi aksar baar-baar bar-bar
schedule schedule calendar timetable agenda planned routine karyakram samay-saarni
date date dates deadline-day taarikh tarikhein tithiyan
first first initially primary starting-time pehlaa pratham shuruaat
last last final finally ultimate antim akhri aakhri
new new newest fresh-one modern latest naya-wala nayee nayi-wali
old old ancient outdated obsolete puraani puraana purane-wala second-hand preowned pre-owned secondhand
used used previously-used used-one istemal istemaal upyog prayog ishtemal
address address place-where situated location-pin headquarters thikana sthan sthaan jagah-kahan pata-bhejo
near near adjacent nearby-place closest close-by paas-wala aas-pass nazdeek nazdik karib kareebi
far far faraway remote-area kitna-dur lamba-raasta
outside outside beyond elsewhere bahar-gaon doosre-sheher dusre-shehar
area area region territory locality-name district rural urban suburb pradesh rajya zila jila gaanv gav basti kasba
area mohalla tehsil shaher shaharon sheher shahar
city city delhi mumbai bombay pune nagpur nashik thane surat ahmedabad vadodara rajkot jaipur jodhpur udaipur kota
city lucknow kanpur agra varanasi banaras allahabad prayagraj patna gaya ranchi dhanbad kolkata howrah bhubaneswar
city guwahati bangalore bengaluru mysore chennai madras coimbatore hyderabad vizag kochi cochin trivandrum goa indore
city bhopal gwalior ujjain jabalpur raipur chandigarh ludhiana amritsar jalandhar noida gurgaon gurugram faridabad
city ghaziabad meerut dehradun haridwar shimla manali srinagar jammu
road road street avenue highway-road sadak gali raasta rasta marg chauraha crossing
reach reach arrive-there get-there find-you pahunchna pahuchna pahunchne pahuchne aana-kaise directions-to
shop shop market-place kirana-shop dukaan dukaane
home home residence household makaan niwas ghar-pe gharpe ghar-par flat-pe
floor floor ground upstairs downstairs storey manjil manzil mala tala
room room bedroom hall-room kamraa kamron kaksh
bed bed mattress cot palang khat khatiya gadda gadde bistar
furniture furniture sofa couch cupboard wardrobe almirah almari almaari table desk chair stool bookshelf shelf rack
furniture kursi mej mez farnichar furnichar diwan
door door window gate-main darwaaza khidki khidkiyan
building building tower-block complex-building imaarat bhavan
kitchen kitchen stove-top rasoi-ghar chulha bartan utensils vessel vessels
bathroom bathroom latrine-room washbasin basin gusalkhana snanghar nahani
person person anybody somebody vyakti insan bande banda
man man gents male ladka ladke purush mard aadmi
woman woman ladies female ladki ladkiyan mahila aurat stree girl girls
child child infant toddler newborn baby kids-small bachcha bachche bachchi baccha bacche bachhe shishu nanha munna
child teenager teenage
family family relative relatives cousin uncle aunt brother sister husband wife spouse parent pati patni biwi
family bhai-behen behan didi-bhai rishtedaar parivaar gharwale ghar-wale mummy-papa saas sasur bahu
senior senior elderly aged old-age grandparents grandfather grandmother buzurg bujurgon budhapa vridh vruddh dada dadi
senior nana nani pitaji mataji
friend friend buddy colleague colleagues dost doston saheli yaar mitra saathi sathi
guest guest visitors visiting-relatives atithi mehmanon mahman mehman mehmaan
neighbour neighbour neighbours padosi padosiyon neighbor
owner owner landlord landlady proprietor makan-malik makaanmalik maalik
staff staff employee employees crew team workers worker karmchari karamchari naukar nokar helper helpers aadmi-bhejo
staff ladka-bhejo banda-bhejo your-person your-people your-guy your-boy your-man aapka-aadmi aapka-ladka aapke-log
technician technician repairman serviceman mechanic-guy kaarigar engineer-saab mistry mistri-bhejo
expert expert specialist professional specialised visheshagya maahir jankar jaankaar
experience experience experienced skilled expertise trained-staff anubhavi tajurba tajurbedar seekha-hua
teacher teacher tutor lecturer professor faculty guru adhyapak shikshika master-ji masterji sir-kaun
doctor doctor physician surgeon paediatrician pediatrician gynaecologist gynecologist vaidya hakim daaktar daktar
doctor doctor-sahab
nurse nurse caretaker attendant attendants caregiver sister-nurse aaya ayah dekhbhal dekh-bhal dekhrekh dekh-rekh
driver driver chauffeur chaalak driver-bhaiya
maid maid cook-lady housekeeper domestic-help kaamwali naukrani jhadu pocha
guard guard watchman security-man chowkidar chaukidar pehredar
customer customer client clients consumer graahak grahak
patient patient sick-person rogi mareej mariz mariij
begin begin commence starting-from shuru-hona shuruat chaalu shuru-kab
stop stop halt quit quitting discontinue-service terminate abort permanently-stop hata-do hatao hatana band-kar
stop rukwana rukwao bandh samapt khatam-karna
pause pause suspend interruption halt-temporarily vacation-hold viram kuch-dino
leave leave depart departing exit vacate-flat chhod chod chhodna chodna chhodke chala-jaunga nikal-raha
continue continue proceed ongoing keep-going jaari zari chalu-rakhna aage-bhi chalta-rahe
extend extend prolong extension lengthen stretch badhwana badhwa aage-badha aur-rakhna aur-din rakhna-chahta
renew renew reactivate restart resume-plan punah-shuru phir-chalu dobara-chalu
keep keep retain retaining hold-onto keep-it own-it apne-paas rakh-lu rakhlu rakh-sakte rakh-lo
buy buy purchase purchasing acquire own-forever khareed kharidna khareedna kharid-lu kharidni mol-lena lena-hai
buy khariddari khridna
sell sell selling sold-to bechna bechni bikau bikaau bik bikri
give give hand-over distribute provide-me de-dena saunpna supurd
take take grab collect-it le-jaana le-jao lijiye uthana utha-lo uthwana uthva utha-lena uthao
return return take-back hand-back lautaana lautana vaapas vapas-bhejna wapas-bhej loutana
pickup pickup collect-from come-collect take-away haul uthwane lene-kab lene-aaye le-jaye collect-karo
exchange exchange swap substitute replace-it another-one different-one something-else adla-badli badal-do badalkar
exchange badli badalwana badalwa doosra-chahiye dusra-chahiye alag-wala
change change alter modify modified modification amend edit-it switch-to convert conversion parivartan badlav
change badalna-hai tabdeel
correct correct fix-mistake rectify amend-name correction sahi-karna sahi-karwana sudhaarna galti mistake error-in
correct typo wrongly
wrong wrong incorrect mistaken erroneous mistakenly galat-hai galti-se gadbad gadbadi
cancel cancel call-off scrap-it withdraw-order drop-it back-out changed-plan iraada-badal nahi-lena nahi-karna ab-nahi
cancel man-badal
choose choose pick-one select-one prefer preference preferred favourite favorite option chunna chun pasand-se choice
choose apni-pasand
agree agree accept accepting consent-given sehmat raazi raji maan-jana
refuse refuse refused decline declining disagree objection inkaar inkar mana-kar
reject reject declined disapproved turned-down not-approved unsuccessful khaarij manzoor-nahi
approve approve sanctioned granted permission-given pass-ho mil-gaya swikrit
permission permission permitted permissible allowing may-i ijaazat anumti chhoot-hai kar-sakte sakte-hain chalta-hai
forbidden forbidden illegal ban barred prohibited banned not-permitted mana-hai varjit
policy policy terms-conditions conditions clause norms guidelines niyamavali shartein sharten
agreement agreement deed bond-paper contract-paper likhit qaraar karar
document document documents-needed papers-required proofs paperwork kaagaz kagzaat kaagzat dastaavez
document certificates-needed praman-patra pramaan
identity identity identification id-needed verify-identity pahchaan-patra
form form application-form farm-bharna form-bharna aavedan-patra avedan
sign sign signed signing hastaakshar dastkhat
verify verify checking-documents authentic authenticate jaanch-karna parakh satyaapan
check check inspect inspection examine checking-it jaanchna janchna dekh-lena
eligible eligible qualify qualified eligible-for suitable suitability ke-layak yogyata paatrata hakdar
lost lost misplaced missing-thing vanished disappeared gum-ho gumshuda gayab-ho kho-diya kho-gayi
theft theft thief thieves robbed robbery burglary stole stealing chor chori-ho chura-liya churaya loot-liya snatched
fraud fraud cheating deceived fooled trick bogus thagi dhokhebaaz dhokhebaji farzi farji nakli-call
damaged damaged wrecked ruined shattered smashed chipped bent dented cracked-screen scratched chew chewed ripped tore
damaged peeled burnt burned snapped tuta-hua toota-hua tod todi todna tod-diya tut-gaya phaad phat-gaya khrab
damaged kharab-ho chot-lagi nuksaan nukasan bigaad bigad-gaya jal-gaya jala pighal
broken broken fractured snapped-off tooti tuti tutne tutaa
notworking notworking malfunction dead faulty-unit wont-start doesnt-start stopped-working not-starting hang hanging
notworking crash crashed frozen-screen kaam-nahi chal-nahi nahi-chal chalu-nahi chalti-nahi start-nahi on-nahi
notworking theek-nahi bandh-pada band-pada kharab-hai khrab-hai band-ho
repair repair fix fixing mend restore overhaul theek-karo thik-karo theek-kar sudharo marammat-karo banwa-do
leak leak leaking dripping seepage tapak tapakna rissav risaav ris
noise noise loud-noise sound-coming awaaz awaz aawaz shor-sharaba khat-khat
clean clean cleaning hygiene-level tidy tidied dirty filthy unclean ganda gandi gandagi saaf saaf-suthra safaai safai
clean swachh dhool dust dusty wipe sweep scrub keetanu sanitise sanitize sanitised sanitized
smell smell stink stinking odour odor badbu badboo mahak khushboo
pest pest insects cockroach cockroaches ants mosquito mosquitoes rats rat mice termites deemak chuha chuhe machhar
pest makkhi cheenti keede kide khatmal
hot hot heated overheating garmi garam-ho tapta
cold cold chilly freezing thand thandak sardi thanda-nahi cooling-nahi
summer summer garmiyon garmiyan grishm
weather weather rain rains rainy monsoon flood storm barish baarish baadh toofan aandhi winter sardiyon season mausam
fire fire burning caught-fire aag aag-lag
accident accident collision crash-happened injured injury hurt takkar durghatna haadsa chot chot-lag
emergency emergency critical life-threatening ambulance-need apatkal aapaatkaal aapatkaalin
safe safe protected harmless risk-free reliable dependable surakshit-hai khatra khatarnaak dangerous danger risky
safe unsafe hazard bharosa bharose vishwas
trust trust honest honesty trustworthy bharosemand imaandar imandar eemandar vishwasniya
privacy privacy personal-details anonymous confidential-info leak-my misuse gopniyata
quality quality standard inferior superior finest premium-quality durability ghatiya-quality achchi-quality pakka
quality mazbut tikaau
genuine genuine authentic-product original-hai asli-hai nakli-to real-one fake-one
fresh fresh stale rotten mouldy spoilt baasi basi taaza sada-hua sadaa kharab-khana
taste taste delicious tasty tasteless bland swad swaad swadisht
food food cuisine dish meals-food khaana bhojan khana-peena khane
meal meal breakfast-lunch dinner-time lunchbox dabba nashte
drink drink beverage beverages peena peene sharbat
veg veg pure-vegetarian shakaahari bina-pyaaz bina-lehsun onion garlic
nonveg nonveg chicken mutton fish meat-dish maans machli murga anda ande
allergy allergy itching itchy allergic-to rash-on khujlee khaaj dane daane
illness illness sick unwell disease infection symptom symptoms beemar bimaar bimari beemari tabiyat tabiat rog
pain pain ache aching hurting dukhta dukh-raha dard-hai peeda takleef taklif
fever fever temperature-high bukhaar bukhar viral
medicine medicine tablet tablets pill pills syrup dose goli goliyan davai dawaai dava
appointment appointment slot-book consult consultation time-milega milne-ka number-lagana parcha-banwana
surgery surgery operate operated chir-faad apreshan
pregnant pregnant expecting maternity garbhvati garbh delivery-baby prasav
death death die dying demise funeral maut guzar-gaye chal-base swargwas dehant
weight weight kilograms kilos-heavy wazan vazan bhaari
size size dimension length-width large-size lambaai chaudaai unchai uchai oonchai medium-size naap-jokh fit-hoga
size tight-hai dheela-hai
shape shape round square aakar
colour colour shade-colour green yellow brown grey gray white black golden rang-kaun hara peela laal neela safed kaala
colour gulabi bhura
quantity quantity amount-of pieces-count kitna-maal maatra matra ginti sankhya
few few only-one single-piece sirf-ek ek-hi akela-item thoda-sa kam-saman just-one only-two
more more extra-one additional-one aur-chahiye zyada-chahiye aur-bhi
less less fewer reduce-quantity kamti kam-ho kam-hai kam-mila ghat ghatana
big big huge enormous spacious bada-wala badi-wali badaa
small small compact-one mini chota chhota-wala choti
half half quarter-part aadhi aadhe adhi
double double twice dugna doguna do-baar
bulk bulk wholesale-quantity in-large hundred hundreds thousand pachas sau-log thok-mein ikattha
group group gathering batch-of team-outing jhund mandali toli
together together jointly combined saath-saath milkar
separate separate separately individually alag-alag
alone alone individual solo akele akeli
start start launch kickoff aarambh
order order placed-order ordering mangaana mangvana mangwaya mangaya mangwa mangai mangaai manga order-diya
delivery delivery dispatching shipment-arrive ghar-tak pahuncha-do pahunchaoge bhijwa bhijva bhijwao bhejoge pohcha
delivery pahucha pahuchana drop-at
notarrived notarrived never-came hasnt-come not-delivered nahi-pahucha nahi-pahunchi nahi-aayi pohcha-nahi
track track whereabouts where-reached kahan-pahuncha kidhar-hai
missing missing part-missing incomplete not-included chhut chhoot-gaya adhoora kam-nikli ek-kam nadarad
packing packing carton cartons wrapping boxes-for bubble-wrap dibba dibbe peti
gift gift birthday-present anniversary-gift surprise-for bhent tohfe uphar
invite invite invitation-card nimantran nyota
wedding wedding nuptial shaadi-ke vivaah byah biyah marriage-function
event event occasion ceremony function-at celebration utsav samaaroh jashn dawat daawat
festival festival eid christmas navratri durga-puja ganpati ganesh rakhi raksha-bandhan karva dussehra tyohaar parv
music music songs-sing sangeet gaana gaane
photo photo photograph-of picture-send photos-of tasveeren foto
video video film clip recorded
copy copy duplicate-copy scan-copy another-copy nakal
certificate certificate pramaanpatra sartifiket
result result outcome-of marks-got nateeja natija parinaam
exam exam paper-test pariksha-kab imtihaan imtehan test-series
course course programme program-study paathyakram kors
class class lesson session period-class kaksha path
book book textbook textbooks pustak pustakein kitab kitaab kitabein copies-notebooks
learn learn studying padhna padhai padhaai padhna-hai sikhna-hai seekhna-hai shiksha
admission admission enrol-my seat-get daakhila dakhila-kab bharti-karna
join join jud judna-hai shamil-hona
trial trial sample-class try-out taster test-it pehle-dekh azmana aazmana aajmana
see see look-at view-it inspect-before dekhne dekhna-hai dikha dikhao dikhana dikhaiye dekh-sakta
show show display-of demonstration pradarshan namuna
compare compare contrast versus farq fark antar-kya better-which kaunsa-behtar
recommend recommend advise suggest suggestion advice salah salaah sujhaav rai raay
reason reason cause why-is wajah-kya kaaran vajah
understand understand clarify clarification samjhao samjhana samajhna samajh
method method procedure-for process-of steps-to vidhi prakriya tareeka tarika-kya
possible possible feasible sambhav mumkin ho-payega ho-jaega
available available obtainable in-hand maujud uplabdhta milta-hai milti-hai
stock stock out-of inventory khatam-ho bacha-hai
reserve reserve rok-lo rakhwa
job job vacancy-in employed unemployed hire-me naukari nokri rozgar rojgaar kaam-chahiye kaam-milega
interview interview interview-date saakshatkar sakshatkar
resume resume cv biodata bio-data
business business entrepreneur startup start-up enterprise firm workplace karobar vyapar vyavsay dhandha udyog
business company-ke
office office workspace workstation workstations cubicle cubicles daftar-ke karyalay
partner partner collaborate collaboration tie-up joint-venture dealership-lena sajhedar saajhedari
government government official-scheme sarkari-yojana
police police fir-lodge thaane pulis
lawyer lawyer legal-advice solicitor advocate-vakeel kanooni kanuni mukadma
insure insure insurance-on policy-cover beema bima-hai covered-for coverage
claim claim compensation compensate compensated mua muaavza muavza bharpai bharpaai harjana bhugtan-claim
bank bank branch-bank netbank bank-wale
card card credit-crd debit-crd plastic
login login signin password-forgot pasword
app app application-open aap-app mobile-se
website website webpage web-page online-page
online online internet-se digitally online-hi
download download save-pdf nikalna-hai
message message text-me texting reminder sandesh suchna soochna
call call ring-me phone-karna phone-aaya call-karo baat-karna bat-karni baat-karwao fon
contact contact reach-out sampark number-dijiye number-dedo
email email mail-id gmail
human human real-human living-person kisi-insaan asli-aadmi
internet internet broadband-net data-pack net-nahi
electricity electricity current-supply bijlee bijli-nahi current voltage light-chali batti
water water drinking-supply paani-nahi jal nal
gas gas cylinder-gas gas-khatam
car car automobile fourwheeler gaadiyan gadiyan
bike bike cycle-motor motorsaikil
bus bus coach-bus bus-chhut
train train railways rail-ticket relgadi
flight flight plane aeroplane airline hawai-jahaz havai-jahaj udaan
ticket ticket tickets-book tikat tikit
travel travel travelling traveling journey-plan yaatra jaana-hai ghumna-hai
luggage luggage baggage-allow bags-carry saamaan samaan-kitna
hotel hotel lodge resort guesthouse homestay dharamshala
pet pet puppy kitten dog cat dogs cats kutta kutte billi janwar jaanwar paltu
plant plant tree trees paudha paudhe ped ugana
garden garden lawn-grass bagicha
toy toy toys khilona khilone
clothes clothes garments apparel dress-wear kapdon kapdo vastra poshak
shoes shoes boots sandals chappal juta jute
jewel jewel ring-gold necklace chain-gold bangles earrings angoothi anguthi haar kangan gehna zevar
gold gold sone-ka swarn
device device gadget equipment-unit upkaran yantra
phone phone handset-mobile fone mobail
laptop laptop notebook-pc leptop
tv tv television-set teevee led-tv
ac ac aircon air-conditioner air-conditioners air-conditioning conditioner conditioners esi ac-unit
fridge fridge freezer refrigerator-unit
washingmachine washingmachine washer washing-mashin
battery battery cell-battery betri
product product goods-item commodity cheez cheezein cheezen chij chijen chiz vastu-item maal saman-item stuff
goods goods belongings things-of luggage-goods saaman samagri
parcel parcel packet-sent parsal
safe safe child-lock kids-safe
curfew curfew gate-timing gate-band
noise noise party-loud neighbours-noise
parking parking vehicle-stand gaadi-rakhne gadi-rakhne
lift lift elevator-not escalator
wheelchair wheelchair disabled-access handicapped divyang viklang ramp
age age umar-kitni young-for too-young
language language speak-hindi hindi-mein english-mein bhasha bhaasha tamil telugu marathi gujarati bengali kannada
language malayalam punjabi
name name naam-kya title-name
update update latest-status khabar khabar-kya jankari jaankari
status status progress-of haal
warranty warranty guarantee-period garantee gaarantee
expire expire expiry-over khatam-hone khatm miyaad-khatam samapt-ho
minimum minimum lowest-possible least-period kamsekam nyoontam
maximum maximum most-possible adhiktam-kitna
limit limit restriction-on cap-on hadd seema had
noshow noshow didnt-show nobody-turned aaya-nahi aaye-nahi absent-staff
absent absent absence gairhazir anupasthit chhutti-par
holiday holiday vacation-days bank-holiday avkash chhutti-kab public-holiday
weekend weekend saturday-sunday shani-ravi
donate donate charity charitable chande daan-dena
volunteer volunteer serve-as sewa
religion religion temple-visit dharm dharmik
astrology astrology horoscope kundli kundali rashifal janampatri gun-milan
citizens citizens residents association rwa nivasi
election election vote voting chunaav matdan
profile profile bio-profile my-profile profail
hide hide private-hidden chhupana chhipana chupana
marriagecert marriagecert marriage-certificate vivah-praman
divorce divorce divorced talaak talaq
joke joke funny chutkula majak mazaak
cricket cricket match-score khel-score ipl
movie movie cinema film-show picture-dekhna multiplex screening showtime showtimes
seat seat seats-row kursiyan front-row
sport sport games-play khel-kood khelna badminton tennis football volleyball
swim swim swimming-lesson tairna tairaki
exercise exercise workout-plan kasrat vyayam vyaayam
yoga yoga pranayam aasan
dance dance dancing-class nritya naach
hair hair hairs-fall baal baalon bal-jhadna
skin skin complexion twacha chamdi tvacha
eye eye vision-weak nazar najar aankhon
teeth teeth gums dentist masude daanton
stitch stitch darning silwana silvana silaai
print print flex poster-print chhapna chhapai chhapwana
design design pattern artwork drawing dizain
write write engraved-with likhna likhwana likha
paint paint painter painting-wall putai rang-rogan
construction construction mason contractor thekedar nirman
wood wood wooden lakdi lakadi plywood
metal metal steel loha lohe
glass glass mirror sheesha shisha kaanch kanch
plastic plastic polythene plastik
cover cover protect protection dhakna bachav
lock lock unlocking taala tala-band chaabi
light light lamp bulbs batti-light roshni
seed seed beej-khad bij
crop crop harvest fasal-bima
milk milk doodh dudh
dairy dairy paneer curd dahi
sugar sugar chini-mithi mithas diabetic
oil oil tel-kitna
fruit fruit fruits-fresh phal fal
vegetable vegetable sabji sabzi sabziyan
bread bread roti chapati naan
rice rice chawal pulao biryani
cake cake pastry cupcakes
sweet sweet mithai mithaai laddu
coffee coffee tea-coffee chai chaay
balance balance remaining-amount bacha-paisa shesh
notice notice inform-before prior-notice intimation-before batana-pade pehle-bata
handover handover keys-given chabi-dena
same same identical similar ek-jaisa waisa-hi vaisa
different different distinct other-kind alag-tarah bhinn
whole whole entire complete-set pura poora puri poori saara
part part component hissa bhaag
wet wet soaked bheeg geela-ho
sunday sunday ravivaar itvaar
`
