import { toScript } from './channels/offline/opencc.js';

/** `sure` false: a guess. `langCode` null: the text has no letters, or only unknown ones. */
type Detection = { readonly langCode: string | null; readonly sure: boolean };

/** Enough to detect a language. */
const SAMPLE = 1000;

/**
 * Detects the language of a text (langCode of `data/languages.json`): by its script where only one language uses it, by greetings for the
 * shortest texts, else by statistics. `candidates`: the languages that can be translated from, preferred among near equals; a text that is
 * clearly in another language is not forced into them.
 */
export const detectLanguage = async (text: string, candidates: Iterable<string> = []): Promise<Detection> => {
  const sample = [...text.slice(0, 2 * SAMPLE)]
    .slice(0, SAMPLE)
    .join('')
    .replace(/(?:https?:\/\/|www\.)\S+|\S{1,64}@\S+/gu, ' ');
  const script = scriptOf(sample);
  if (script === null) return { langCode: null, sure: false };
  if (script === 'Han') return { langCode: await chineseOf(sample), sure: true };
  const owner = OWNERS[script];
  if (owner !== undefined) return { langCode: owner, sure: true };
  const greeting = greetingOf(sample);
  return greeting === null ? byStatistics(sample, new Set(candidates)) : { langCode: greeting, sure: true };
};

/** Scripts that only one language of the product uses, at least in practice. */
const OWNERS: Readonly<Record<string, string>> = {
  Kana: 'ja',
  Hangul: 'ko',
  Thai: 'th',
  Lao: 'lo',
  Khmer: 'km',
  Myanmar: 'my',
  Hebrew: 'he',
  Greek: 'el',
  Georgian: 'ka',
  Armenian: 'hy',
  Bengali: 'bn',
  Gurmukhi: 'pa',
  Gujarati: 'gu',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Oriya: 'or',
  Ethiopic: 'am',
  Tibetan: 'bo',
};

// One character of these scripts weighs as much as several letters, so a Latin brand name does not decide.
const WEIGHTS: Readonly<Record<string, number>> = { Han: 2, Kana: 2, Hangul: 2 };
const SHARED = ['Latin', 'Cyrillic', 'Arabic', 'Devanagari'];
const PATTERNS = ['Han', ...Object.keys(OWNERS), ...SHARED].map((script) => ({
  script,
  pattern: script === 'Kana' ? /[\p{Script=Hiragana}\p{Script=Katakana}]/gu : new RegExp(`\\p{Script=${script}}`, 'gu'),
}));

const scriptOf = (text: string): string | null => {
  const counts = new Map(PATTERNS.map(({ script, pattern }) => [script, text.match(pattern)?.length ?? 0]));
  const kana = counts.get('Kana') ?? 0;
  const han = counts.get('Han') ?? 0;
  // Japanese is Han mixed with kana; a single の is a fashion of Chinese shop names.
  if (kana >= 2 || (kana === 1 && han <= 1)) counts.set('Kana', kana + han).set('Han', 0);
  let best: string | null = null;
  let most = 0;
  for (const [script, count] of counts) {
    const weight = count * (WEIGHTS[script] ?? 1);
    if (weight > most) [best, most] = [script, weight];
  }
  return best;
};

// Each conversion changes only text in the other script. Text that is the same in both counts as Simplified.
const chineseOf = async (text: string): Promise<'zh-Hans' | 'zh-Hant'> => {
  const [asHans, asHant] = [await toScript('zh-Hans', text), await toScript('zh-Hant', text)];
  return changed(text, asHans) > changed(text, asHant) ? 'zh-Hant' : 'zh-Hans';
};

const changed = (before: string, after: string): number => {
  const left = new Set(after);
  return [...before].filter((character) => !left.has(character)).length;
};

/** Languages that the statistics name differently from the product. */
const NAMES: Readonly<Record<string, string>> = { pt: 'pt-BR', sr: 'sr-Cyrl' };
/** Languages that short texts are mistaken for far more often than they are right. */
const RARE = new Set(['af', 'eo', 'ga', 'tk']);
/** Languages that short texts are mistaken for and that hardly anybody writes in a chat. */
const NOISE = new Set(['ber', 'la', 'rn', 'tlh', 'vo', 'zh']);

