import { type Context, sentence } from './clause.js';
import { disambiguate } from './disambiguate.js';
import type { Lexicon, Word } from './lexicon.js';
import { join, type Part } from './parts.js';
import { prepared } from './prepare.js';
import { partsOf } from './read-parts.js';
import { reduced } from './relative.js';
import { splitClause } from './split.js';

/** What stands between two commas in Chinese, as English in the order of English. */
export function transfer(words: readonly Word[], lexicon: Lexicon, context: Context): string {
  const known = disambiguate(prepared(words, context.isQuestion, lexicon), lexicon);
  return withFigures(known, inEnglish(known, lexicon, context));
}

function inEnglish(known: readonly Word[], lexicon: Lexicon, context: Context): string {
  const partsIn = (some: readonly Word[]): Part[] => reduced(partsOf(some, lexicon));
  const split = splitClause(known);
  if (!split) return sentence(partsIn(known), context);
  const opening: Part[] = split.opening === '' ? [] : [{ kind: 'link', text: split.opening }];
  const condition: Context = { ...context, isQuestion: false };
  const first = sentence([...opening, ...partsIn(split.first)], condition);
  context.subject = condition.subject;
  return first + split.joint + sentence(partsIn(split.second), context);
}

/** A figure, a link or a name that the rules found no place for comes last: none may be lost. */
function withFigures(words: readonly Word[], english: string): string {
  const figures = words.flatMap(({ forms: [form = ''] }) => {
    const figure = /\d[\d.,]*|[\uE000-\uF8FF]/.exec(form)?.[0];
    return figure === undefined ? [] : [{ form, figure }];
  });
  let rest = english;
  const lost: string[] = [];
  // The longest first, for 1 is found in 11.
  for (const { form, figure } of figures.toSorted((one, other) => other.figure.length - one.figure.length)) {
    if (rest.includes(figure)) rest = rest.replace(figure, '');
    else lost.push(form);
  }
  return join(english, ...lost);
}
