import { isDense } from './pieces.js';
import { scriptOf, type Script } from './scripts.js';
import type { Language } from './language.js';

/** Endings that let a word look a little like its language. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  en: ['ing', 'ed', 'ly', 'er', 'th', 's', ''],
  fr: ['eau', 'ment', 'eux', 'é', 'ille', 'que', 's'],
  de: ['ung', 'lich', 'en', 'er', 'keit', 'st', 'ß'],
  es: ['ción', 'ado', 'dad', 'os', 'as', 'ño', 'a'],
  pt: ['ção', 'ado', 'dade', 'os', 'ões', 'nha', 'a'],
  it: ['zione', 'ato', 'tà', 'ello', 'issimo', 'gli', 'o'],
  vi: ['ng', 'ộ', 'ấn', 'ươ', 'nh', 'ả', 'ế'],
  id: ['kan', 'nya', 'an', 'lah', 'i', 'ng', 'u'],
  tr: ['lar', 'ler', 'ız', 'ığı', 'cı', 'mak', 'e'],
  pl: ['ość', 'ać', 'ski', 'ów', 'ę', 'nie', 'y'],
  ru: ['ение', 'ый', 'ать', 'ость', 'ов', 'ы', 'а'],
  uk: ['ення', 'ий', 'ати', 'ість', 'ів', 'і', 'а'],
};

/** What a vendor makes of one word: always the same, in the target's script, never the word itself. */
export function pseudoWord(word: string, { vendor, target }: { vendor: string; target: Language }): string {
  const script = scriptOf(target.script);
  const roll = dice(`${vendor}|${target.tag}|${word.toLowerCase()}`);
  const count = Math.max(1, Math.round(weightOf(word) * script.perWeight));
  let made = '';
  for (let index = 0; index < count; index += 1) made += pick(script.syllables, roll);
  const endings = script.cased && count > 1 ? ENDINGS[target.base] : undefined;
  if (endings) made += pick(endings, roll);
  if (made.toLowerCase() === word.toLowerCase()) made += pick(script.syllables, roll);
  return likeCased(made, word, script);
}

function likeCased(made: string, word: string, script: Script): string {
  if (!script.cased || !/^\p{Lu}/u.test(word)) return made;
  if (word.length > 1 && word === word.toUpperCase()) return made.toUpperCase();
  return made.charAt(0).toUpperCase() + made.slice(1);
}

/** How much there is to say in a word: signs of a dense script or of Hangul, or two to three letters. */
function weightOf(word: string): number {
  if (isDense(word)) return word.length;
  return /^\p{sc=Hang}/u.test(word) ? word.length : word.length / 2.5;
}

function pick(from: readonly string[], roll: () => number): string {
  return from[roll() % from.length] ?? '';
}

/** Numbers that follow from a text: FNV-1a for the first, then xorshift. */
function dice(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
