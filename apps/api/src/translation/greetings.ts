/** Words that a chat begins with and that are too short for statistics, by langCode. Only words that one language owns. */
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

/** The language of a greeting, or of a text of up to four words that begins with one. Null when it begins otherwise. */
export const greetingOf = (text: string): string | null => {
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
