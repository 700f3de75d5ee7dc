/** Evaluates infra/monitoring/alerts.yml by Prometheus' own tool. */
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

/** What all processes showed at one moment, by the name of each. */
export type Moment = Readonly<Record<string, Exposition>>;

/**
 * The alerts that fire when it has gone on for `hours` as between these two moments: what grows has grown evenly, everything else is as it is
 * now. Sorted.
 */
export async function firing(
  now: Moment,
  { before = now, hours = 2 }: { before?: Moment; hours?: number } = {},
): Promise<string[]> {
  const minutes = hours * 60;
  const series = Object.entries(now).flatMap(([instance, exposition]) =>
    exposition.samples.map((sample) => {
      const { name, labels, value } = sample;
      const type = exposition.types.get(familyOf(sample, exposition.types));
      const first = type === 'gauge' ? value : (find(before[instance], sample) ?? 0);
      const step = (value - first) / minutes;
      const all = { ...labels, instance, job: 'yiqiao' };
      const text = Object.entries(all).map(([label, said]) => `${label}=${JSON.stringify(said)}`);
      return { series: `${name}{${text.join(',')}}`, values: `${first}+${step.toFixed(9)}x${minutes}` };
    }),
  );
  const up = Object.keys(now).map((instance) => ({
    series: `up{instance="${instance}",job="yiqiao"}`,
    values: `1x${minutes}`,
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

const find = (moment: Exposition | undefined, { name, labels }: Exposition['samples'][number]): number | undefined =>
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
