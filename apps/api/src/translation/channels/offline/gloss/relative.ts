import { conjugate, participleOf } from './english.js';
import { definite, join, nominal, type Noun, type Part, type Verbal } from './parts.js';

/** Relative clauses: 我买的鞋子 becomes one noun phrase. */
export function reduced(parts: readonly Part[]): Part[] {
  const at = parts.findIndex((part, index) => part.kind === 'mark' && part.zh === '的' && isClauseEnd(parts, index));
  if (at < 0) return parts.filter((part) => part.kind !== 'mark' || part.zh !== '的');
  const head = parts[at + 1];
  let from = at - 1;
  while (from > 0 && isInRelative(parts, from - 1)) from -= 1;
  const inner = parts.slice(from, at);
  const isLast = head === undefined;
  if (
    isLast &&
    parts.some((part, index) => index < at && part.kind === 'verb' && /^(?:be|look like)/.test(part.verb.base))
  )
    return reduced(whatIsDone(parts, at) ?? parts.filter((_, index) => index !== at));
  const noun = head?.kind === 'noun' && !head.isPronoun ? head : null;
  const agreement = noun?.agreement ?? 'singular';
  const subject = inner.find(
    (part): part is Noun =>
      part.kind === 'noun' && inner.indexOf(part) < inner.findIndex(({ kind }) => kind === 'verb'),
  );
  const said = relative(inner, subject ?? null);
  const text = noun ? join(definite(noun).text, said) : join('the one', said);
  return reduced([...parts.slice(0, from), nominal(text, { agreement }), ...parts.slice(noun ? at + 2 : at + 1)]);
}

/** 这不是我买的: "what I bought". */
function whatIsDone(parts: readonly Part[], at: number): Part[] | null {
  const [be, person, verb] = [parts[at - 3], parts[at - 2], parts[at - 1]];
  if (be?.kind !== 'verb' || person?.kind !== 'noun' || !person.isPronoun || verb?.kind !== 'verb') return null;
  return [...parts.slice(0, at - 2), nominal(join('what', relative([person, verb], person))), ...parts.slice(at + 1)];
}

const isClauseEnd = (parts: readonly Part[], at: number): boolean => {
  const before = parts[at - 1];
  return (
    before?.kind === 'verb' ||
    (before?.kind === 'mark' && (before.zh === '过' || before.zh === '了') && parts[at - 2]?.kind === 'verb')
  );
};

const isInRelative = (parts: readonly Part[], at: number): boolean => {
  const part = parts[at];
  if (!part) return false;
  if (part.kind === 'verb')
    return parts[at + 1]?.kind === 'mark' && (parts[at + 1] as { zh: string }).zh !== '的'
      ? !parts.slice(at + 1).some((next, offset) => offset < 2 && next.kind === 'verb')
      : false;
  if (part.kind === 'noun') return parts[at + 1]?.kind !== 'noun' && (part.isPronoun || at === 0);
  return (
    part.kind === 'adverb' ||
    part.kind === 'phrase' ||
    part.kind === 'modal' ||
    (part.kind === 'mark' && part.zh !== '把')
  );
};

const relative = (inner: readonly Part[], subject: Noun | null): string => {
  const verb = inner.find((part): part is Verbal => part.kind === 'verb');
  if (!verb) return '';
  const after = inner.flatMap((part) => (part.kind === 'phrase' ? [part.text] : []));
  const isNegative = inner.some((part) => part.kind === 'mark' && (part.zh === '不' || part.zh === '没'));
  const modal = inner.find((part) => part.kind === 'modal');
  if (!subject) return join(isNegative ? 'not' : '', participleOf(verb.verb), ...after);
  const [auxiliary, main] = conjugate({
    verb: verb.verb,
    subject: subject.agreement,
    tense: modal || verb.verb.base === 'want' || verb.verb.base === 'need' ? 'present' : 'past',
    isNegative,
    modal: modal?.text,
    isInverted: false,
  });
  return join(definite(subject).text, auxiliary, main, ...after);
};
