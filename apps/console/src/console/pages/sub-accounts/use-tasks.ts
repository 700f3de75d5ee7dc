import { useState } from 'react';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import type { ChildUser } from './child-user.js';

/** The tasks of the page; each has its own dialog. */
export type Task =
  | { kind: 'add' | 'autoAll' }
  | { kind: 'edit' | 'password' | 'share' | 'enabled'; child: ChildUser }
  | { kind: 'remove' | 'shareMany' | 'enabledMany'; children: readonly ChildUser[] };

/** One task at a time, kept until its dialog has closed. Each opening starts fresh (`round` is the key). */
export function useTasks() {
  const [{ task, round, open }, set] = useState<{ task: Task | null; round: number; open: boolean }>({
    task: null,
    round: 0,
    open: false,
  });
  const frame: DialogFrame = {
    open,
    onClose: () => set((now) => ({ ...now, open: false })),
    afterClose: () => set((now) => (now.open ? now : { ...now, task: null })),
  };
  return {
    task,
    round,
    frame,
    start: (next: Task) => set((now) => ({ task: next, round: now.round + 1, open: true })),
  };
}
