/** A figure that the plan asks for. `found`: NaN when it could not be measured; `rounds`: what each round found; `found` is their median, or that of all together. */
export type Target = {
  name: string;
  kind: 'at least' | 'at most' | 'below';
  gate: number;
  aim?: number;
  unit: '' | '/s' | '×' | ' ms' | ' MB' | ' kB' | ' B';
  found: number;
  rounds?: readonly number[];
};

/** What a part of the bench answers: a table for people, the same as data, and what is asked of it. */
export type Findings = { text: string; json: unknown; targets: Target[] };

/**
 * What every part is given. `server`: the URL of any database of the server, as a superuser. `scale`: which share of its times and
 * crowds a part takes, above 0 and up to 1; less than 1 tells whether it runs, and nothing else.
 */
export type Setting = { server: string; rounds: number; scale: number; say: (text: string) => void };

/** So many of something at this scale, and never none. */
export const some = (count: number, scale: number): number => Math.max(1, Math.round(count * scale));

const SIGNS = { 'at least': '≥', 'at most': '≤', below: '<' };

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** The ratios of the rounds that have both; a ratio is the median of the rounds' ratios, not a ratio of medians. */
export const ratios = <R>(rounds: readonly R[], of: (round: R) => number, to: (round: R) => number | null): number[] =>
  rounds.flatMap((round) => {
    const base = to(round);
    return base ? [of(round) / base] : [];
  });

/** A target over rounds. */
export const overRounds = (rounds: readonly number[], target: Omit<Target, 'found' | 'rounds'>): Target => ({
  ...target,
  found: median(rounds),
  rounds,
});

export const times = (n: number): string => (Number.isNaN(n) ? 'skipped' : `${n.toFixed(2)}×`);
export const rate = (n: number): string => (Number.isNaN(n) ? 'skipped' : Math.round(n).toLocaleString('en-US'));

export function verdict({ kind, gate, found }: Target): 'met' | 'MISSED' | 'skipped' {
  if (Number.isNaN(found)) return 'skipped';
  const met = kind === 'at least' ? found >= gate : kind === 'at most' ? found <= gate : found < gate;
  return met ? 'met' : 'MISSED';
}

/** Name, what is asked, what was found with the rounds behind it, and whether that is enough. */
export function targetLine(target: Target): string {
  const { name, kind, gate, aim, unit, found, rounds } = target;
  const asked = `${SIGNS[kind]} ${gate}${unit}${aim ? `, aim ${aim}${unit}` : ''}`;
  const digits = [' MB', ' B', '/s'].includes(unit) ? 0 : unit === ' ms' && gate > 1 ? 1 : 2;
  const value = Number.isNaN(found) ? '' : `${found.toFixed(digits)}${unit}`;
  const behind = rounds && rounds.length > 0 ? `  [${rounds.map((n) => n.toFixed(n < 2 ? 2 : 1)).join(' ')}]` : '';
  return `  ${name.padEnd(54)} ${asked.padEnd(17)} ${value.padStart(8)}  ${verdict(target)}${behind}`;
}

export const withVerdict = (target: Target): Target & { verdict: string } => ({ ...target, verdict: verdict(target) });
