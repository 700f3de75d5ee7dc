import type { Spoil } from '../vendor-faults.js';
import { languageOf } from './language.js';
import { piecesOf } from './pieces.js';
import { pseudoTranslation, type Manner } from './translator.js';

/** One text translated as the switches of its account want it. */
export function spoiledTranslation(text: string, manner: Manner, spoils: readonly Spoil[]): string {
  if (spoils.includes('empty')) return '';
  const wrong = spoils.includes('script');
  let made = spoils.includes('echo') ? text : pseudoTranslation(text, wrong ? otherScript(manner) : manner);
  if (spoils.includes('lose')) made = withoutKept(made);
  if (spoils.includes('lines')) made = made.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
  return made;
}

/** A language that is written quite differently from the one asked for. */
function otherScript(manner: Manner): Manner {
  const eastern = ['Hans', 'Hant', 'Jpan', 'Kore'].includes(manner.target.script);
  return { ...manner, target: languageOf(eastern ? 'ru' : 'zh-Hans') };
}

/** Without masks, placeholders, addresses, numbers, emoji and tags. */
const withoutKept = (text: string): string =>
  piecesOf(text)
    .filter(({ kind }) => kind !== 'kept')
    .map((piece) => piece.text)
    .join('');
