import type { TermIndex } from '@yiqiao/domain/glossary';
import { TEXTS_AT_ONCE } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import { ChannelFailure, type TextWarning } from '../channels/channel.js';
import type { Routed, RoutedOutcome, Router, RouteRequest } from '../routing/router.js';
import { joinUses } from '../vendor-use.js';
import type { Markup } from './markup.js';
import type { Sentence } from './sentence.js';

/** A text; `markup`: as it was read when it has any. */
export type RoutedText = { readonly text: string; readonly markup?: Markup | null };

/**
 * A sentence of a text on its way: what the channels said, and what goes in its place. `written` null: it stays as it is, unless it `isOpen`:
 * then it is tried once more.
 */
type Passage = {
  readonly sentence: Sentence;
  readonly outcomes: readonly RoutedOutcome[];
  readonly written: string | null;
  readonly isOpen: boolean;
};

type Route = Omit<RouteRequest, 'texts'>;

/**
 * Translates texts with and without markup through the channels, which see sentences with placeholders and no markup. A sentence whose
 * placeholders come back missing, doubled or out of their places is translated once more, each run of words between two tags by itself. Texts of
 * more than 50 sentences together are sent with several sentences in one text, a line each, as some channels take one text at a time. One
 * outcome per text, in order, both tries within the time of one; never throws for a text.
 */
export async function routeTexts(
  router: Pick<Router, 'translate' | 'deadline'>,
  route: Route,
  texts: readonly RoutedText[],
): Promise<readonly RoutedOutcome[]> {
  if (!texts.some(({ markup }) => markup)) return router.translate({ ...route, texts: texts.map(({ text }) => text) });
  const timed = { ...route, deadline: router.deadline() };
  const index = route.terms?.index;
  const read = texts.map(({ text, markup }) => ({ text, markup: markup ? whole(markup, index) : null }));
  const count = read.reduce((sum, { markup }) => sum + (markup?.sentences.length ?? 1), 0);
  const bundles = read.map(({ markup }) => bundlesOf(markup?.sentences ?? [], Math.ceil(count / TEXTS_AT_ONCE)));
  const sent = read.map(({ text, markup }, at) =>
    markup ? (bundles[at] ?? []).map((bundle) => bundle.map(({ masked }) => masked).join('\n')) : [text],
  );
  const firsts = grouped(await router.translate({ ...timed, texts: sent.flat() }), sent);
  const passages = bundles.map((all, at) => all.flatMap((bundle, nth) => firstTry(bundle, firsts[at]?.[nth])));
  const damaged = passages.flat().filter(({ isOpen }) => isOpen);
  const runs = damaged.map(({ sentence }) => sentence.runs.filter(({ asked }) => asked).map(({ text }) => text.trim()));
  const seconds = runs.length === 0 ? [] : grouped(await router.translate({ ...timed, texts: runs.flat() }), runs);
  const mended = new Map(damaged.map((passage, nth) => [passage, secondTry(passage, seconds[nth] ?? [])]));
  return read.map(({ markup }, at) =>
    markup
      ? joined(
          markup,
          (passages[at] ?? []).map((passage) => mended.get(passage) ?? passage),
        )
      : (firsts[at]?.[0] ?? missing()),
  );
}

const whole = (markup: Markup, terms: TermIndex | undefined): Markup => (terms ? markup.withWhole(terms) : markup);

/** The outcomes of all texts, for each group of them. */
const grouped = (
  outcomes: readonly RoutedOutcome[],
  groups: readonly (readonly string[])[],
): readonly (readonly RoutedOutcome[])[] => {
  let from = 0;
  return groups.map(({ length }) => outcomes.slice(from, (from += length)));
};

const isAnswer = (outcome: RoutedOutcome): outcome is Routed => !(outcome instanceof ChannelFailure);

const missing = (): ChannelFailure => new ChannelFailure('unavailable', 'a text was left without an outcome');

const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Groups of at most `size` sentences in a row. One with a line break in it is alone. */
const bundlesOf = (sentences: readonly Sentence[], size: number): readonly (readonly Sentence[])[] => {
  const bundles: Sentence[][] = [];
  let room = 0;
  for (const sentence of sentences) {
    const isAlone = LINE_BREAK.test(sentence.masked);
    if (isAlone || room === 0) bundles.push([]);
    bundles.at(-1)?.push(sentence);
    room = isAlone ? 0 : (room === 0 ? size : room) - 1;
  }
  return bundles;
};

