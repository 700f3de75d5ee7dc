import { languageOfPhrase } from './phrase-book.js';

/** A detected language as BCP-47, with a confidence of 0–1. */
export interface DetectedLanguage {
  readonly tag: string;
  readonly confidence: number;
}

const TRADITIONAL = /[這們來個時會國學對發麼過還沒錢貨單訂謝請號買賣開關點說話見長東車馬門間問題體認識費價]/u;

/** Scripts that identify a language; the first match wins. */
const BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/u, 'ja'],
  [/\p{sc=Hang}/u, 'ko'],
  [/\p{sc=Thai}/u, 'th'],
  [/\p{sc=Laoo}/u, 'lo'],
  [/\p{sc=Khmr}/u, 'km'],
  [/\p{sc=Mymr}/u, 'my'],
  [/\p{sc=Hebr}/u, 'he'],
  [/\p{sc=Grek}/u, 'el'],
  [/\p{sc=Armn}/u, 'hy'],
  [/\p{sc=Geor}/u, 'ka'],
  [/\p{sc=Deva}/u, 'hi'],
  [/\p{sc=Beng}/u, 'bn'],
  [/\p{sc=Taml}/u, 'ta'],
  [/\p{sc=Telu}/u, 'te'],
  [/[ٹڈڑے]/u, 'ur'],
  [/[پچژگ]/u, 'fa'],
  [/\p{sc=Arab}/u, 'ar'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{sc=Cyrl}/u, 'ru'],
];

/** Stop words that distinguish languages in Latin script. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and is are you your we it this that of to in for with have please what how when not can will do my order',
  fr: 'le la les des est et vous nous je que pour dans une avec pas sur votre merci bonjour quand être ce au du',
  de: 'der die das und ist nicht ich sie wir ein eine mit für auf ihre wann wie bitte den dem von zu haben kann',
  es: 'el los las es y que de por para una con no su usted cuando gracias está hola qué cómo del se lo pedido',
  pt: 'o os as é e que de por para uma com não seu você quando obrigado está olá como do da em um pedido',
  it: 'il gli è e che di per una con non suo lei quando grazie ciao come del della in un sono ordine',
  nl: 'de het een en is niet ik wij je van voor met op uw wanneer hoe dank dat te zijn bestelling',
  id: 'yang dan ini itu di untuk dengan tidak anda kami saya apa kapan bisa terima kasih adalah pesanan',
  vi: 'là và của bạn tôi không có cho này được một khi nào cảm ơn xin chào đơn hàng',
  tr: 've bir bu için ile değil siz ben ne zaman teşekkür merhaba var sipariş nasıl çok',
  pl: 'i jest nie w na z do to się dla jak kiedy dziękuję proszę zamówienie czy ma',
};

const HINTS = Object.entries(WORDS).map(([tag, words]) => ({ tag, words: new Set(words.split(' ')) }));

/** Detects a language by script, phrase book and stop words; English by default. */
export function detectLanguage(text: string): DetectedLanguage {
  const script = BY_SCRIPT.find(([sign]) => sign.test(text));
  if (script) return { tag: script[1], confidence: 1 };
  if (/\p{sc=Han}/u.test(text)) return { tag: TRADITIONAL.test(text) ? 'zh-Hant' : 'zh-Hans', confidence: 1 };
  const phrase = languageOfPhrase(text);
  if (phrase) return { tag: phrase, confidence: 0.95 };
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  let best: DetectedLanguage = { tag: 'en', confidence: words.length > 0 ? 0.3 : 0 };
  let most = 0;
  for (const hint of HINTS) {
    const hits = words.filter((word) => hint.words.has(word)).length;
    if (hits > most) {
      most = hits;
      best = { tag: hint.tag, confidence: Math.min(1, 0.5 + hits / words.length) };
    }
  }
  return best;
}
