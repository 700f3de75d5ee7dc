/** The programs that infra/ is held against; infra/local/packaging-tools.mjs brings them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifests.js';

export const root = path.resolve(import.meta.dirname, '../../../..');

export const infra = (...parts: string[]): string => path.join(root, 'infra', ...parts);

/** Throws where set-up could not bring it: a check that is skipped proves nothing. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is missing: run the tests with \`npm test\`, whose set-up says what it could not get`);
  return value;
}

/** A program with the environment in which it finds its libraries. */
export function program(name: string): { command: string; env: Record<string, string> } {
  const libraries = process.env[`${name}_LIBRARIES`];
  const env = { PATH: process.env['PATH'] ?? '', ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) };
  return { command: required(name), env };
}

export type Ran = { code: number; out: string; err: string };

export function run(name: string, args: string[], extra: Record<string, string> = {}): Promise<Ran> {
  const { command, env } = program(name);
  return new Promise((resolve) => {
    execFile(command, args, { env: { ...env, ...extra }, maxBuffer: 1 << 25 }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });
}

/** A module of the tools that has no types here. */
export function loadTool<T>(name: string): T {
  const load = createRequire(path.join(required('PACKAGING_TOOLS'), 'package.json'));
  return load(name) as T;
}

type Validate = ((value: unknown) => boolean) & {
  errors: { instancePath: string; message?: string; params: object }[] | null;
};

/** What a JSON schema has against a value, one line each. */
export function schemaCheck(schema: object): (value: unknown) => string[] {
  const { default: Ajv } = loadTool<{ default: new (options: object) => { compile: (schema: object) => Validate } }>(
    'ajv/dist/2019.js',
  );
  const options = { strict: false, validateFormats: false, allErrors: true, unicodeRegExp: false };
  const validate = new Ajv(options).compile(schema);
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
}

const chart = infra('helm/yiqiao');
/** The values that have no default. */
const GIVEN = [
  'settings.PUBLIC_URL=https://yiqiao.example',
  'settings.MAIL_FROM=no-reply@yiqiao.example',
  'ingress.host=yiqiao.example',
  'ingress.tlsSecret=yiqiao-tls',
];

export const helm = (command: string[], values: string[] = []): Promise<Ran> =>
  run('HELM', [
    ...command,
    chart,
    '--namespace',
    'shop',
    ...[...GIVEN, ...values].flatMap((value) => ['--set', value]),
  ]);

/** The manifests of a release called `yiqiao` in the namespace `shop`. */
export async function rendered(...values: string[]): Promise<Manifest[]> {
  const { code, out, err } = await helm(['template', 'yiqiao'], values);
  if (code !== 0) throw new Error(err);
  return documentsIn(out) as Manifest[];
}

export const documentsIn = (text: string): unknown[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as unknown)
    .filter((value) => value !== null);

/** The variables that docs/operations.md names, wherever it does. */
export const documentedSettings = (): Set<string> =>
  new Set(
    [...readFileSync(path.join(root, 'docs/operations.md'), 'utf8').matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b/g)].map(
      ([name]) => name,
    ),
  );
