import type { ChildUser } from './child-user.js';

/** The tasks of the page; each has its own dialog. */
export type Task =
  | { kind: 'add' | 'autoAll' }
  | { kind: 'edit' | 'password' | 'share' | 'enabled'; child: ChildUser }
  | { kind: 'remove' | 'shareMany' | 'enabledMany'; children: readonly ChildUser[] };
