/** A range of a text, in UTF-16 units, `end` excluded. Never empty. */
export type TextRange = { readonly start: number; readonly end: number };

/** Sorts ranges and merges those that overlap or touch. */
export const union = (spans: readonly TextRange[]): TextRange[] => {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
};
