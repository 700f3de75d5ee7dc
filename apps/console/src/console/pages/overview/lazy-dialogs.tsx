import { lazy, Suspense, useState, type ReactNode } from 'react';

/** The dialogs of the page, loaded when they are first opened. */
export const ChannelDialog = lazy(async () => ({ default: (await import('./channel-dialog.js')).ChannelDialog }));
export const LogOffDialog = lazy(async () => ({ default: (await import('./log-off-dialog.js')).LogOffDialog }));
export const NicknameDialog = lazy(async () => ({
  default: (await import('../../shared/nickname/nickname-dialog.js')).NicknameDialog,
}));
export const ConfirmDialog = lazy(async () => ({
  default: (await import('../../shared/dialogs/confirm-dialog.js')).ConfirmDialog,
}));

/** Mounts its children when they first open and keeps them, so that their closing can animate. */
export function LazyMount({ open, children }: { open: boolean; children: ReactNode }) {
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  return wanted && <Suspense>{children}</Suspense>;
}
