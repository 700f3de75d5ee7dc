/** The first syllable of each letter in pinyin order: the last one that a character sorts after gives its initial. */
const FIRST = '阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨他屲夕丫帀';
const LETTERS = 'abcdefghjklmnopqrstwxyz';

const order = new Intl.Collator('zh-Hans-u-co-pinyin');
// A browser without pinyin collation would give wrong initials.
const KNOWN = order.resolvedOptions().collation === 'pinyin' || order.compare('八', '阿') > 0;

const initialOf = (character: string): string => {
  let letter = '';
  for (const [at, first] of [...FIRST].entries()) if (order.compare(first, character) <= 0) letter = LETTERS.charAt(at);
  return letter;
};

/** The pinyin initials of a name's Han characters, for searching: `德语` → `dy`. */
export const initialsOf = (name: string): string =>
  KNOWN ? [...name].map((c) => (/\p{Script=Han}/u.test(c) ? initialOf(c) : '')).join('') : '';
