import { useState } from 'react';
import type { DialogFrame } from './dialog-frame.js';

/** The task whose dialog a page shows: one at a time, kept until its dialog has closed. Each opening starts fresh (`round` is the key). */
export function useTask<Task>() {
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
