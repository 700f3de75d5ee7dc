import { useQuery, useQueryClient } from '@tanstack/react-query';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { Modal } from 'antd';
import { useState } from 'react';
import { messageOf } from '../../shared/api/api-error.js';
import { call } from '../../shared/api/call.js';
import { refreshUser, useMember } from '../../shared/auth/user.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { channelNameOf } from '../../shared/ledger/channel-name.js';
import { whileBusy, type DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { TableSkeleton } from '../../shared/ui/console/table-skeleton.js';
import { useAction } from '../../shared/dialogs/use-action.js';
import { Empty } from '../../shared/ui/empty.js';
import { ErrorState } from '../../shared/ui/error-state.js';
import { toast } from '../../shared/ui/toast.js';
import { ChannelChoice } from './channel-choice.js';
import './channel-dialog.css';

/**
 * Changes the translation channel of the whole family (specification §2, main accounts only). What each choice makes of the balance is
 * the server's own reckoning, so that it comes true to the digit (decisions §4); a refusal leaves the dialog open.
 */
export function ChannelDialog({ frame }: { frame: DialogFrame }) {
  const t = useTexts('overview');
  const user = useMember();
  const queries = useQueryClient();
  const { busy, run } = useAction();
  const [chosen, setChosen] = useState<number | null>(null);
  const offers = useQuery({
    queryKey: ['mapping'],
    queryFn: ({ signal }) => call(listMapping, {}, { signal }),
    retry: false,
    gcTime: 0, // balances move on: yesterday's preview is never shown
  });
  const some = offers.data !== undefined && offers.data.length > 0;

  const change = async (): Promise<void> => {
    if (chosen === null) return;
    const { name, enName } = await call(changeChannel, { targetChannelId: chosen });
    toast.success(t('channelChanged', { name: language === 'zh' ? name : enName }));
    frame.onClose();
    // Changed it is, even if the new figures cannot be fetched right now.
    await refreshUser().catch(() => undefined);
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'mapping' });
  };

  return (
    <Modal
      open={frame.open}
      width={560}
      title={<span className="display">{t('channelTitle')}</span>}
      okText={t('channelConfirm')}
      cancelText={t(some ? 'cancel' : 'close')}
      {...whileBusy(busy)}
      okButtonProps={some ? { disabled: chosen === null } : { style: { display: 'none' } }}
      onOk={() => run(change)}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
    >
      {offers.isPending && <TableSkeleton rows={3} columns={2} />}
      {offers.isError && (
        <ErrorState title={t('channelFailed')} onReload={() => void offers.refetch()}>
          {messageOf(offers.error)}
        </ErrorState>
      )}
      {offers.data?.length === 0 && (
        <Empty title={t('channelNone')}>
          {t('channelNoneWhy', { name: channelNameOf(user.tranChannelId) ?? String(user.tranChannelId) })}
        </Empty>
      )}
      {some && <ChannelChoice offers={offers.data} chosen={chosen} onChoose={setChosen} disabled={busy} />}
    </Modal>
  );
}
