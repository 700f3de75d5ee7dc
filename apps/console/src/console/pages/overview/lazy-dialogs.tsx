import { lazy, Suspense, useState, type ReactNode } from 'react';

/** The page's dialogs come when they are first opened: nobody waits for them who only looks. */
export const ChannelDialog = lazy(async () => ({ default: (await import('./channel-dialog.js')).ChannelDialog }));
export const LogOffDialog = lazy(async () => ({ default: (await import('./log-off-dialog.js')).LogOffDialog }));
export const NicknameDialog = lazy(async () => ({
  default: (await import('../../../shared/nickname/nickname-dialog.js')).NicknameDialog,
}));
export const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../shared/dialogs/confirm-dialog.js')).ConfirmDialog,
}));

/** Not there until it is first open; then it stays, so that it can close in peace. */
export function LazyMount({ open, children }: { open: boolean; children: ReactNode }) {
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  return wanted && <Suspense>{children}</Suspense>;
}
