import { conjugate, gerundOf, participleOf, type Tense, type Verb } from './english.js';
import { definite, join, nominal, type Noun, type Part, SAY } from './parts.js';
import { ACTED_ON, impliedSubject, lacksObject, PRODUCT } from './implied.js';
import { type Clause, ClauseReader } from './read-clause.js';

/** What the clauses of a sentence have in common. */
export type Context = {
  readonly isQuestion: boolean;
  /** That of the clause before; a clause without its own takes it over. */
  subject: Noun | null;
  readonly isFirst: boolean;
  /** Set when the clause asks. */
  asks?: boolean;
};

type Mode = Context & {
  /** In the base form and without a subject, after another verb. */
  readonly isBare?: boolean;
  /** The subject and tense of the verb before, which this one continues. */
  readonly shared?: Shared;
  readonly sentence?: Context;
  /** After "if" or "when": its subject, when not said, is "you". */
  readonly isCondition?: boolean;
};

type Shared = { readonly subject: Noun; readonly isPast: boolean };

const EMBEDDED: Mode = { isQuestion: false, subject: null, isFirst: false };

/** Verbs after which another acts: "let him call". */
const CAUSE = /^(?:let|make|help)$/;
const TELL = /^(?:tell|ask|show|teach|inform)\b/;
/** Verbs with a second verb after "to"; after others, it is the next step: "receive it and check it". */
const TAKES_TO =
  /^(?:want|need|plan|like|love|hope|prepare|forget|remember|decide|start|begin|continue|agree|refuse|try|promise|tell|ask|remind|suggest|require|allow|use|wait|apply|choose|would like|prefer|invite|take|urge)\b/;

const CONDITION = /^(?:if|when|before|after|as long as|as soon as|in case|unless|once|until)$/;

/** The parts of a clause in English; conjunctions and set phrases come first. */
export function sentence(all: readonly Part[], context: Context): string {
  const parts = [...all];
  const opening: string[] = [];
  for (let [head] = parts; head; [head] = parts) {
    if (head.kind !== 'link' && (head.kind !== 'fixed' || parts.length === 1)) break;
    opening.push(head.kind === 'fixed' ? `${head.text},` : head.text);
    parts.shift();
  }
  const last = parts.at(-1);
  if (last && 'text' in last && last.kind !== 'noun' && /^(?:if|when|before|after)$/.test(last.text)) {
    parts.pop();
    opening.unshift(last.text);
  }
  const duration = howLong(parts);
  if (duration !== null) {
    context.asks = true;
    return join(...opening, duration);
  }
  const [thanked] = parts;
  if (opening.at(-1) === 'thank you,' && parts.length === 1 && thanked?.kind === 'noun' && !thanked.isPronoun)
    return join(...opening.slice(0, -1), 'thank you for', thanked.object);
  if (!hasPredicate(parts)) return join(...opening, withoutVerb(parts, context.isQuestion));
  const isFirst = context.isFirst && opening.length === 0;
  const isCondition = opening.some((word) => CONDITION.test(word));
  return reflexive(join(...opening, clause(parts, { ...context, isFirst, isCondition, sentence: context })));
}

/** 寄到加拿大要多久: "how long does it take to …"; null when that is not asked. */
function howLong(parts: readonly Part[]): string | null {
  const asked = parts.findIndex((part) => part.kind === 'question' && /^how long$/.test(part.text));
  const part = parts[asked];
  if (part?.kind !== 'question' || parts.slice(asked + 1).some(({ kind }) => kind !== 'mark')) return null;
  const isTaken = /^(?:要|需要)/.test(part.zh);
  const before = parts[asked - 1];
  const takes = before?.kind === 'modal' || (before?.kind === 'verb' && /^(?:need|want|take)\b/.test(before.verb.base));
  if (!isTaken && !takes) return null;
  const rest = parts.slice(0, isTaken ? asked : asked - 1).filter(({ kind }) => kind !== 'adverb' && kind !== 'modal');
  const [head, next] = rest;
  if (!head) return 'how long does it take';
  if (!hasPredicate(rest))
    return join('how long does', head.kind === 'noun' ? definite(head).text : 'it', 'take', ...phrasesOf(rest));
  if (head.kind !== 'noun') return join('how long does it take to', bare(rest));
  if (head.isPronoun)
    return join('how long does it take', head.text === 'you' ? '' : `for ${head.object}`, 'to', bare(rest.slice(1)));
  const isMoved = next?.kind === 'verb' && ACTED_ON.test(next.verb.base);
  return isMoved
    ? join('how long does it take to', bare([{ kind: 'mark', zh: '把' }, ...rest]))
    : join('how long does it take for', definite(head).object, 'to', bare(rest.slice(1)));
}

const phrasesOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.kind === 'phrase' ? [part.text] : []));

const hasPredicate = (parts: readonly Part[]): boolean =>
  parts.some(({ kind }) => kind === 'verb' || kind === 'adjective' || kind === 'modal');

/** A question after a noun, an amount after a noun, or words alone. */
function withoutVerb(parts: readonly Part[], isQuestion: boolean): string {
  const asked = parts.find((part) => part.kind === 'question');
  const [first, second] = parts.filter((part): part is Noun => part.kind === 'noun');
  const rest = parts.flatMap((part) =>
    /^(?:phrase|adverb|fixed)$/.test(part.kind) && 'text' in part ? [part.text] : [],
  );
  const be = first?.agreement === 'plural' ? 'are' : 'is';
  if (asked && first) return join(asked.text, be, definite(first).text, ...rest);
  if (asked?.text === 'how long') return 'how long does it take';
  if (asked) return join(asked.text, asked.text === 'how much' ? 'is it' : '', ...rest);
  if (first && second && !first.isPronoun) {
    const subject = definite(first).text;
    return isQuestion ? join(be, subject, second.text, ...rest) : join(subject, be, second.text, ...rest);
  }
  const isDenied = parts.some((part) => part.kind === 'mark' && part.zh === '不');
  const said = parts.flatMap((part) => {
    if (part.kind === 'noun') return [isQuestion || parts.length > 1 ? definite(part).text : part.text];
    return /^(?:phrase|adverb|fixed)$/.test(part.kind) && 'text' in part ? [part.text] : [];
  });
  return join(isDenied ? 'not' : '', ...said);
}

/** A clause with a predicate, and the verbs that follow it. */
function clause(parts: readonly Part[], mode: Mode): string {
  const first = new ClauseReader(parts, mode.isQuestion).read();
  const [read, next] = questionFirst(first, parts.slice(first.rest));
  const said = finite(read, mode);
  if (read.rest < 0) return said.text;
  const [head] = next;
  const base = read.main?.verb.base ?? '';
  if (head?.kind === 'link') {
    const isSecond = next[1]?.kind === 'verb' && /^(?:or|and)$/.test(head.text);
    return join(said.text, head.text, (isSecond ? bare : embedded)(next.slice(1)));
  }
  if (read.main && read.subject === null && read.object === '' && isQuality(next))
    return tidy("it's", ...next.flatMap((part) => ('text' in part ? [part.text] : [])), 'to', base);
  if (SAY.test(base)) return join(said.text, embedded(next));
  if (TELL.test(base) && head?.kind === 'question') return join(said.text, told(head.text, next.slice(1)));
  if (CAUSE.test(base)) return join(said.text, bare(next));
  if (/ (?:for|from|about)$/.test(base)) return join(said.text, gerund(next));
  const takesTo = read.main === null || TAKES_TO.test(base) || /^be\b/.test(base);
  if (takesTo && head?.kind !== 'modal') return join(said.text, 'to', bare(next));
  if (said.shared === null || /^please\b/.test(said.text)) return join(said.text, 'and', bare(next));
  return join(said.text, 'and', clause(next, { ...EMBEDDED, shared: said.shared }));
}

/** 使用很方便: "it's very convenient to use". */
const isQuality = (parts: readonly Part[]): boolean =>
  parts.length > 1 && parts.every(({ kind }, at) => kind === (at === parts.length - 1 ? 'adjective' : 'adverb'));

const gerund = (parts: readonly Part[]): string => {
  const at = parts.findIndex(({ kind }) => kind === 'verb');
  return bare(
    parts.map((part, index) =>
      index === at && part.kind === 'verb' ? { ...part, verb: { base: gerundOf(part.verb) } } : part,
    ),
  );
};

