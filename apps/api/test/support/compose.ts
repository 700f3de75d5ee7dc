/** The files of Compose, read and laid over each other as Compose does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, Scalar } from 'yaml';
import { root } from './packaging.js';

export type Service = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  volumes?: string[];
  networks: string[];
  read_only?: boolean;
  restart: string;
  cap_drop: string[];
  security_opt: string[];
  logging: { driver: string; options: Record<string, string> };
  deploy: { resources: { limits: { memory: string; pids: number } } };
  healthcheck?: { test?: string[]; disable?: boolean };
  ports?: string[];
};
export type Compose = { services: Record<string, Service>; networks: Record<string, { internal?: boolean } | null> };

export const composeText = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** What `!reset` takes away of the file below. */
const NOTHING = Object.freeze({});
const RESET = { tag: '!reset', collection: 'map', resolve: () => new Scalar(NOTHING) } as const;

export const readCompose = (yaml: string): Compose => parse(yaml, { merge: true, customTags: [RESET] }) as Compose;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Lists are added to what the file below has, but for these. */
const REPLACED: ReadonlySet<string> = new Set(['command', 'entrypoint', 'test']);

function laidOver(below: Fields, above: Fields): Fields {
  const all: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const under = below[name];
    if (value === NOTHING) delete all[name];
    else if (isFields(under) && isFields(value)) all[name] = laidOver(under, value);
    else if (Array.isArray(under) && Array.isArray(value) && !REPLACED.has(name))
      all[name] = [...(under as unknown[]), ...(value as unknown[])];
    else all[name] = value;
  }
  return all;
}

/** `docker compose -f <base> -f <overlay> config`, without what is in the environment. */
export function withOverlay(base: Compose, overlay: Compose): Compose {
  const services = Object.entries(overlay.services).map(([name, { ...above }]) => {
    const { extends: other, ...own } = above as Service & { extends?: { file: string; service: string } };
    const below = base.services[other?.service ?? name];
    return [name, below ? laidOver(below, own) : own];
  });
  const extended = { ...overlay, services: Object.fromEntries(services) as Compose['services'] };
  const { services: below, ...rest } = base;
  return {
    ...laidOver(rest, { ...extended, services: undefined }),
    services: { ...below, ...extended.services },
  } as Compose;
}
