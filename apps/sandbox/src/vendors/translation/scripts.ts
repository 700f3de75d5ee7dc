/** How to build words of a script. */
export interface Script {
  readonly syllables: readonly string[];
  readonly spaced: boolean;
  /** Syllables per unit of source length (a Han character or two to three letters count as 1). */
  readonly perWeight: number;
  readonly cased: boolean;
}

const characters = (text: string): readonly string[] => Array.from(text);
const list = (text: string): readonly string[] => text.split(' ');

const unspacedScript = (syllables: readonly string[], perWeight: number): Script => ({
  syllables,
  perWeight,
  spaced: false,
  cased: false,
});
const spaced = (syllables: readonly string[], perWeight = 1): Script => ({
  syllables,
  perWeight,
  spaced: true,
  cased: false,
});
const cased = (syllables: readonly string[]): Script => ({ ...spaced(syllables), cased: true });

const LATIN = list(
  'ba be bo da de di do fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi ya zo',
);

/** Curated syllables of common scripts; every other script is generated from Unicode. */
const CURATED: Readonly<Record<string, Script>> = {
  Latn: cased(LATIN),
  Cyrl: cased(
    list(
      'ба ве во да де до за ка ко ла ле ли ло ма ме ми на не но об по пре ра ре ро са се со та те то ти ва ви га го',
    ),
  ),
  Grek: cased(list('βα γε δι ζο θα κε λι μο νε ξα πι ρο σα τε φι χο ψα λα μα να ρα τα και του')),
  Armn: cased(list('բա գե դի զո թա կե լի մո նե շա պի ռո սա տե փի քո լա մա նա րա')),
  Geor: spaced(list('ბა გე დი ვო ზა თე კი ლო მა ნე პი რო სა ტე უ ქა ღე შო ჩა ცი')),
  Hans: unspacedScript(
    characters(
      '这是我们的在有了不人来他为和地出到时要以会可也你对生能子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实',
    ),
    1,
  ),
  Hant: unspacedScript(
    characters(
      '這是我們的在有了不人來他為和地出到時要以會可也你對生能子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實',
    ),
    1,
  ),
  Jpan: unspacedScript(
    list(
      'あの いま うち えき おと かた きの くに けさ これ さき した すこ せん その ため ちか つき です とき なに には ねん のち はな ひと ふた まえ みせ もの やま ゆき よる られ りん わた を カメ シャ テス プラ 品物 今日 時間 会社',
    ),
    0.75,
  ),
  Kore: spaced(
    characters('가나다라마바사아자하고노도로모보소오조호구누두루무부수우주후기니디리미비시이지히는을를에서한과로만도'),
  ),
  Hang: spaced(characters('가나다라마바사아자하고노도로모보소오조호구누두루무부수우주후기니디리미비시이지히')),
  Arab: spaced(list('ال با تا جي دو را سا شي عا في قا كا لا ما نا ها وا يا مو رو سي كي لي ني دي بي تو نو')),
  Hebr: spaced(list('בא גו די הא וי זו טא יו כא לי מו נא סי עו פא צי קו רא שי תו ה של')),
  Thai: unspacedScript(list('กา ขอ คน งา จะ ชา ดี ตา ที นำ บา ปี ผล พา มา ยา รา ลา วัน สี หา อา เก เด เม ไป ใน โต'), 1),
  Laoo: unspacedScript(list('ກາ ຂອ ຄນ ງາ ຈະ ຊາ ດີ ຕາ ທີ ນຳ ບາ ປີ ພາ ມາ ຢາ ລາ ວັນ ສີ ຫາ'), 1),
  Khmr: unspacedScript(list('កា ខា គេ ចា ជា ដី តា ទី នា បា ពី មា យា រា លា វា សា ហា អា'), 1),
  Mymr: unspacedScript(list('ကာ ခို ဂါ စာ ဆို တာ ထို နာ ပါ ဖို ဗာ မာ ယာ ရာ လာ ဝါ သာ ဟို'), 1),
  Deva: spaced(list('का के की खा गा चा जी टा डा ता दे ना ने पा बा भी मा में या रा ला वा सा सी हा है')),
  Beng: spaced(list('কা কে কি খা গা চা জি টা ডা তা দে না নে পা বা ভি মা য়া রা লা সা সি হা')),
};

/** Scripts that share the syllables of another. */
const ALIASES: Readonly<Record<string, string>> = { Hani: 'Hans', Hira: 'Jpan', Kana: 'Jpan', Aran: 'Arab' };

const known = new Map<string, Script>(Object.entries(CURATED));

/** The script of an ISO 15924 code; Latin when Unicode has no letters of it. */
export function scriptOf(code: string): Script {
  const name = ALIASES[code] ?? code;
  let script = known.get(name);
  if (!script) {
    script = fromUnicode(name) ?? CURATED['Latn'] ?? cased(LATIN);
    known.set(name, script);
  }
  return script;
}

/** Maximum letters of a generated script. */
const MAX_LETTERS = 40;

const LAST_CODE_POINT = 0x1ffff;

function fromUnicode(code: string): Script | null {
  const content = letterOf(code);
  if (!content) return null;
  const found: string[] = [];
  for (let point = 0xa0; point <= LAST_CODE_POINT && found.length < MAX_LETTERS; point += 1) {
    const sign = String.fromCodePoint(point);
    if (content.test(sign)) found.push(sign);
  }
  return found.length > 0 ? spaced(found, 2) : null;
}

/** Matches a lower-case or caseless letter of the script; null for an unknown code. */
function letterOf(code: string): RegExp | null {
  try {
    return new RegExp(`[\\p{sc=${code}}&&[\\p{Lo}\\p{Ll}]]`, 'v');
  } catch {
    return null;
  }
}