/** What the second verb asks for comes first: "What size should I choose?" */
function questionFirst(read: Clause, next: readonly Part[]): [Clause, readonly Part[]] {
  const at = next.findIndex(({ kind }) => kind === 'question');
  const asked = next[at];
  const base = read.main?.verb.base ?? '';
  if (read.rest < 0 || asked?.kind !== 'question' || SAY.test(base) || TELL.test(base)) return [read, next];
  return [{ ...read, question: asked.text }, next.filter((_, index) => index !== at)];
}

/** "tell me how to use it", "tell me which color you want". */
const told = (asked: string, parts: readonly Part[]): string =>
  parts.some(({ kind }) => kind === 'noun') || !/^(?:how|where|when|what|which one)$/.test(asked)
    ? join(asked, embedded(parts))
    : join(asked, 'to', bare(parts));

/** A clause after "know" or "or": a question in it is not inverted. */
const embedded = (parts: readonly Part[]): string => {
  const [head] = parts;
  if (head?.kind === 'question') return join(head.text, clause(parts.slice(1), EMBEDDED));
  return hasPredicate(parts) ? clause(parts, EMBEDDED) : withoutVerb(parts, false);
};

/** Verbs that follow another, in their base form. */
const bare = (parts: readonly Part[]): string =>
  clause(
    parts.filter((part) => part.kind !== 'mark' || !['了', '吗', '过'].includes(part.zh)),
    { ...EMBEDDED, isBare: true },
  );

/** Of these, 多少 is "what". */
const MEASURE = /(?:quantity|number|size|price|weight|capacity|length|voltage|power|rate|date|height|width|ratio)$/;

const REFLEXIVE: Readonly<Record<string, string>> = { i: 'myself', we: 'ourselves', it: 'itself' };

/** "install it oneself" of the person who is spoken of. */
const reflexive = (said: string): string =>
  said.replace(
    /\boneself\b/,
    () => REFLEXIVE[/\b(?:i|we|you|it)\b/i.exec(said)?.[0].toLowerCase() ?? ''] ?? 'yourself',
  );

type Said = { readonly text: string; readonly shared: Shared | null };

function finite(read: Clause, mode: Mode): Said {
  const { main, modal, adverbs, isNegative } = read;
  const isQuestion = read.isQuestion || read.question !== null;
  if (mode.sentence) mode.sentence.asks = isQuestion;
  const verb: Verb = main?.verb ?? { base: join('be', read.predicate) };
  const { subject: own, object: stated } = subjectAndObject(read);
  const object = stated === '' && lacksObject(read, own) ? 'it' : stated;
  const after = [object, read.compared, read.agent, ...read.tail, ...read.times];
  if (mode.isBare)
    return { text: tidy(isNegative ? 'not' : '', modal ?? '', ...adverbs, verb.base, ...after), shared: null };
  if (main === null && read.predicate === '' && modal === 'can') {
    const noun = own === null ? 'that' : definite(own).text;
    return {
      text: isQuestion ? tidy('is', noun, 'OK', ...after) : tidy(noun, isNegative ? "isn't" : 'is', 'OK'),
      shared: null,
    };
  }
  const isThere = main?.zh === '有' && own === null && !isQuestion && mode.isFirst && modal === null;
  if (isThere) return { text: thereIs(read, object), shared: null };
  const isPassive =
    read.isPassive ||
    (own === null && object === '' && /^can/.test(modal ?? '') && PRODUCT.test(verb.base)) ||
    (own !== null && !own.isPronoun && !own.isPerson && main !== null && object === '' && ACTED_ON.test(verb.base));
  const taken = mode.shared?.subject ?? (own === null && !read.isCommand && !isQuestion ? mode.subject : null);
  const subject =
    own ??
    taken ??
    (read.isCommand || read.question === 'who'
      ? null
      : impliedSubject(read, { verb, isPassive, isQuestion, isCondition: mode.isCondition === true }));
  if (read.subject !== null && mode.sentence) mode.sentence.subject = read.subject;
  const isCommand = (subject === null && read.question !== 'who') || (read.isCommand && subject?.text === 'you');
  if (isCommand) {
    const words = [read.isCommand ? 'please' : '', isNegative ? "don't" : '', ...adverbs, modal ?? '', verb.base];
    return { text: tidy(...words, ...after), shared: null };
  }
  const isInverted = isQuestion && !(read.question === 'who' && own === null);
  const tense = tenseOf(read, {
    isPassive,
    isPast: mode.shared?.isPast === true,
    isCondition: mode.isCondition === true,
  });
  const [auxiliary, rest] = conjugate({
    verb: isPassive ? { base: `be ${participleOf(verb)}` } : verb,
    subject: subject?.agreement ?? 'singular',
    tense,
    isNegative,
    modal,
    adverbs: adverbs.filter((each) => !isNegative || each !== 'already').join(' '),
    isInverted,
  });
  const shared = subject && !modal && !isInverted ? { subject, isPast: /^(?:past|perfect)$/.test(tense) } : null;
  // A noun is not repeated: "The courier called, sent it back".
  const isSaid = subject !== null && !mode.shared && (subject !== taken || subject.isPronoun);
  const said = isSaid ? definite(subject).text : '';
  if (!isInverted)
    return { text: tidy(read.question === 'who' && own === null ? 'who' : said, auxiliary, rest, ...after), shared };
  const asked = read.question === 'how much' && main?.zh === '是' && MEASURE.test(said) ? 'what' : read.question;
  return { text: tidy(asked ?? '', auxiliary, said, rest, ...after), shared };
}