const firstTry = (bundle: readonly Sentence[], outcome: RoutedOutcome = missing()): Passage[] => {
  const isOne = bundle.length === 1;
  if (!isAnswer(outcome)) {
    // One sentence in the target language may have failed them all.
    const isOpen = !isOne && outcome.kind === 'bad-answer';
    return bundle.map((sentence) => ({ sentence, outcomes: isOpen ? [] : [outcome], written: null, isOpen }));
  }
  const lines = isOne ? [outcome.translated] : outcome.translated.split('\n');
  const isWhole = lines.length === bundle.length && (isOne || outcome.quality === 'translation');
  return bundle.map((sentence, nth) => {
    const written = isWhole ? sentence.restore(lines[nth] ?? '') : null;
    const outcomes = [nth === 0 ? outcome : { ...outcome, warning: null, vendor: null }];
    return { sentence, outcomes, written, isOpen: written === null };
  });
};

/** A run that has no translation of its own, like a name, stays as it is. */
const secondTry = ({ sentence, outcomes }: Passage, seconds: readonly RoutedOutcome[]): Passage => {
  const asked = sentence.runs.filter((run) => run.asked);
  const answers = seconds.map((outcome, nth) => (isAnswer(outcome) ? outcome.translated : (asked[nth]?.text ?? '')));
  const failed = seconds.find((outcome) => outcome instanceof ChannelFailure && outcome.kind !== 'bad-answer');
  if (failed) return { sentence, outcomes: [failed], written: null, isOpen: false };
  const served = seconds.filter(isAnswer);
  if (served.length === 0) return { sentence, outcomes: seconds, written: null, isOpen: false };
  // Both tries were paid for; only the second one is shown.
  const paid = outcomes.filter(isAnswer).map((first) => ({ ...first, warning: null }));
  return { sentence, outcomes: [...served, ...paid], written: sentence.compose(answers), isOpen: false };
};

/**
 * The outcome of a text by those of its sentences. A sentence that no channel translates, as it is in the target language already, stays as it
 * is in a text whose greater part is translated; any other failure is the text's.
 */
const joined = (markup: Markup, passages: readonly Passage[]): RoutedOutcome => {
  const failures = passages.flatMap(({ outcomes }) => outcomes.filter((one) => one instanceof ChannelFailure));
  const failure = failures.find(({ kind }) => kind !== 'bad-answer');
  if (failure) return failure;
  const stayed = passages.filter(({ written }) => written === null).map(({ sentence }) => sentence.words);
  const served = passages.flatMap(({ sentence, outcomes }) =>
    outcomes.filter(isAnswer).map((answer) => ({ answer, size: codePoints(sentence.words) })),
  );
  const [first] = served;
  if (!first || 2 * codePoints(stayed.join('')) > markup.codePoints)
    return failures[0] ?? new ChannelFailure('bad-answer', 'most sentences stayed as they are');
  return {
    translated: markup.write(passages.map(({ written }) => written)),
    quality: served.some(({ answer }) => answer.quality === 'gloss') ? 'gloss' : 'translation',
    warning: warningOf(
      served.map(({ answer }) => answer),
      stayed,
    ),
    detected: mostOf(served.map(({ answer, size }) => [answer.detected, size])),
    vendor: joinUses(served.map(({ answer }) => answer.vendor)),
    channelId: mostOf(served.map(({ answer, size }) => [answer.channelId, size])) ?? first.answer.channelId,
  };
};

/** What stands for most of the text; null when nothing is known of it. */
const mostOf = <T>(parts: readonly (readonly [T | null, number])[]): T | null => {
  const sizes = new Map<T, number>();
  for (const [value, size] of parts) if (value !== null) sizes.set(value, (sizes.get(value) ?? 0) + size);
  const [most] = [...sizes].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
};

const warningOf = (answers: readonly Routed[], stayed: readonly string[]): TextWarning | null => {
  const warnings = answers.flatMap(({ warning }) => warning ?? []);
  // A placeholder of ours that a channel lost was put back.
  const lost = warnings.flatMap((warning) => (warning.code === 'LOST' ? warning.lost : []));
  const pieces = lost.map((piece) => piece.replace(/\{\d{1,4}\}/g, '')).filter((piece) => piece !== '');
  const other = warnings.find(({ code }) => code !== 'LOST');
  if (other?.code === 'GLOSS') return other;
  if (stayed.length > 0) return { code: 'STAYED', stayed };
  return pieces.length > 0 ? { code: 'LOST', lost: [...new Set(pieces)] } : (other ?? null);
};
