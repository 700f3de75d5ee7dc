const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>/;
const FENCED = /^```[^\n`]*\n([\s\S]*?)\n?```$/;
const QUOTES: ReadonlyMap<string, string> = new Map(
  ['""', '“”', '‘’', '「」', '『』', '«»', '„“'].map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** A model's answer without what it put around the translation although the source has no such thing: thoughts, code fences, quotes. */
export function unwrapped(answer: string, source: string): string {
  const thought = source.includes('<think>') ? answer : answer.replace(THOUGHTS, '');
  const bare = thought.trim();
  const fenced = source.trimStart().startsWith('```') ? null : FENCED.exec(bare);
  return unquoted((fenced?.[1] ?? bare).trim(), source.trim());
}

function unquoted(answer: string, source: string): string {
  const close = QUOTES.get(answer.charAt(0));
  const inside = answer.slice(1, -1);
  const wrapped = close !== undefined && answer.length > 2 && answer.endsWith(close);
  // `"A" and "B"` only looks wrapped; and who writes in quotes wants quotes.
  if (!wrapped || inside.includes(answer.charAt(0))) return answer;
  return ALL_QUOTES.test(source) ? answer : inside.trim();
}

/** At either end of a source: a quotation, in whatever marks its language uses. */
const ALL_QUOTES = /^["“”'‘’「『«»„‟]|["“”'‘’」』«»]$/;
