/** The alerts, their tests, their pages and the dashboard, held against Prometheus' own tool and the table of figures (docs/decisions/0066). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { INSTRUMENTS } from '../src/platform/telemetry/instrument-table.js';
import { prometheusName } from '../src/platform/telemetry/instruments.js';
import { infra, root, run } from './support/packaging.js';
import { alerts, RULES, rules } from './support/promtool.js';

const TESTS = infra('monitoring/alerts.test.yml');
/** Those of Prometheus itself, of the blackbox exporter, of HAProxy, and of CloudNativePG with its plugin for object stores. */
const OTHERS = [
  ...['up', 'ALERTS', 'probe_ssl_earliest_cert_expiry', 'haproxy_backend_active_servers', 'cnpg_collector_up'],
  ...['last_archived_time', 'last_failed_time', 'seconds_since_last_archival'].map(
    (name) => `cnpg_pg_stat_archiver_${name}`,
  ),
  ...['last_available_backup_timestamp', 'last_failed_backup_timestamp'].flatMap((name) => [
    `cnpg_collector_${name}`,
    `barman_cloud_cloudnative_pg_io_${name}`,
  ]),
];
/** Alerts whose cause takes Kubernetes: they fire in the tests by promtool alone. */
const WITHOUT_CAUSE = ['CnpgBackupFailed', 'CnpgBackupLate'];

/** The labels of each figure; of a histogram under its three names. */
const figures = new Map(
  Object.entries(INSTRUMENTS).flatMap(([name, { kind, labels }]) => {
    const all = ['service_name', 'instance', 'job', ...labels.map((label) => label.replaceAll('.', '_'))];
    const own = prometheusName(name);
    return kind === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((end): [string, Set<string>] => [own + end, new Set([...all, 'le'])])
      : [[own, new Set(all)] as [string, Set<string>]];
  }),
);
const recorded = new Set(rules().flatMap((rule) => ('record' in rule ? [rule.record] : [])));

/** What an expression names that nobody shows: figures, and labels of figures. */
function unknownIn(expression: string): string[] {
  const selectors = [
    ...expression
      .replaceAll(/\boffset \w+/g, '')
      .matchAll(/([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^}]*)\})?(?=\s*(?:\[|\)|[<>=+\-*/,]|$| and| or|\n))/g),
  ];
  return selectors.flatMap(([, name = '', matchers = '']) => {
    if (/^(and|or|by|le|time|vector|absent|\d.*)$/.test(name) || recorded.has(name) || OTHERS.includes(name)) return [];
    const labels = figures.get(name);
    if (!labels) return isLabel(expression, name) ? [] : [name];
    return [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].flatMap(([, label = '']) =>
      labels.has(label) ? [] : [`${name}{${label}}`],
    );
  });
}
/** Whether it only stands in `by (…)`. */
const isLabel = (expression: string, name: string): boolean =>
  [...expression.matchAll(/by \(([^)]*)\)/g)].some(([, labels = '']) => labels.split(/,\s*/).includes(name));

