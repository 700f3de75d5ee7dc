import { endSession as endContract, signOutEverywhere } from '@yiqiao/contracts/sessions';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { call } from '../../../shared/api/call.js';
import { endSession } from '../../../shared/api/session.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { leaveFor } from '../../../shared/leave.js';
import { toast } from '../../../shared/ui/toast.js';
import type { SessionRow } from './sessions-list.js';

/** What the member was asked about: one device, all others, or all. */
export type Asked = { what: 'one'; row: SessionRow } | { what: 'others' } | { what: 'all' };

/** One that is over already is as it should be. */
const endOne = (id: number): Promise<unknown> =>
  call(endContract, { id }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  });

/** Signs devices out after the member was asked. `again` brings the list up to date. */
export function useEnding(again: () => Promise<void>) {
  const t = useTexts('account');
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);

  const end = async (): Promise<void> => {
    if (asked === null) return;
    if (asked.what === 'all') {
      await call(signOutEverywhere, {});
      endSession();
      await leaveFor('/UserCenterExit');
      return;
    }
    if (asked.what === 'one') await endOne(asked.row.id);
    else await call(signOutEverywhere, { keepCurrent: 1 });
    await again();
    toast.success(t('ended'));
    setOpen(false);
  };

  const ask = (what: Asked): void => {
    setAsked(what);
    setOpen(true);
  };
  const frame = { open, onClose: () => setOpen(false), afterClose: () => setAsked(null) };
  return { asked, ask, end, frame };
}

export type Ending = ReturnType<typeof useEnding>;
