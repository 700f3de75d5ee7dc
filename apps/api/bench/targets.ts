/** A figure with its limit. `found`: the median of `rounds` or of all samples together; NaN if it could not be measured. */
export type Target = {
  name: string;
  kind: 'at least' | 'at most' | 'below';
  gate: number;
  aim?: number;
  unit: '' | '/s' | '×' | ' s' | ' ms' | ' MB' | ' kB' | ' B';
  found: number;
  rounds?: readonly number[];
};

/** The result of a part of the bench: a table, the same as data, and its targets. */
export type Report = { text: string; json: unknown; targets: Target[] };

/**
 * The settings of every part. `server`: the URL of any database of the server, as a superuser. `scale`: above 0 and up to 1, the share of
 * durations and crowd sizes; below 1 a run only shows that the bench works.
 */
export type Settings = { server: string; rounds: number; scale: number; log: (text: string) => void };

/** `count` at this scale, at least 1. */
export const some = (count: number, scale: number): number => Math.max(1, Math.round(count * scale));

const SIGNS = { 'at least': '≥', 'at most': '≤', below: '<' };

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** The ratio of each round that has both figures; their median is used, not a ratio of medians. */
export const ratios = <R>(rounds: readonly R[], of: (round: R) => number, to: (round: R) => number | null): number[] =>
  rounds.flatMap((round) => {
    const base = to(round);
    return base ? [of(round) / base] : [];
  });

/** A target measured in rounds. */
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

/** Name, limit, median, verdict and the rounds. */
export function targetLine(target: Target): string {
  const { name, kind, gate, aim, unit, found, rounds } = target;
  const limit = `${SIGNS[kind]} ${gate}${unit}${aim ? `, aim ${aim}${unit}` : ''}`;
  const digits = [' MB', ' B', '/s'].includes(unit) ? 0 : unit === ' ms' && gate > 1 ? 1 : 2;
  const value = Number.isNaN(found) ? '' : `${found.toFixed(digits)}${unit}`;
  const behind = rounds && rounds.length > 0 ? `  [${rounds.map((n) => n.toFixed(n < 2 ? 2 : 1)).join(' ')}]` : '';
  return `  ${name.padEnd(54)} ${limit.padEnd(17)} ${value.padStart(8)}  ${verdict(target)}${behind}`;
}

export const withVerdict = (target: Target): Target & { verdict: string } => ({ ...target, verdict: verdict(target) });
