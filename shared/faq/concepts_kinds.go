package faq

// kindConcepts are what belongs to one kind, a row each: makes of cars are cars. After them stand verbs and states that
// many trades share.
const kindConcepts = `
car swift baleno alto wagonr dzire creta i20 i10 nexon tiago punch brezza innova ertiga xuv scorpio thar bolero
car fortuner city-car ciaz kwid triber seltos venue hatchback jeep van suv
bike activa jupiter access splendor pulsar bullet royal-enfield apache shine unicorn scooty moped ktm duke classic
mobile samsung oneplus redmi vivo oppo realme nokia iphone pixel motorola android ios handset tab tablet-phone
tv led oled lcd smart-tv remote
appliance fridge refrigerator freezer microwave oven mixer grinder juicer toaster kettle washing-machine dishwasher
appliance chimney vacuum induction geyser
computer laptop desktop macbook dell hp lenovo keyboard mouse monitor
diaper diaper diapers pampers huggies nappy nappies langot
babyfood babyfood baby-food cerelac formula-milk lactogen feeding-bottle
sanitary pads sanitary napkin whisper stayfree tampon
medicine paracetamol crocin dolo antibiotic painkiller insulin drops cream gel vitamin calcium supplement multivitamin
medicine protein strip strips drip
ayurvedic ayurvedic herbal homeopathic homeopathy unani natural desi jadi-buti jadibooti patanjali organic
europe schengen europe france germany italy spain switzerland paris
country usa america uk england london canada toronto australia sydney dubai uae thailand bangkok singapore malaysia
country bali japan china nepal sri-lanka maldives turkey russia gulf saudi qatar newzealand
relative uncle aunt aunty cousin nephew niece chacha chachi mama mami bua mausi jija saala devar bhabhi in-laws
relative sasural saas sasur grandson granddaughter pota poti
pet labrador pug beagle german-shepherd golden-retriever shih-tzu persian kitten puppy pup hamster parrot tota fish
pet machhli turtle kachhua rabbit khargosh goat bakri cow gaay buffalo bhains horse ghoda hen murgi
bird parrot bird birds tota chidiya pigeon kabootar lovebird cockatiel
cattle cow buffalo gaay bhains cattle goat sheep bakri pashu dairy-animal calf bachhda
body hand arm leg foot knee back neck shoulder stomach pet-dard head sir-dard throat gala ear kaan nose naak finger
body chest seena kamar ghutna haath pair
breathing breathing breath saans asthma choke suffocate
vomit vomit vomiting ulti nausea loose-motion loose motion dast diarrhoea diarrhea potty
bleeding bleeding blood-coming khoon-beh wound ghaav injury cut-wound zakhm injured hurt-leg
swelling swelling swollen sujan lump gaanth
poison poison poisonous zehar swallowed toxic rat-poison nigal
worm deworm deworming worm worms kide keede
tick tick ticks flea fleas pissu kilni lice juyein
sterilise neuter neutering spay spaying sterilise sterilisation sterilization castrate nasbandi operation-neuter
bite bite bitten kaat kaata sting dank
flower rose gulab marigold genda lily orchid bouquet guldasta garland mala haar
fruit fruit fruits apple seb banana kela kele mango aam orange santra grapes angoor papaya
vegetable vegetable vegetables tomato tamatar potato aloo onion pyaz sabzi spinach palak carrot gajar beans
grain rice chawal atta wheat gehun dal pulses flour maida besan sugar-grain cheeni salt namak oil tel spice masala
snack samosa pakora biscuit cookie chips namkeen kachori bread-pakora sandwich burger pizza momos noodles maggi
snack chowmein pasta
bread bread loaf pav bun toast sourdough multigrain brown-bread naan roti chapati paratha
cake cake pastry truffle chocolate-cake icing cream-cake cupcake muffin brownie butterscotch pineapple-cake flavour
cake flavor
icecream icecream ice-cream kulfi softy
sweets laddu barfi jalebi gulab-jamun rasgulla halwa peda mithai
dryfruit nuts nut cashew kaju almond badam pista raisin kishmish walnut peanut moongfali
festival diwali holi eid christmas rakhi navratri dussehra pongal onam karwachauth bhai-dooj new-year ganesh durga
festival chhath
firework firework fireworks cracker crackers patakhe pataka sparkler anar pyro
candle candle candles mombatti balloon balloons cap knife chaku popper
baraat baraat barat band-baaja ghodi mare dhol groom-procession varmala jaimala pheras
lehenga lehenga sherwani gown bridal-dress lahanga
cosmetic lipstick kajal foundation nail-polish facewash moisturizer sunscreen serum lotion
haircare shampoo conditioner hair-oil keratin smoothening straightening rebonding spa-hair
nail nail nails manicure pedicure nailart
bodypart eyebrow threading upper-lip waxing underarm beard dadhi moustache shave shaving
instrument guitar piano keyboard-music tabla flute violin drum harmonium
dance bharatnatyam kathak salsa hiphop bollywood-dance zumba-dance
sport cricket football badminton tennis judo karate taekwondo boxing basketball volleyball skating chess carrom
sport kabaddi swimming table-tennis martial
subject maths math science physics chemistry biology history geography sanskrit social-studies economics accounts
subject commerce arts coding
coursekind tally excel photoshop java python web-design digital-marketing spoken-english ielts toefl neet jee upsc ssc
coursekind cet banking-exam
examtest ielts toefl pte gre english-test neet jee
tool hammer drill screwdriver ladder wrench saw nails-tool rope
hardware cement sand brick tile marble paint-tin pipe-fitting plywood rod saria
furniture almirah dressing-table bookshelf bookcase stool bench mattress-bed rack shelf
linen bedsheet pillow-cover towel blanket quilt razai kambal duvet sofa-cover tablecloth napkin chadar
clothing sweater jacket coat hoodie tshirt t-shirt shorts skirt frock top leggings salwar kameez kurti pyjama
clothing nightsuit underwear bra socks gloves cap scarf tie cardigan
footwear slipper sandals boots heels sneakers sports-shoes floaters
accessory wallet purse handbag belt sunglasses watch umbrella chhata helmet
jewel bangle chudi necklace earring jhumka nosepin anklet payal mangalsutra ring anguthi
document passport-copy ration-card driving-licence voter-card marksheet bank-statement salary-slip rent-agreement
document electricity-bill birth-certificate rc puc gst-certificate itr form16 offer-letter experience-letter
document cheque-leaf
pollution puc pollution pradushan emission
denting dent denting bumper panel scratch-repair painting-car painting polish
engine engine clutch brake gear silencer radiator belt suspension alignment wheel-balancing headlight wiper
carpart horn mirror-car windshield windscreen bonnet dashboard seat-cover
roadside highway roadside towing stranded stuck-road breakdown-van jump-start battery-dead
driverless self-drive without-driver
transportbus bus train metro auto-rickshaw taxi flight ship ferry coach tempo truck
lawn lawn outdoor outdoors open-air sky garden-area open-ground ground open-lawn maidan
stage stage mandap dais backdrop
sleep sleep sleeping sona neend overnight-stay night-stay spend-night
sit sit sitting baithna baithne baith seat-wait lounge waiting-room waiting-area somewhere-sit
wait wait waiting ruk rukna intezar
cook cook cooking halwai caterer chef khansama maharaj bawarchi kitchen-staff rasoiya
plate plate plates per-head thali per-person-food head platter
guestcount guests-count invitees attendees expect-guests gathering get-together
capacity capacity fit-in accommodate hold-people seating how-many-people kitne-log how-many-guests fit log-aa
rest rest balance-amount remaining-payment baki-paise baaki-paisa second-payment baki-paisa
fireworkban cracker-ban
highchair high-chair baby-chair baby-seat booster
hairfood hair-in-food insect-in-food insect-food baal-nikla keeda-nikla foreign-object
coldfood cold-food thanda-khana food-cold khana-thanda
mild mild less-spicy kam-teekha no-chilli chilli mirchi
mocktail mocktail mocktails soft-drink soda
found found found-thing left-behind bhool-aaya forgot-thing left-my left-thing chhoot-gaya
refuse refuse refused refusal said-no denied turned-down reject rejected not-granted nahi-mila-visa rejection
extend extend extension stay-longer longer more-days prolong badhwana two-more-weeks
translate translate translation anuvad attest attestation stamped apostille notarised notary
interviewprep interview-help mock-interview scared-interview
university university college-abroad study-abroad admission-abroad toronto-study foreign-study
cancelled-flight flight-cancelled
bully bully bullying bullied hitting beating teasing maarte maarpeet ragging harass harassment threaten
counsellor counsellor counselor counselling psychologist
bus-late bus-not van-not bus-nahi gaadi-nahi
illchild ill-child chot-lag injury-school first-aid nurse
leave leave-application absent-application chhutti-chahiye wont-come not-come-school
finish finish finished end ended over khatam complete done exhausted nipat
begin begin start starts starting commence shuru chalu-karna initiate
burst burst phatna blast explode
feed feed feeding khilana khilaye
hide hide chhupana
write write written likhna likh likhwana likhwa message-on
draw draw design sketch drawing
show show showing dikhana dikhao display-to demonstrate
watch watch watching dekhna look-at see-video
hear hear listen sunna suna sunai
think think samajhna lagta-hai opinion
ask ask puchna enquire inquiry jaankari information details-of know-about
tell tell batana inform-me let-know
give give dena hand-over provide
take take lena receive-from
keep keep rakhna rakh store preserve leftover leave-with hold-for
throw throw phenkna dispose
carry carry bring lana le-aana along
hang hang latkana
open-start open-shop start-own khud-ka
ride ride sawari
drive drive driving chalana chalani
walk walk paidal on-foot
climb climb stairs seedhi chadhna
fall fall gir-jana gira drop-down slipped
hit hit maarna collide collision takkar
push push dhakka
wash wash dhona dho dhulna dhulwa rinse nahana nehlana bath bathing
dry dry sukhana
cut cut kaatna katwana trim trimming
join-two fix-together chipkana glue weld
measure measure napna naap measuring
count count ginna
choose choose select chunna pasand decide
compare compare antar difference versus vs better
recommend recommend suggest advise salah suggestion which-should best-for
learn learn sikhna seekhna padhna study
teach teach sikhana padhana coach train instruct
remember remember yaad
forget forget bhoolna bhool bhul forgot
believe believe bharosa trust
fear scared afraid darr dar nervous
hope hope umeed
like like pasand love
dislike dislike unhappy not-like nahi-pasand
wish want-to chahta chahte
allow permit ijazat
stop stop-it rok-do band-kar
continue continue jaari chalta-rahe keep-going
increase increase badhna badhao more-of
decrease decrease ghatna ghatao reduce kam-karna
improve improve improvement better-now sudhar-hua fark aaram relief recover theek-hona no-improvement asar effect
worsen worse bigadna bigad worsened
happen happen hona ho-gaya
belong belong mine mera-hai
own own apna apni khud ourselves our-own own-cook
borrow borrow udhaar-lena
lend lend udhaar-dena
arrange arrange intezam intezaam organise organize manage bandobast
prepare prepare tayari tayyari ready-for
ready ready taiyar tayar done-yet complete-yet ban-gaya ban-gayi taiyaar
available-date free-on date-free date-available khali-date block-date hold-date
expect expect expecting hone-wale
invite invite nimantran bulana bulawa
celebrate celebrate manana
visit visit milne-jana come-see look-in
return-home go-home ghar-jana
far far door-hai
exit exit leave-place nikalna
switch switch switched change-over shift-from
lock lock taala band-karna-gate
seal seal packed unopened uncut band-packet unused
opened opened used-once khola-hua
mark mark nishan scratch-mark kharoch scratches
smell smell badbu khushboo odour gandh
taste taste swad khatta sour bitter kadwa stale basi
melt melt pighal
freeze-food frozen jam-gaya
cool cool ice cold-box thanda-rakhna refrigerate fridge-keep
hotplace heat dhoop sunlight
noisy noise sound-loud
bright bright roshni light-strong
dark dark andhera
heavy heavy bhari
light-weight light-weight halka
full full bhara poora whole entire
part part hissa half-of
same same wahi ek-jaisa
different different alag another-kind
wrong wrong galat incorrect mistake galti
right right sahi correct theek
true true sach genuine real
alone alone akela self-only
together together saath ek-saath
`
