import type { Doc } from '../../shared/doc/doc.js';

export type Policies = Record<'privacy' | 'refund', Doc>;
