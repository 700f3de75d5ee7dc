/** The Helm chart, rendered and held against Kubernetes and the operators that it uses, without a cluster (docs/decisions/0064). */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { problemOfTarget } from '../src/webhooks/target-rules.js';
import { problemsIn, type Manifest } from './support/manifests.js';
import { documentedSettings, documentsIn, helm, infra, rendered, required, root } from './support/packaging.js';

type Labels = Record<string, string>;
type Named = { name: string };
type Container = Named & {
  image: string;
  args?: string[];
  env: (Named & { value?: string; valueFrom?: { secretKeyRef?: Named & { key: string } } })[];
  envFrom?: { secretRef: Named & { optional?: boolean } }[];
  ports?: (Named & { containerPort: number })[];
  securityContext: object;
  resources: { limits?: { memory?: string }; requests?: object };
  volumeMounts?: (Named & { mountPath: string; readOnly?: boolean })[];
  livenessProbe?: { httpGet?: { path: string; port: string } };
  readinessProbe?: { httpGet?: { path: string; port: string } };
};
type PodTemplate = {
  metadata: { labels: Labels };
  spec: {
    automountServiceAccountToken: boolean;
    securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: object };
    containers: Container[];
    volumes?: Named[];
  };
};
type Selector = { matchLabels: Labels; matchExpressions?: { key: string; values: string[] }[] };
type Spec = {
  template?: PodTemplate;
  jobTemplate?: { spec: { template: PodTemplate } };
  selector?: Labels & Selector;
  ports?: (Named & { targetPort: string })[];
};

const specOf = (manifest: Manifest): Spec => (manifest as unknown as { spec?: Spec }).spec ?? {};
const templateOf = (manifest: Manifest): PodTemplate | undefined =>
  specOf(manifest).template ?? specOf(manifest).jobTemplate?.spec.template;
