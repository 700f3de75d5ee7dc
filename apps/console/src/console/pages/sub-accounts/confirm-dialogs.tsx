import { changeAutoDistribution, changeEnabled } from '@yiqiao/contracts/sub-accounts';
import { Radio } from 'antd';
import { useState } from 'react';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { useMember } from '../../../shared/auth/user.js';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { RemoveDialog } from '../../shared/dialogs/remove-dialog.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { type ChildUser, holdingOfAll } from './child-user.js';
import { useRefreshFamily } from './use-sub-accounts.js';

/** Confirms, then sets the opposite (specification §4). */
export function EnabledDialog({ frame, child }: { frame: DialogFrame; child: ChildUser }) {
  const t = useMessages('sub-accounts');
  const refresh = useRefreshFamily();
  const off = child.enabled === 1;
  const { mutate, isPending } = useEndpointMutation(changeEnabled, {
    successMessage: () => t('modified'),
    onSuccess: () => {
      refresh();
      frame.onClose();
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={
        <>
          {t(off ? 'disableTitle' : 'enableTitle')}
          <span className="dynamic-text">{child.account}</span>
        </>
      }
      verb={t(off ? 'disableVerb' : 'enableVerb')}
      look={off ? 'danger' : 'usual'}
      busy={isPending}
      onConfirm={() => mutate({ userId: child.userId, enabled: off ? 0 : 1 })}
    >
      <p>{t(off ? 'disableWhy' : 'enableWhy')}</p>
    </ConfirmDialog>
  );
}

/** Auto-distribution for all sub-accounts and those to come: addressed by the main account's own id (decisions §4). */
export function AutoAllDialog({ frame }: { frame: DialogFrame }) {
  const t = useMessages('sub-accounts');
  const { userId, autoDistribution } = useMember();
  const refresh = useRefreshFamily();
  const [wanted, setWanted] = useState<0 | 1>(autoDistribution === 1 ? 0 : 1);
  const { mutate, isPending } = useEndpointMutation(changeAutoDistribution, {
    successMessage: ({ count }) => t('autoAllDone', { n: count }),
    onSuccess: () => {
      refresh();
      frame.onClose();
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={t('autoAllTitle')}
      verb={t('autoAllVerb')}
      busy={isPending}
      onConfirm={() => mutate({ userId, autoDistribution: wanted })}
    >
      <Radio.Group
        className="sa-radios"
        aria-label={t('autoAllTitle')}
        value={wanted}
        onChange={({ target }) => setWanted(target.value === 1 ? 1 : 0)}
        options={[
          { value: 1, label: t('autoAllOn') },
          { value: 0, label: t('autoAllOff') },
        ]}
      />
      <p>{t(wanted === 1 ? 'autoOnWhy' : 'autoOffWhy')}</p>
      <p>{t('autoAllWhy')}</p>
    </ConfirmDialog>
  );
}

const NAMED = 6;

type RemoveSubAccountsProps = {
  frame: DialogFrame;
  subAccounts: readonly ChildUser[];
  onRemoved: (count: number) => void;
};

/** Explains what is lost and what is returned (decisions §3). */
export function RemoveSubAccounts({ frame, subAccounts, onRemoved }: RemoveSubAccountsProps) {
  const t = useMessages('sub-accounts');
  const { usableCharNum, usableVoiceNum, usableImageNum } = holdingOfAll(subAccounts);
  const figures = [
    usableCharNum > 0 && t('figureChars', { n: grouped(usableCharNum) }),
    usableVoiceNum > 0 && t('figureVoice', { n: grouped(usableVoiceNum) }),
    usableImageNum > 0 && t('figureImages', { n: grouped(usableImageNum) }),
  ].filter((figure) => figure !== false);
  const names = subAccounts
    .slice(0, NAMED)
    .map(({ account }) => account)
    .join(t('separator'));
  const single = subAccounts.length === 1 ? subAccounts[0] : undefined;
  return (
    <RemoveDialog
      frame={frame}
      resource="childUsers"
      ids={subAccounts.map(({ userId }) => userId)}
      messages={{
        title: single ? t('removeTitle') : t('removeManyTitle', { n: grouped(subAccounts.length) }),
        verb: t('removeVerb'),
        deleted: t('deleted'),
      }}
      name={single?.account}
      onRemoved={onRemoved}
    >
      {!single && (
        <p className="dynamic-text">
          {subAccounts.length > NAMED ? t('removeMore', { names, n: subAccounts.length }) : names}
        </p>
      )}
      <p>{t('removeLost')}</p>
      <p>{figures.length === 0 ? t('removeNothing') : t('removeBack', { figures: figures.join(t('separator')) })}</p>
    </RemoveDialog>
  );
}
