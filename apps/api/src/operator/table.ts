/** Aligned columns for a terminal, where a Han character is two columns wide. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(width(name), ...rows.map((row) => width(row[at] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}

const width = (text: string): number => [...text].reduce((sum, c) => sum + (/[\u1100-\uFFDC]/.test(c) ? 2 : 1), 0);

/** A value that can be shown before and after a change. */
export type ChangeValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `before → after`, one line per changed value. */
export function changes(before: ChangeValues, after: ChangeValues): string[] {
  return Object.keys(after)
    .filter((key) => shown(before[key]) !== shown(after[key]))
    .map((key) => `  ${key}: ${shown(before[key])} → ${shown(after[key])}`);
}

function shown(value: ChangeValues[string]): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'number' ? value.toLocaleString('en-US') : String(value);
}
