import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Proven } from '../audit/audit.js';

/** How far an audit has come: of which database and which accounts, and the last account that was proven. */
export type AuditState = {
  /** The database, and what of it is audited. */
  of: string;
  begun: string;
  accounts: number;
  entries: number;
  last: Proven;
};

export const stateFile = (given: string | undefined): string =>
  path.resolve(given ?? path.join(process.env['DATA_DIR'] ?? '.data', 'ledger-audit.json'));

/** Null when there is none, or it is of something else. */
export async function readState(file: string, of: string): Promise<AuditState | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const state = JSON.parse(text) as AuditState;
  return state.of === of ? state : null;
}

/** Whole or not at all: a process that ends while it writes leaves the state before. */
export async function writeState(file: string, state: AuditState): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export const dropState = (file: string): Promise<void> => rm(file, { force: true });
