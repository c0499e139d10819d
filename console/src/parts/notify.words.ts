/** The texts about notifications. */
export const all = {
  en: {
    title: 'Tell me in this browser, also while this page is closed',
    mine: 'what customers write in my conversations',
    needs_person: 'what the assistant leaves to a person',
    unassigned: 'what customers write in conversations that nobody takes care of',
    on: 'Turn on',
    save: 'Save',
    off: 'Turn off',
    close: 'Close',
    isOn: 'This browser tells you. It shows the customer’s name and the beginning of the message.',
    denied: 'The browser does not allow it. You can change that in its settings for this page.',
    unable: 'This browser cannot do that. On an iPhone, install this page on the home screen first.',
  },
  hi: {
    title: 'इस ब्राउज़र में मुझे बताएँ, पेज बंद होने पर भी',
    mine: 'मेरी बातचीत में ग्राहक जो लिखते हैं',
    needs_person: 'असिस्टेंट जो किसी व्यक्ति के लिए छोड़ता है',
    unassigned: 'जिन बातचीत को कोई नहीं देख रहा, उनमें ग्राहक जो लिखते हैं',
    on: 'चालू करें',
    save: 'सेव करें',
    off: 'बंद करें',
    close: 'हटाएँ',
    isOn: 'यह ब्राउज़र आपको बताता है। इसमें ग्राहक का नाम और संदेश की शुरुआत दिखती है।',
    denied: 'ब्राउज़र इसकी अनुमति नहीं देता। इस पेज की सेटिंग में आप इसे बदल सकते हैं।',
    unable: 'यह ब्राउज़र ऐसा नहीं कर सकता। iPhone पर पहले इस पेज को होम स्क्रीन पर जोड़ें।',
  },
};