describe('promtool', () => {
  it('understands the rules and the configuration', async () => {
    const checked = await run('PROMTOOL', ['check', 'rules', '--lint=all', '--lint-fatal', RULES]);
    expect([checked.code, checked.err]).toEqual([0, '']);
    const config = await run('PROMTOOL', ['check', 'config', '--lint=all', infra('monitoring/prometheus.yml')]);
    expect([config.code, config.err]).toEqual([0, '']);
  });

  it('passes the tests of the alerts', async () => {
    const { code, out, err } = await run('PROMTOOL', ['test', 'rules', TESTS]);
    expect([code, out + err]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('would not with another threshold', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rules-'));
    try {
      const { tests, ...settings } = parse(readFileSync(TESTS, 'utf8')) as { tests: { name: string }[] };
      const disks = { ...settings, tests: tests.filter(({ name }) => name === 'disks') };
      writeFileSync(path.join(folder, 'alerts.test.yml'), stringify(disks));
      const tested = async (rules: string) => {
        writeFileSync(path.join(folder, 'alerts.yml'), rules);
        const { code, out, err } = await run('PROMTOOL', ['test', 'rules', path.join(folder, 'alerts.test.yml')]);
        return [code, out + err];
      };
      const text = readFileSync(RULES, 'utf8');
      expect(await tested(text)).toEqual([0, expect.stringContaining('SUCCESS')]);
      expect(await tested(text.replace('< 20 * 1024^3', '< 1024^3'))).toEqual([1, expect.stringContaining('DiskLow')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the alerts', () => {
  it('name only figures and labels that there are', () => {
    expect(rules().flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    expect(unknownIn('max(yiqiao_outbox_oldest_seconds) > 1')).toEqual(['yiqiao_outbox_oldest_seconds']);
    expect(unknownIn('max(yiqiao_nightly_state{name="audit"}) > 1')).toEqual(['yiqiao_nightly_state{name}']);
  });

  it('each have a page in the runbook, and each page an alert', () => {
    const text = readFileSync(path.join(root, 'docs/runbook.md'), 'utf8');
    const pages = [...text.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(pages).toEqual(alerts().map(({ alert }) => alert));
    for (const { alert, labels, annotations } of alerts()) {
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });

  it('each fire by their real cause in a test but for two, and no test expects another', () => {
    const folder = import.meta.dirname;
    const suites = readdirSync(folder).filter((name) => /^alerts.*\.e2e\.ts$/.test(name));
    const texts = suites.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const caused = texts.flatMap((text) =>
      [...text.matchAll(/\bexpectAlerts\(\s*\[([^\]]*)\]/g)].flatMap(([, names]) => namesIn(names)),
    );
    expect([...new Set(caused), ...WITHOUT_CAUSE].sort()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .sort(),
    );
  });

  it('each fire in a test by promtool, and in another moment do not', () => {
    type Expected = { expr: string; exp_samples: unknown[] };
    const { tests } = parse(readFileSync(TESTS, 'utf8')) as { tests: { promql_expr_test: Expected[] }[] };
    const said = tests.flatMap(({ promql_expr_test }) => promql_expr_test);
    const expecting = (fires: boolean): string[] =>
      alerts()
        .map(({ alert }) => alert)
        .filter((alert) =>
          said.some(
            ({ expr, exp_samples }) =>
              exp_samples.length > 0 === fires &&
              expr.includes(`{alertname="${alert}"${fires ? ',alertstate="firing"' : ''}`),
          ),
        );
    const all = alerts().map(({ alert }) => alert);
    expect(expecting(true)).toEqual(all);
    expect(expecting(false)).toEqual(all);
  });
});

describe('the objective for latency', () => {
  /** Modules by which something outside is asked, each without `externalCall`, and why that is right. */
  const ASKING: Readonly<Record<string, string>> = {
    'translation/channels/vendor-http.ts': 'its callers wait by externalCall, or move a file',
    'platform/public-agent.ts': 'used by webhooks/webhook-sender.ts',
    'platform/mail.ts': 'worker',
    'ledger/closes/anchor-closes.ts': 'worker',
    'ledger/closes/witness-copies.ts': 'operators and command line',
    'backup/storage.ts': 'worker and command line',
    'operator/doctor/check-partners.ts': 'command line',
    'operator/doctor/check-installation.ts': 'command line',
    'operator/demo-history/set-clock.ts': 'command line',
    'operator/demo.ts': 'command line',
  };
  const OUTSIDE =
    /from '(undici|nodemailer|alipay-sdk|@aws-sdk\/[\w-]+)'|(?<![#.\w])fetch\(|\b(connect|request|get)\b[^\n]* from 'node:(net|tls|https?|http2)'/;

  it('leaves out every request that waits for somebody outside', () => {
    const folder = path.join(root, 'apps/api/src');
    const asking = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) return false;
      const text = readFileSync(path.join(folder, name), 'utf8');
      return OUTSIDE.test(text) && !/\bexternalCall\(/.test(text);
    });
    expect(asking.sort()).toEqual(Object.keys(ASKING).sort());
  });
});

const namesIn = (list = ''): string[] => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);

describe('the dashboard', () => {
  type Panel = { title: string; targets?: { expr: string }[] };
  const { panels } = JSON.parse(readFileSync(infra('monitoring/dashboard.json'), 'utf8')) as { panels: Panel[] };

  it('shows only figures that there are', () => {
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.map((expr) => expr.replaceAll('$__rate_interval', '5m')).flatMap(unknownIn)).toEqual([]);
  });
});
