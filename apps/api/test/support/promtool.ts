/** Evaluates infra/monitoring/alerts.yml by Prometheus' own tool. */
import { expect } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { type Exposition, familyOf } from './exposition.js';
import { infra, run } from './packaging.js';

export type Alert = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
};
type Rule = Alert | { record: string; expr: string };

export const RULES = infra('monitoring/alerts.yml');

export const rules = (): Rule[] =>
  (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);

export const alerts = (): Alert[] => rules().filter((rule) => 'alert' in rule);

/** What was shown at one moment, by the name of each process; null for one that did not answer. */
export type Moment = Readonly<Record<string, Exposition | null>>;

/** `hours`: how long it went on as between `before` and now. */
type Span = { before?: Moment; hours?: number };

/** How long it goes on where a test does not say. */
export const HOURS = 2;

/**
 * The alerts that fire when it has gone on for `hours` as between these two moments: what grows has grown evenly, everything else is as it is
 * now. A series that was not there begins with its first event, as a process shows nothing before. Sorted.
 */
async function firing(now: Moment, { before = now, hours = HOURS }: Span = {}): Promise<string[]> {
  const minutes = hours * 60;
  const series = Object.entries(now).flatMap(([instance, exposition]) =>
    (exposition?.samples ?? []).filter(isNumber).map((sample) => {
      const { name, labels, value } = sample;
      const grows = exposition?.types.get(familyOf(sample, exposition.types)) !== 'gauge';
      const first = grows ? find(before[instance], sample) : value;
      const text = Object.entries({ ...exported(labels), instance, job: 'yiqiao' }).map(
        ([label, said]) => `${label}=${JSON.stringify(said)}`,
      );
      const values = first === undefined ? begun(value, minutes) : grown(first, value, minutes);
      return { series: `${name}{${text.join(',')}}`, values };
    }),
  );
  const up = Object.entries(now).map(([instance, exposition]) => ({
    series: `up{instance="${instance}",job="yiqiao"}`,
    values: `${exposition ? 1 : 0}x${minutes}`,
  }));
  const test = {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: [...series, ...up],
        promql_expr_test: [
          { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${minutes}m`, exp_samples: [] },
        ],
      },
    ],
  };
  const { code, out, err } = await runTests(test);
  const got = /got:\s*(.*)/s.exec(out + err)?.[1] ?? '';
  const names = [...got.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name);
  if (code !== 0 && names.length === 0) throw new Error(out + err);
  return [...new Set(names)].sort();
}

/**
 * Fails unless these alerts fire, and no others but `beside`. packaging-alerts.e2e.ts reads these calls: every rule must stand in one. How busy the
 * machine of the tests is says nothing, unless that is asked for.
 */
export async function expectAlerts(
  names: readonly string[],
  now: Moment,
  { beside = [], ...span }: Span & { beside?: readonly string[] } = {},
): Promise<void> {
  const free = new Set(['EventLoopBlocked', ...beside].filter((name) => !names.includes(name)));
  expect((await firing(now, span)).filter((name) => !free.has(name))).toEqual([...names].sort());
}

/** Prometheus gives these two itself, and renames those of a process. */
const exported = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).map(([name, said]) => [/^(job|instance)$/.test(name) ? `exported_${name}` : name, said]),
  );

/** HAProxy shows what it has not measured yet. */
const isNumber = ({ value }: Exposition['samples'][number]): boolean => Number.isFinite(value);

const grown = (first: number, last: number, minutes: number): string =>
  `${first}+${((last - first) / minutes).toFixed(9)}x${minutes}`;

const begun = (last: number, minutes: number): string =>
  ['_', ...Array.from({ length: minutes }, (_, at) => Math.ceil((last * (at + 1)) / minutes))].join(' ');

const find = (
  moment: Exposition | null | undefined,
  { name, labels }: Exposition['samples'][number],
): number | undefined =>
  moment?.samples.find((one) => one.name === name && JSON.stringify(one.labels) === JSON.stringify(labels))?.value;

async function runTests(test: object): Promise<Awaited<ReturnType<typeof run>>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'alerts-'));
  try {
    const file = path.join(folder, 'test.yml');
    await writeFile(file, stringify(test));
    return await run('PROMTOOL', ['test', 'rules', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
