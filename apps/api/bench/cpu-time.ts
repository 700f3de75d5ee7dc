/** Processor time of processes on this machine, independent of its other load. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type pg from 'pg';

/** µs since each process began; NaN where the system does not report it. */
export type CpuTimers = { readonly [name: string]: () => number | Promise<number> };

/** The kernel counts hundredths of a second. */
const TICK_US = 10_000;

type Stat = { parent: number; own: number; gone: number };

/** Of one process and its ended children. Only Linux has /proc. */
function statOf(pid: number): Stat {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may contain blanks and brackets.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const at = (n: number): number => Number(fields[n]);
    return { parent: at(1), own: (at(11) + at(12)) * TICK_US, gone: (at(13) + at(14)) * TICK_US };
  } catch {
    return { parent: 0, own: Number.NaN, gone: Number.NaN };
  }
}

export const ofProcess = (pid: number | undefined) => (): number => statOf(pid ?? 0).own;

/** All processes of PostgreSQL. */
export async function ofPostgres(client: pg.Client): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { parent } = statOf(rows[0]?.pid ?? 0);
  return () => {
    const { own, gone } = statOf(parent);
    if (Number.isNaN(own)) return own;
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const children = pids.map((pid) => statOf(Number(pid))).filter((child) => child.parent === parent);
    return children.reduce((sum, child) => sum + child.own, own + gone);
  };
}

export const ofRedis = (redis: Redis) => async (): Promise<number> => {
  const said = await redis.info('cpu');
  const seconds = ['used_cpu_sys', 'used_cpu_user'].map((name) =>
    Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(said)?.[1]),
  );
  return seconds.reduce((sum, each) => sum + each, 0) * 1e6;
};

export type Used = Record<string, number>;

/** The time used so far, by name. */
export async function used(processor: CpuTimers): Promise<Used> {
  const all = Object.entries(processor).map(async ([name, read]) => [name, await read()] as const);
  return Object.fromEntries(await Promise.all(all));
}

/** The time used since `before`, divided by `count`. */
export async function usedSince(processor: CpuTimers, before: Used, count: number): Promise<Used> {
  const now = await used(processor);
  return Object.fromEntries(Object.entries(now).map(([name, us]) => [name, (us - (before[name] ?? us)) / count]));
}

export const shownUse = (use: Used): string =>
  Object.entries(use)
    .map(([name, us]) => `${name} ${Number.isNaN(us) ? '?' : (us / 1000).toFixed(2)}`)
    .join(' · ');