const templates = (all: readonly Manifest[]): PodTemplate[] => all.flatMap((one) => templateOf(one) ?? []);
const containers = (all: readonly Manifest[]): Container[] => templates(all).flatMap(({ spec }) => spec.containers);
const find = (all: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = all.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const selects = ({ matchLabels, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));

type Port = { port: number | string; endPort?: number };
type Policy = Manifest & {
  spec: {
    podSelector: Selector;
    policyTypes: string[];
    ingress?: { from: { podSelector?: Selector }[]; ports: Port[] }[];
    egress?: { to?: { podSelector?: Selector; ipBlock?: { cidr: string; except?: string[] } }[]; ports: Port[] }[];
  };
};
const policies = (all: readonly Manifest[]): Policy[] => all.filter(({ kind }) => kind === 'NetworkPolicy') as Policy[];
const policyNames = (all: readonly Manifest[], labels: Labels): string[] =>
  policies(all)
    .filter(({ spec }) => selects(spec.podSelector, labels))
    .map(({ metadata }) => metadata.name)
    .sort();

/** A changed copy of the manifest. */
const withChange = <T extends object>(manifest: Manifest, change: (spec: T) => void): Manifest => {
  const copy = structuredClone(manifest);
  change((copy as unknown as { spec: T }).spec);
  return copy;
};

const OWN_STORES = [
  'database.enabled=false',
  'database.host=pg.internal',
  'database.standbyHost=pg-2.internal',
  'redis.enabled=false',
  'redis.url=redis://:$(REDIS_PASSWORD)@redis.internal:6379',
];
const EVERYTHING = [
  'operators.ingress.enabled=true',
  'operators.ingress.host=operators.yiqiao.example',
  'operators.ingress.tlsSecret=operators-tls',
  'ingress.className=public',
  'image.pullSecrets[0].name=registry',
  'database.backup.objectStore=yiqiao-store',
  'database.cluster=yiqiao-db-2',
  'database.recovery.from=yiqiao-db',
  'database.recovery.targetTime=2026-11-20T14:03:05+08:00',
  'drill.enabled=true',
  'files[0].secret=yiqiao-keys,files[0].path=/etc/yiqiao/keys',
  'files[1].configMap=yiqiao-phrasebook,files[1].path=/etc/yiqiao/phrasebook',
  'database.storage.storageClass=fast',
  'redis.storage.storageClass=fast',
  'monitoring.prober=blackbox-exporter.monitoring:9115',
];

const RECOVERY_OF_SNAPSHOT =
  'database.recovery.from=yiqiao-db-1,database.recovery.targetTime=2026-11-20T14:03:05+08:00';

let all: Manifest[];
let tools: string;

beforeAll(async () => {
  tools = required('PACKAGING_TOOLS');
  all = await rendered();
});

describe('helm', () => {
  it('finds nothing wrong with the chart', async () => {
    const { code, out } = await helm(['lint', '--strict']);
    expect(out).toContain('0 chart(s) failed');
    expect(code).toBe(0);
  });

  it.each([
    ['a value that is not there', 'api.minReplica=3', "additional properties 'minReplica' not allowed"],
    ['more processes than the proxy has places', 'api.maxReplicas=9', 'maximum: got 9, want 8'],
    ['a secret among the settings', 'settings.APP_SECRET=0', "invalid propertyName 'APP_SECRET'"],
    ['a password in an address', 'redis.url=redis://:1234@redis:6379', 'does not match pattern'],
    ['no PostgreSQL', 'database.enabled=false', 'database.host: where your PostgreSQL is'],
    ['no address', 'settings.PUBLIC_URL=', "settings.PUBLIC_URL: the site's address"],
    ['files over the program', 'files[0].secret=keys,files[0].path=/app/apps', 'does not match pattern'],
    ['files of nothing', 'files[0].path=/etc/yiqiao/keys', 'oneOf'],
    ['a point in time without a log', RECOVERY_OF_SNAPSHOT, 'snapshots have no WAL'],
    ['a drill with no backup', 'drill.enabled=true', 'drill.backup: a Backup'],
  ])('refuses %s', async (_, value, message) => {
    const { code, err } = await helm(['template', 'yiqiao'], [value]);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  });
});

describe('the manifests', () => {
  it.each([
    ['by default', []],
    [
      'with stores of one’s own',
      [...OWN_STORES, 'monitoring.enabled=false', 'audit.enabled=false', 'ingress.enabled=false'],
    ],
    ['with everything', EVERYTHING],
    [
      'made of a snapshot, with a drill of another',
      [
        'database.recovery.from=yiqiao-db-1',
        'drill.enabled=true',
        'drill.backup=yiqiao-db-2',
        'network.webhookPorts=null',
      ],
    ],
  ])('are what Kubernetes and the operators expect: %s', async (_, values) => {
    expect(problemsIn(await rendered(...values), tools)).toEqual([]);
  });

  it('would not pass with a number as text, out of its range, or with a misspelt field', () => {
    const worker = find(all, 'Deployment', 'yiqiao-worker');
    const database = find(all, 'Cluster', 'yiqiao-db');
    const monitor = find(all, 'PodMonitor', 'yiqiao');
    const problems = problemsIn(
      [
        withChange(worker, (spec: { replicas: unknown }) => (spec.replicas = '2')),
        withChange(worker, (spec: { template: PodTemplate }) =>
          Object.assign(spec.template.spec.containers[0] ?? {}, { imagePullPolice: 'Always' }),
        ),
        withChange(database, (spec: { postgresql: object }) =>
          Object.assign(spec.postgresql, { synchronous: { method: 'any', number: 1, dataDurabilty: 'required' } }),
        ),
        withChange(database, (spec: { postgresql: object }) =>
          Object.assign(spec.postgresql, { synchronous: { method: 'any', number: 1, dataDurability: 'sometimes' } }),
        ),
        withChange(database, (spec: object) => Object.assign(spec, { instances: 0 })),
        withChange(monitor, (spec: object) => Object.assign(spec, { podMetricsEndpoint: [] })),
        { ...worker, kind: 'Deploiment' },
      ],
      tools,
    );
    expect(problems).toEqual([
      expect.stringContaining(`"replicas": "2", Type 'string' is not assignable to type 'number'`),
      expect.stringMatching(/imagePullPolice.* does not exist in type 'IContainer'/),
      expect.stringContaining('podMetricsEndpoint'),
      expect.stringContaining('Cannot find module'),
      expect.stringContaining(
        '/spec/postgresql/synchronous must NOT have additional properties {"additionalProperty":"dataDurabilty"}',
      ),
      expect.stringContaining('/spec/postgresql/synchronous/dataDurability must be equal to one of the allowed values'),
      expect.stringContaining('/spec/instances must be >= 1'),
    ]);
  });

  it('of the documentation are what the operators expect', () => {
    const markdown = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
    const texts = [...markdown.matchAll(/create -f - <<END\n(.*?)\nEND\n/gs)].map(([, text = '']) => text);
    const manifests = texts.flatMap((text) => documentsIn(text) as Manifest[]);
    expect(manifests.map(({ kind }) => kind)).toContain('Backup');
    const named = manifests.map((each) => ({ ...each, metadata: { ...each.metadata, name: 'now' } }));
    expect(problemsIn(named, tools)).toEqual([]);
  });

  it('commit on one standby at least, and wait when there is none', () => {
    expect(find(all, 'Cluster', 'yiqiao-db')).toMatchObject({
      spec: { instances: 3, postgresql: { synchronous: { method: 'any', number: 1, dataDurability: 'required' } } },
    });
    expect(find(all, 'ScheduledBackup', 'yiqiao-db')).toMatchObject({ spec: { cluster: { name: 'yiqiao-db' } } });
  });

  it('confine every container, and give it a limit', () => {
    for (const { spec } of templates(all)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(spec.securityContext.runAsUser).toBeGreaterThan(0);
    }
    const found = containers(all);
    expect(found.length).toBeGreaterThanOrEqual(8);
    for (const container of found) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources).toMatchObject({
        requests: expect.anything(),
        limits: { memory: expect.stringMatching(/i$/) },
      });
      expect(container.image).toMatch(/^[\w./-]+:[\w.-]*\d/);
    }
  });

  it('contain no secret, and name only those of the values', async () => {
    const found = containers(await rendered(...EVERYTHING));
    expect(all.map(({ kind }) => kind)).not.toContain('Secret');
    const secrets = found.flatMap(({ env, envFrom = [] }) => [
      ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
      ...envFrom.map(({ secretRef }) => secretRef.name),
    ]);
    expect([...new Set(secrets)].sort()).toEqual([
      'yiqiao',
      'yiqiao-closes',
      'yiqiao-db-login',
      'yiqiao-db-operators-login',
      'yiqiao-db-owner',
      'yiqiao-partners',
      'yiqiao-redis',
    ]);
    for (const { env } of found) for (const { value = '' } of env) expect(value).not.toMatch(/:\/\/[^$/]*:[^$/@]+@/);
  });

  it('give each process the keys that it needs, and no more', () => {
    const of = (name: string): string[] => {
      const container = containers(all).find((one) => one.name === name);
      return [
        ...(container?.envFrom ?? []).map(({ secretRef }) => secretRef.name),
        ...(container?.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
      ].filter((secret, n, list) => list.indexOf(secret) === n && secret !== 'yiqiao-redis');
    };
    const every = ['yiqiao', 'yiqiao-partners'];
    expect(of('api')).toEqual([...every, 'yiqiao-db-login']);
    expect(of('worker')).toEqual([...every, 'yiqiao-closes', 'yiqiao-db-operators-login']);
    expect(of('operators')).toEqual([...every, 'yiqiao-db-operators-login']);
    expect(of('migrate')).toEqual([...every, 'yiqiao-closes', 'yiqiao-db-operators-login', 'yiqiao-db-owner']);
    expect(of('audit')).toEqual([...every, 'yiqiao-db-operators-login', 'yiqiao-db-owner']);
  });

  it('set only what the product knows', () => {
    const known = documentedSettings();
    const own = /^(DATABASE|OWNER|REDIS)_(USER|PASSWORD)$|^(POD|ME|NODES|REDISCLI_AUTH)$|^(BIND|METRICS_BIND|API_\d)$/;
    const names = containers(all).flatMap(({ env }) => env.map(({ name }) => name));
    expect(names.filter((name) => !own.test(name) && !known.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(80);
  });

  it('define each variable before one that is made of it', () => {
    for (const { env } of containers(all))
      for (const [n, { value = '' }] of env.entries())
        for (const [, name] of value.matchAll(/\$\((\w+)\)/g))
          expect(env.slice(0, n).map((earlier) => earlier.name)).toContain(name);
  });

  it('ask each process for its health, and never restart it because a store is away', () => {
    for (const name of ['api', 'worker', 'operators']) {
      const container = containers(all).find((one) => one.name === name);
      const port = name === 'worker' ? 'health' : 'http';
      expect(container).toMatchObject({
        startupProbe: { httpGet: { path: '/readyz', port } },
        livenessProbe: { httpGet: { path: '/livez', port } },
        readinessProbe: { httpGet: { path: '/readyz', port }, periodSeconds: 5, failureThreshold: 12 },
      });
      expect(container?.ports?.map((one) => one.name)).toEqual([port, 'metrics']);
    }
  });

  it('migrate before the processes of a new version, and audit on a standby', () => {
    expect(find(all, 'Job', 'yiqiao-migrate').metadata.annotations).toMatchObject({
      'helm.sh/hook': 'post-install,pre-upgrade',
    });
    const audit = containers([find(all, 'CronJob', 'yiqiao-audit')])[0];
    expect(audit?.args).toEqual(['operator', 'ledger', 'audit']);
    const urls = audit?.env.filter(({ name }) => /^DATABASE_(MIGRATION_)?URL$/.test(name)).map(({ value }) => value);
    expect(urls).toHaveLength(2);
    for (const url of urls ?? []) expect(url).toContain('@yiqiao-db-rw:5432/');
    const readers = ['StatefulSet/yiqiao-api', 'Deployment/yiqiao-worker', 'Deployment/yiqiao-operators'].map(
      (name) => {
        const [kind = '', of = ''] = name.split('/');
        return containers([find(all, kind, of)])[0];
      },
    );
    for (const reader of [audit, ...readers])
      expect(reader?.env).toContainEqual({
        name: 'STANDBY_DATABASE_URL',
        value: 'postgresql://$(DATABASE_USER):$(DATABASE_PASSWORD)@yiqiao-db-standby:5432/yiqiao',
      });
    expect(find(all, 'Cluster', 'yiqiao-db')).toMatchObject({
      spec: {
        managed: {
          services: {
            additional: [
              {
                selectorType: 'ro',
                serviceTemplate: { metadata: { name: 'yiqiao-db-standby' }, spec: { sessionAffinity: 'ClientIP' } },
              },
            ],
          },
        },
      },
    });
    const worker = containers([find(all, 'Deployment', 'yiqiao-worker')])[0];
    expect(worker?.env).toContainEqual({ name: 'AUDIT_AT', value: 'off' });
  });

  it('reach pods that exist, at ports that they have', () => {
    const pods = templates(all);
    for (const manifest of all) {
      const { selector, ports = [] } = specOf(manifest);
      if (manifest.kind === 'Service') {
        const chosen = pods.filter(({ metadata }) => selects({ matchLabels: selector ?? {} }, metadata.labels));
        expect([manifest.metadata.name, chosen.length]).toEqual([manifest.metadata.name, 1]);
        const open = chosen.flatMap(({ spec }) =>
          spec.containers.flatMap(({ ports: own = [] }) => own.map((p) => p.name)),
        );
        for (const { targetPort } of ports) expect(open).toContain(targetPort);
      }
      if (manifest.kind === 'PodDisruptionBudget' || manifest.kind === 'Deployment' || manifest.kind === 'StatefulSet')
        expect(pods.filter(({ metadata }) => selects(selector as Selector, metadata.labels))).toHaveLength(1);
    }
    const watched = specOf(find(all, 'PodMonitor', 'yiqiao')).selector as Selector;
    expect(pods.filter(({ metadata }) => selects(watched, metadata.labels))).toHaveLength(3);
  });

  it('have the site asked from outside, where there is somebody to ask', async () => {
    expect(all.map(({ kind }) => kind)).not.toContain('Probe');
    const watched = await rendered('monitoring.prober=blackbox-exporter.monitoring:9115');
    expect(specOf(find(watched, 'Probe', 'yiqiao-site'))).toMatchObject({
      prober: { url: 'blackbox-exporter.monitoring:9115' },
      targets: { staticConfig: { static: ['https://yiqiao.example/livez'] } },
    });
  });

  it('let nobody in or out but those named', () => {
    const nothing = policies(all).find(({ metadata }) => metadata.name === 'yiqiao-nothing')?.spec;
    expect(nothing).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect([nothing?.ingress, nothing?.egress]).toEqual([undefined, undefined]);
    for (const { metadata } of templates(all))
      expect(selects(nothing?.podSelector as Selector, metadata.labels)).toBe(true);
    const reachOut = policies(all).filter(({ spec }) => spec.egress?.some((rule) => !rule.to));
    expect(reachOut.map(({ metadata }) => metadata.name)).toEqual(['yiqiao-outward']);
  });

  it('let webhooks out at every port that members may name, to public addresses', async () => {
    const of = (name: string): string[] =>
      policyNames(all, templates(all).find(({ spec }) => spec.containers[0]?.name === name)?.metadata.labels ?? {});
    for (const name of ['api', 'worker']) expect(of(name)).toContain('yiqiao-webhooks');
    for (const name of ['operators', 'proxy', 'audit']) expect(of(name)).not.toContain('yiqiao-webhooks');
    const egress = (manifests: readonly Manifest[], name: string) =>
      policies(manifests).find(({ metadata }) => metadata.name === name)?.spec.egress?.[0];
    const rule = egress(all, 'yiqiao-webhooks');
    const open = [...(egress(all, 'yiqiao-outward')?.ports ?? []), ...(rule?.ports ?? [])];
    const isOpen = (port: number): boolean =>
      open.some(({ port: from, endPort = from }) => port >= Number(from) && port <= Number(endPort));
    const mayBeNamed = (port: number): boolean =>
      problemOfTarget(`https://hooks.example.com:${port}/`, { allowPrivate: false, production: true }) === null;
    const every = Array.from({ length: 65_535 }, (_, n) => n + 1);
    expect(every.filter((port) => mayBeNamed(port) !== isOpen(port))).toEqual([465, 587]);
    const blocks = rule?.to?.flatMap(({ ipBlock }) => ipBlock ?? []) ?? [];
    expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '2000::/3']);
    expect(blocks[0]?.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']));
    const without = await rendered('network.webhookPorts=null');
    expect(policies(without).map(({ metadata }) => metadata.name)).not.toContain('yiqiao-webhooks');
  });

  it('show the product its files, read-only, and nobody else', async () => {
    for (const { spec } of templates(await rendered(...EVERYTHING)))
      for (const { name, volumeMounts = [] } of spec.containers) {
        const files = volumeMounts.filter(({ mountPath }) => mountPath.startsWith('/etc/yiqiao'));
        if (['proxy', 'server', 'sentinel'].includes(name)) expect(files).toEqual([]);
        else
          expect([name, files]).toEqual([
            name,
            [
              { name: 'files-0', mountPath: '/etc/yiqiao/keys', readOnly: true },
              { name: 'files-1', mountPath: '/etc/yiqiao/phrasebook', readOnly: true },
            ],
          ]);
        expect(spec.volumes ?? []).toEqual(
          expect.arrayContaining(
            files.map((file) =>
              file.name === 'files-0'
                ? { name: file.name, secret: { secretName: 'yiqiao-keys' } }
                : { name: file.name, configMap: { name: 'yiqiao-phrasebook' } },
            ),
          ),
        );
      }
  });

  it('let the worker audit from its anchors, where that is wanted', async () => {
    const own = await rendered('audit.enabled=false', 'settings.AUDIT_AT=04:10', 'settings.AUDIT_FULL_DAYS=14');
    expect(own.map(({ kind }) => kind)).not.toContain('CronJob');
    const worker = containers([find(own, 'Deployment', 'yiqiao-worker')])[0];
    expect(worker?.env.filter(({ name }) => name.startsWith('AUDIT_'))).toEqual([
      { name: 'AUDIT_AT', value: '04:10' },
      { name: 'AUDIT_FULL_DAYS', value: '14' },
    ]);
    expect(worker?.envFrom).toContainEqual({ secretRef: { name: 'yiqiao-closes' } });
  });

  it('follow a restore into its new cluster, which archives beside the one before', async () => {
    const restored = await rendered(...EVERYTHING);
    const store = { name: 'barman-cloud.cloudnative-pg.io' };
    expect(find(restored, 'Cluster', 'yiqiao-db-2')).toMatchObject({
      metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } },
      spec: {
        bootstrap: {
          recovery: {
            source: 'yiqiao-db',
            database: 'yiqiao',
            owner: 'yiqiao',
            recoveryTarget: { targetTime: '2026-11-20T14:03:05+08:00' },
          },
        },
        externalClusters: [
          {
            name: 'yiqiao-db',
            plugin: { ...store, parameters: { barmanObjectName: 'yiqiao-store', serverName: 'yiqiao-db' } },
          },
        ],
        plugins: [{ ...store, isWALArchiver: true, parameters: { barmanObjectName: 'yiqiao-store' } }],
      },
    });
    for (const kind of ['ScheduledBackup', 'PodMonitor']) find(restored, kind, 'yiqiao-db-2');
    const urls = containers(restored.filter(({ metadata }) => metadata.name !== 'yiqiao-drill')).flatMap(({ env }) =>
      env.flatMap(({ name, value = '' }) => (name.endsWith('DATABASE_URL') ? value : [])),
    );
    expect(urls.length).toBeGreaterThan(8);
    for (const url of urls) expect(url).toMatch(/@yiqiao-db-2-(rw|standby):5432\//);
    const database = { 'cnpg.io/cluster': 'yiqiao-db-2' };
    expect(policyNames(restored, database)).toEqual(['yiqiao-database']);
    const snapshot = find(await rendered('database.recovery.from=yiqiao-db-1'), 'Cluster', 'yiqiao-db');
    expect(snapshot).toMatchObject({ spec: { bootstrap: { recovery: { backup: { name: 'yiqiao-db-1' } } } } });
    expect(snapshot).not.toHaveProperty('spec.externalClusters');
  });

  it('hold a drill apart from the product, and only when asked', async () => {
    expect(all.map(({ metadata }) => metadata.name)).not.toContain('yiqiao-drill');
    const drilled = await rendered('database.backup.objectStore=yiqiao-store', 'drill.enabled=true');
    const cluster = find(drilled, 'Cluster', 'yiqiao-drill');
    expect(cluster).toMatchObject({ spec: { instances: 1, bootstrap: { recovery: { source: 'yiqiao-db' } } } });
    expect(cluster).not.toHaveProperty('spec.plugins');
    expect(drilled.filter(({ kind }) => kind === 'ScheduledBackup').map(({ metadata }) => metadata.name)).toEqual([
      'yiqiao-db',
    ]);
    const job = find(drilled, 'Job', 'yiqiao-drill');
    expect(job).toMatchObject({ spec: { suspend: true, backoffLimit: 0 } });
    const container = containers([job])[0];
    const urls = container?.env.filter(({ name }) => name.endsWith('DATABASE_URL') || name.endsWith('MIGRATION_URL'));
    expect(urls?.map(({ name }) => name)).toEqual(['DATABASE_URL', 'DATABASE_MIGRATION_URL']);
    for (const { value } of urls ?? []) expect(value).toContain('@yiqiao-drill-rw:5432/');
    expect(policyNames(drilled, templateOf(job)?.metadata.labels ?? {})).toEqual([
      'yiqiao-drill',
      'yiqiao-names-and-metrics',
      'yiqiao-nothing',
    ]);
    expect(policyNames(drilled, { 'cnpg.io/cluster': 'yiqiao-drill' })).toEqual(['yiqiao-drill-database']);
    expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
  });

  it('give the proxy the file that everybody has, and every process a place in it', async () => {
    const config = find(all, 'ConfigMap', 'yiqiao-proxy') as unknown as { data: Record<string, string> };
    expect(config.data['haproxy.cfg']?.trim()).toBe(readFileSync(infra('haproxy/haproxy.cfg'), 'utf8').trim());
    const proxy = containers([find(all, 'Deployment', 'yiqiao-proxy')])[0];
    const places = proxy?.env.filter(({ name }) => name.startsWith('API_')).map(({ value }) => value);
    expect(places).toHaveLength(8);
    expect(places?.[2]).toBe('yiqiao-api-2.yiqiao-api.shop.svc.cluster.local:8080');
    const { maxReplicas } = (
      find(all, 'HorizontalPodAutoscaler', 'yiqiao-api') as unknown as { spec: { maxReplicas: number } }
    ).spec;
    expect(maxReplicas).toBe(places?.length);
    const [operators] = (await rendered(...EVERYTHING)).filter(({ metadata }) => metadata.name === 'yiqiao-operators');
    expect(operators).toBeDefined();
  });
});
