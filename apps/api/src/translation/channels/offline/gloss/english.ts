/** Grammatical person and number of a subject. */
export type Agreement = 'I' | 'you' | 'plural' | 'singular';

/** `base`, past and participle of a verb phrase, whose first word is inflected. */
export type Verb = {
  readonly base: string;
  readonly past?: string | undefined;
  readonly participle?: string | undefined;
};

const MODALS = new Set(['can', 'must', 'should', 'will', 'may', 'could', 'would']);

export const isModal = (base: string): boolean => MODALS.has(base.split(' ')[0] ?? '');

const first = (phrase: string, change: (word: string) => string): string => {
  const [word = '', ...rest] = phrase.split(' ');
  return [change(word), ...rest].join(' ');
};

const ed = (word: string): string =>
  word.endsWith('e') ? `${word}d` : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ied` : `${word}ed`;
const es = (word: string): string => {
  if (word === 'have') return 'has';
  if (/(?:s|x|z|ch|sh|o)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
};
const ing = (word: string): string => {
  if (word === 'be') return 'being';
  if (/[^eo]e$/.test(word)) return `${word.slice(0, -1)}ing`;
  return `${/^(?:get|put|cut|set|ship|stop|refit|let|run|plan|drop|swap|wrap|begin)$/.test(word) ? word + word.slice(-1) : word}ing`;
};

export const pastOf = ({ base, past }: Verb): string => past ?? first(base, ed);
export const participleOf = ({ base, past, participle }: Verb): string => participle ?? past ?? first(base, ed);
export const gerundOf = ({ base }: Verb): string => first(base, ing);
const thirdOf = ({ base }: Verb): string => first(base, es);

const BE = { I: ['am', 'was'], you: ['are', 'were'], plural: ['are', 'were'], singular: ['is', 'was'] } as const;

export type Tense = 'present' | 'past' | 'perfect' | 'future' | 'progressive';
export type Finite = {
  readonly verb: Verb;
  readonly subject: Agreement;
  readonly tense: Tense;
  readonly isNegative: boolean;
  readonly modal?: string | null | undefined;
  /** Said between the auxiliary and the verb: also, already … */
  readonly adverbs?: string;
  /** The auxiliary goes before the subject. */
  readonly isInverted: boolean;
};

const NEGATED: Readonly<Record<string, string>> = {
  can: "can't",
  will: "won't",
  am: 'am not',
  may: 'may not',
  must: 'must not',
  shall: 'shall not',
};
const negated = (auxiliary: string): string => NEGATED[auxiliary] ?? `${auxiliary}n't`;

/** The auxiliary ('' without one) and the rest of a verb phrase. */
export function conjugate({
  verb,
  subject,
  tense,
  isNegative,
  modal,
  adverbs = '',
  isInverted,
}: Finite): [string, string] {
  const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');
  const sign = (auxiliary: string): string => (isNegative ? negated(auxiliary) : auxiliary);
  const [word = '', ...rest] = verb.base.split(' ');
  if (modal) {
    const [auxiliary = '', ...more] = modal.split(' ');
    if (MODALS.has(auxiliary)) return [sign(auxiliary), join(adverbs, ...more, verb.base)];
    const full: Finite = {
      verb: {
        base: join(modal, verb.base),
        past: join(
          pastOf({ base: modal, past: modal === 'need to' ? 'needed to' : modal.replace('have', 'had') }),
          verb.base,
        ),
      },
      subject,
      tense: tense === 'progressive' ? 'present' : tense,
      isNegative,
      adverbs,
      isInverted,
    };
    return conjugate(full);
  }
  if (MODALS.has(word)) return [sign(word), join(adverbs, ...rest)];
  if (tense === 'future') return [sign('will'), join(adverbs, verb.base)];
  if (word === 'cannot') return [tense === 'past' ? "couldn't" : "can't", join(adverbs, ...rest)];
  const have = subject === 'singular' ? 'has' : 'have';
  if (word === 'be') {
    if (tense === 'perfect') return [sign(have), join(adverbs, 'been', ...rest)];
    return [sign(BE[subject][tense === 'past' ? 1 : 0]), join(adverbs, ...rest)];
  }
  if (word === 'do' && rest[0] === 'not')
    return [subject === 'singular' ? "doesn't" : "don't", join(adverbs, ...rest.slice(1))];
  if (word === 'does' && rest[0] === 'not')
    return [subject === 'singular' ? "doesn't" : "don't", join(adverbs, ...rest.slice(1))];
  if (tense === 'perfect') return [sign(have), join(adverbs, participleOf(verb))];
  if (tense === 'progressive') return [sign(BE[subject][0]), join(adverbs, gerundOf(verb))];
  const isPast = tense === 'past';
  if (isNegative || isInverted) {
    const does = isPast ? 'did' : subject === 'singular' ? 'does' : 'do';
    return [sign(does), join(adverbs, verb.base)];
  }
  return ['', join(adverbs, isPast ? pastOf(verb) : subject === 'singular' ? thirdOf(verb) : verb.base)];
}

/** The plural of a noun phrase, whose last word changes. */
export const pluralOf = (noun: string): string => {
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
};

export const withArticle = (phrase: string): string =>
  `${/^(?:[aeioAEIO]|u(?!ni|s[aeiu]|k\b)|hour|honest|[FHLMNRSX][A-Z])/.test(phrase) && !/^(?:one|eu|EU|US)/.test(phrase) ? 'an' : 'a'} ${phrase}`;

const SHORT = /^(?:\S{1,5}|\S{1,7}y|narrow|simple)$/;
export const comparativeOf = (adjective: string): string => {
  const irregular = (
    { good: 'better', bad: 'worse', far: 'farther', many: 'more', little: 'less' } as Record<string, string>
  )[adjective];
  if (irregular) return irregular;
  if (!SHORT.test(adjective)) return `more ${adjective}`;
  if (adjective.endsWith('e')) return `${adjective}r`;
  if (adjective.endsWith('y')) return `${adjective.slice(0, -1)}ier`;
  return /[^aeiou][aeiou][bdgmnt]$/.test(adjective) ? `${adjective}${adjective.slice(-1)}er` : `${adjective}er`;
};
