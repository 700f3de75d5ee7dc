/** "Sandbox" in common scripts (ISO 15924). */
const SANDBOX: Readonly<Record<string, string>> = {
  Latn: 'sandbox',
  Cyrl: 'песочница',
  Grek: 'σάντμποξ',
  Armn: 'սենդբոքս',
  Geor: 'სენდბოქსი',
  Hans: '沙箱',
  Hant: '沙箱',
  Hani: '沙箱',
  Jpan: 'サンドボックス',
  Kore: '샌드박스',
  Hang: '샌드박스',
  Arab: 'ساندبوكس',
  Aran: 'ساندبوكس',
  Hebr: 'סנדבוקס',
  Thai: 'แซนด์บ็อกซ์',
  Laoo: 'ແຊນບັອກ',
  Khmr: 'សាន់បុក',
  Mymr: 'ဆန်းဘောက်',
  Deva: 'सैंडबॉक्स',
  Beng: 'স্যান্ডবক্স',
  Taml: 'சாண்ட்பாக்ஸ்',
  Telu: 'శాండ్బాక్స్',
};

const known = new Map<string, string>(Object.entries(SANDBOX));

/** The word for the sandbox in a script; the first letters of a script that has none here, Latin when Unicode has no letters of it. */
export function sandboxIn(script: string): string {
  const word = known.get(script) ?? lettersOf(script) ?? 'sandbox';
  known.set(script, word);
  return word;
}

const LETTERS = 7;
const LAST_CODE_POINT = 0x1ffff;

function lettersOf(script: string): string | null {
  const letter = letterIn(script);
  if (!letter) return null;
  let found = '';
  for (let point = 0xa0, count = 0; point <= LAST_CODE_POINT && count < LETTERS; point += 1) {
    const sign = String.fromCodePoint(point);
    if (!letter.test(sign)) continue;
    found += sign;
    count += 1;
  }
  return found === '' ? null : found;
}

/** Matches a lower-case or caseless letter of the script; null for an unknown code. */
function letterIn(code: string): RegExp | null {
  try {
    return new RegExp(`[\\p{sc=${code}}&&[\\p{Lo}\\p{Ll}]]`, 'v');
  } catch {
    return null;
  }
}