/** Loaded on demand: building its tables takes a quarter of a second. */
const loadStatistics = async () => {
  const { detectAll, supportedLanguages, toISO2 } = await import('tinyld');
  const only = supportedLanguages
    .map((language) => toISO2(language))
    .filter((language) => language !== '' && !NOISE.has(language));
  return (text: string) => detectAll(text, { only });
};
let statistics: ReturnType<typeof loadStatistics> | undefined;

/** Called by a server at its start, so that the first request does not wait for it. */
export const prepareDetection = async (): Promise<void> => void (await (statistics ??= loadStatistics()));

const byStatistics = async (text: string, candidates: ReadonlySet<string>): Promise<Detection> => {
  const guesses = (await (statistics ??= loadStatistics()))(text)
    .map(({ lang, accuracy }) => ({
      langCode: NAMES[lang] ?? lang,
      accuracy: RARE.has(lang) ? accuracy / 2 : accuracy,
    }))
    .sort((a, b) => b.accuracy - a.accuracy);
  const [top, second] = guesses;
  if (top === undefined) return { langCode: null, sure: false };
  const near = guesses.find(({ langCode, accuracy }) => candidates.has(langCode) && accuracy >= top.accuracy * 0.85);
  const chosen = near ?? top;
  const rival = chosen === top ? second : top;
  return { langCode: chosen.langCode, sure: chosen.accuracy >= 0.1 && chosen.accuracy >= 1.5 * (rival?.accuracy ?? 0) };
};

/** First words of a chat, too short for statistics, by langCode. Only words of a single language. */
const GREETINGS: Readonly<Record<string, string>> = {
  en: 'hello|hi|hey|ok|okay|yes|thanks|thank you|please|good|price|how much|good morning|good afternoon|good evening|bye|sorry|great',
  es: 'hola|gracias|muchas gracias|buenos días|buenos dias|buenas tardes|buenas noches|buenas|adiós|sí|por favor|precio|cuánto|cuanto cuesta',
  'pt-BR': 'olá|oi|obrigado|obrigada|muito obrigado|bom dia|boa tarde|boa noite|sim|tudo bem|quanto custa',
  fr: "bonjour|merci|merci beaucoup|bonsoir|oui|s'il vous plaît|s'il te plaît|d'accord|au revoir|combien",
  it: 'ciao|grazie|grazie mille|buongiorno|buonasera|prego|quanto costa|va bene|arrivederci',
  de: 'hallo|danke|danke schön|vielen dank|guten tag|guten morgen|guten abend|bitte|tschüss|wie viel',
  nl: 'bedankt|dank je|dank je wel|dank u|goedemorgen|goedemiddag|hoi|hoeveel',
  ca: 'bon dia|bona tarda|gràcies|moltes gràcies|si us plau|adéu',
  eo: 'saluton|dankon|bonan tagon',
  sv: 'tack|tack så mycket|god morgon',
  da: 'mange tak|goddag|godmorgen',
  no: 'takk|tusen takk|god morgen',
  fi: 'kiitos|moi|hyvää päivää',
  pl: 'cześć|dziękuję|dziękuję bardzo|dzień dobry|proszę',
  cs: 'ahoj|děkuji|dobrý den|prosím',
  ro: 'bună|bună ziua|mulțumesc',
  hu: 'szia|köszönöm|jó napot',
  tr: 'merhaba|teşekkürler|teşekkür ederim|selam|günaydın',
  vi: 'xin chào|cảm ơn|chào bạn',
  id: 'halo|terima kasih|selamat pagi|apa kabar',
  fil: 'kumusta|salamat|salamat po|magkano',
  sw: 'jambo|asante|habari',
  ru: 'привет|спасибо|здравствуйте|добрый день|сколько',
  uk: 'привіт|дякую|добрий день|скільки',
};

const BY_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(GREETINGS).flatMap(([langCode, words]) => words.split('|').map((word) => [word, langCode] as const)),
);

/** The language of a text of up to four words that begins with a greeting; null without one. */
const greetingOf = (text: string): string | null => {
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}'’]+/gu) ?? [];
  if (words.length > 4) return null;
  for (let length = words.length; length > 0; length -= 1) {
    const found = BY_WORDS.get(words.slice(0, length).join(' ').replaceAll('’', "'"));
    if (found !== undefined) return found;
  }
  return null;
};
