package faq

// emptyWords are words that say nothing of what is asked: of English, and of Hindi in Latin letters. Words in
// Devanagari have the same keys.
const emptyWords = `send sent share possible available ready provide provides provided offer offers come comes coming
go going take takes took make use using there someone somebody anyone help info information details detail regarding dr
what kya whats a an the is are am was were be been being do does did done have has had having will would shall
should can could may might must i me my mine we us our you your yours u ur he him his she her it its they them their
this that these those there here which if then than as at by for from in into of
off on onto or and but so to too up with about per via not no yes any some all each every just only also very really
please pls plz kindly sir madam mam bhai bhaiya ji dear hello hi hey thanks thank ok okay want wants need needs get gets
got give gives tell let know like take happen happens now yet already still one im ive dont cant got
mujhe mujhko mera meri mere main mai hum hamara hamari aap apka aapka aapki apki aapke apke tum tumhara yeh ye woh wo
vah us is iss uss ko ka ki ke se mein me par pe aur ya bhi hi to toh na nahi nahin nhi mat 
 kaunsa kaunsi kaunse konsa konsi konse kon hai hain he ho hoon
hun hu tha thi the hoga hogi honge raha rahi rahe gaya gayi gaye kar karu karun kare karen karna karni karne karo karke
karwana karwani karwaye karvana liye sakta sakti sakte sakate chahiye chaiye chahie milega milegi milenge milta milti
milte mile mil lena leni lene le lo dena deni dene de do den bata batao bataiye batayein bataye batana lag lagta lagega
lagenge wala wali wale ek koi kuch abhi tak phir fir jab tab agar bahut bohot zyada thoda ab kal aaj aana aata aati aate
aaye aayega aayegi jana jata jati jaye jaega jayega chal chalega chalegi chalenge chalta bas accha achha theek thik apna
apni apne apani jo vo hua hui hue aa ja honi hona hone aap rakhna
h k u r n m y d b c w tk gyi gya gye rha rhi rhe hue kr krna krni krne krke krwana krwani krvana krva du dun dunga lu
lun lunga loon
paega payega paayega paunga paye pae paaye saku sakun chuka chuki chuke liye lie log people hajar hazar hazaar lakh
baar sirf sath saath usi isi
isko usko unko unhe inka unka unki unke iska iski uska uski uske iske isme usme well really usually everyday today
tomorrow agle agla pichle pichla
dono par wahi yahi bas itna itni bhaiya didi aunty uncle please kindly lo lete leti doge denge dete deti karta karti
karte karoge karenge
hona honi batana bolo bolna puchna jaana jaani hu hoon hote hoti hota rehte rehta rehti rahta rahti rahte lekin magar
kyunki because while during
diya diye di dia liya li lia kiya kiye kie dala dali dale daal padega padegi padta padti padte padi padni pada parega parta
chuke chuki rakha rakhi rakhe bola boli bole yahan yaha wahan vaha idhar udhar hamare humare hamari kisi sab sabhi saara sare bana bani
bane banta banegi banega banti gaye jaye jaaye jaoge jaunga jaenge aaunga aaungi aaoge aao aaiye karein karlo hote jaata jaate jaati
karaya karayi karwaya karwai karvai pade hua huye hui hone hoke hokar leke lekar dekar aakar jaakar jake karne vagerah
wagairah matlab mtlb sahi haan han ne unhone maine humne aapne tumne usne
been being such same able through whether something anything nothing everything someone anyone everyone
लिए लोग हजार हज़ार लाख साथ बार सिर्फ उसी इसी उसको इसको पाएगा पाऊँगा पाऊंगा सकती दूँ दूं लूँ लूं करूँ करूं करें करवानी
करवाने कराने कराना करानी देते लेते रहते रहता रहती अगले अगला पिछले पिछला
आएगा आएगी आएंगे आएँगे आती आता आया आये जाएगा जाएगी जाती जाता मिलेगा मिलेगी मिलेंगे मिलती मिलता चाहिए चाहिये बताइए
बताइये बताएं दीजिए दीजिये लेना देना करना करनी करने करवाएँ करवाना रहा रही रहे हुआ हुई गया गई मुझे मेरा मेरी मेरे अपना
अपनी आपका आपकी आपके हमारा होगा होगी चलेगा चलेगी चलेंगे सकता सकती सकते हूँ हूं हैं है या और`
