const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;

/** How often a text breaks its line. */
export const countBreaks = (text: string): number => text.match(BREAK)?.length ?? 0;

/** An answer with the very line breaks of its source, or null when it has another number of them. */
export const withBreaksOf = (source: string, answer: string): string | null => {
  const breaks = source.match(BREAK) ?? [];
  if (countBreaks(answer) !== breaks.length) return null;
  let at = 0;
  return answer.replace(BREAK, (found) => breaks[at++] ?? found);
};

/** A text as lines, each with the break at its end. Joined they are the text. */
export const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(BREAK)) {
    lines.push(text.slice(end, index + found.length));
    end = index + found.length;
  }
  return [...lines, text.slice(end)];
};
