import type { ApiKey } from './key.js';

/** The tasks of the page; each has its own dialog. */
export type Task =
  | { kind: 'create' }
  | { kind: 'show' | 'edit' | 'rotate'; apiKey: ApiKey }
  | { kind: 'revoke'; apiKeys: readonly ApiKey[] };