/** A topic before the subject is its owner, its first part, or the object: 发票我们可以开. */
function subjectAndObject({ topic, subject, object, question, main }: Clause): {
  subject: Noun | null;
  object: string;
} {
  // 运费谁出: what is spoken of is the object.
  if (question === 'who' && subject !== null && object === '' && main?.zh !== '是')
    return { subject: null, object: definite(subject).object };
  if (topic === null || subject === null) return { subject, object };
  if (subject.isPronoun) return { subject, object: join(object, definite(topic).object) };
  // 你们这是骗人: the person is the subject.
  if (topic.isPronoun && /^(?:this|that)\b/.test(subject.text)) return { subject: topic, object };
  const owner = topic.isPronoun ? topic.possessive : topic.isPerson ? definite(topic).possessive : definite(topic).text;
  return { subject: nominal(`${owner} ${subject.text}`, { agreement: subject.agreement }), object };
}

function thereIs({ adverbs, isNegative, tail, times }: Clause, object: string): string {
  const noun = isNegative ? object.replace(/^(?:an?|the) /, '') : object;
  return tidy(...adverbs, 'there is', isNegative ? 'no' : '', noun, ...tail, ...times);
}

type Given = { readonly isPassive: boolean; readonly isPast: boolean; readonly isCondition: boolean };

function tenseOf(read: Clause, { isPassive, isPast, isCondition }: Given): Tense {
  const isBe = read.main === null || /^be\b/.test(read.main.verb.base);
  if (read.isProgressive) return 'progressive';
  if ((read.isPast || (isPast && read.modal === null)) && !read.isFuture) return 'past';
  if (read.isPerfect || (read.isQuestion && read.question === null && read.isDone && !isBe)) return 'perfect';
  if (read.isDone && (isPassive || !isBe)) return 'past';
  if (read.question === 'when' && read.modal === null && !isBe) return 'future';
  return read.isFuture && read.modal === null && !isCondition ? 'future' : 'present';
}

const CONTRACTED: readonly (readonly [RegExp, string])[] = [
  [/\b(I) am\b(?! not)/g, "$1'm"],
  [/\b(it|he|she|that|there|what|where|who|how) is\b(?! (?:it|this|that|the)\b)/gi, "$1's"],
  [/\b(you|we|they) are\b/gi, "$1're"],
  [/\b(I|you|we|they) have (?=(?:already |just |always |also )?\w+(?:ed|en|ught|nt|ade|ept|one|ut|ot)\b)/gi, "$1've "],
  [/\b(I|you|we|they|it) will\b/gi, "$1'll"],
  [/\b(I|we) would like\b/gi, "$1'd like"],
  [/\bcannot\b/g, "can't"],
];

const tidy = (...parts: readonly string[]): string => {
  const text = join(...parts)
    .replace(/\s+/g, ' ')
    .replace(/\b(please) \1\b/g, '$1')
    .trim();
  return CONTRACTED.reduce((said, [from, to]) => said.replace(from, to), text);
};
