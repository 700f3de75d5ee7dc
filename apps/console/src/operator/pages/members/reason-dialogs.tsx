import { setMemberEnabled, signMemberOut } from '@yiqiao/contracts/operator/member-changes';
import { type MemberDetails, getMember } from '@yiqiao/contracts/operator/members';
import { Input, Modal } from 'antd';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';

const REASON_MIN = 10;
const REASON_MAX = 500;

export const isReason = (reason: string): boolean => reason.trim().length >= REASON_MIN;

type ReasonProps = { value: string; hint: string; chips?: readonly string[]; onChange: (reason: string) => void };

/** The reason of a change, with sentences to begin with. */
export function ReasonField({ value, hint, chips = [], onChange }: ReasonProps) {
  const t = useMessages('members');
  return (
    <>
      <label className="reason-head" htmlFor="reason">
        <span>{t('reason')}</span>
        <span className="faint">{hint}</span>
      </label>
      <Input.TextArea
        id="reason"
        rows={2}
        maxLength={REASON_MAX}
        value={value}
        status={value !== '' && !isReason(value) ? 'warning' : ''}
        onChange={({ target }) => onChange(target.value)}
      />
      {chips.length > 0 && (
        <div className="chips reason-chips">
          {chips.map((chip) => (
            <button key={chip} type="button" className="chip" onClick={() => onChange(chip)}>
              {chip}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

type FootProps = {
  busy: boolean;
  ready: boolean;
  label: string;
  danger?: boolean;
  note?: ReactNode;
  onClose: () => void;
};

/** Cancel, and the one button that does it. */
export function DialogFoot({ busy, ready, label, danger = false, note, onClose }: FootProps) {
  const t = useMessages('members');
  return (
    <div className="dialog-foot">
      {note && <small className="faint">{note}</small>}
      <button type="button" className="button button-default" disabled={busy} onClick={onClose}>
        {t('cancel')}
      </button>
      <button
        type="submit"
        className={`button ${danger ? 'button-danger' : 'button-primary'}`}
        disabled={busy || !ready}
      >
        {label}
      </button>
    </div>
  );
}

type DialogProps = {
  title: string;
  subject?: string;
  label: string;
  danger?: boolean;
  children: ReactNode;
  onSubmit: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

/** Says what will happen and asks for a reason, which goes to the action log. */
function ReasonDialog({ title, subject, label, danger = false, children, onSubmit, onClose }: DialogProps) {
  const t = useMessages('members');
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      await onSubmit(reason);
      toast.success(t('done'));
      onClose();
    } catch (error) {
      // A refusal that is not announced by the client is shown by its mutation.
      if (messageOf(error) === null) onClose();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      title={
        <>
          {title}
          {subject && <span className="dialog-subject dynamic-text">{subject}</span>}
        </>
      }
      footer={null}
      width={520}
      maskClosable={false}
      onCancel={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="remark">{children}</div>
        <ReasonField value={reason} hint={t('reasonInner')} onChange={setReason} />
        <DialogFoot busy={busy} ready={isReason(reason)} label={label} danger={danger} onClose={onClose} />
      </form>
    </Modal>
  );
}

type MemberDialog = { member: MemberDetails; onClose: () => void };
const nameOf = ({ username, userId }: MemberDetails): string => `${username ?? ''} #${userId}`.trim();

export function EnabledDialog({ member, onClose }: MemberDialog) {
  const t = useMessages('members');
  const invalidate = useInvalidateEndpoint();
  const { mutateAsync } = useEndpointMutation(setMemberEnabled, { onSuccess: () => invalidate(getMember) });
  const { userId, enabled, family, role } = member;
  const disables = enabled === 1;
  return (
    <ReasonDialog
      title={t(disables ? 'disable' : 'enable')}
      subject={nameOf(member)}
      label={t(disables ? 'disable' : 'enable')}
      danger={disables}
      onSubmit={(reason) => mutateAsync({ userId: String(userId), enabled: disables ? 0 : 1, reason })}
      onClose={onClose}
    >
      <p>
        {t(disables ? 'disableWhy' : 'enableWhy')}
        {disables && role === 'main' && family.accounts > 1 && t('disableFamily', { n: family.accounts - 1 })}
      </p>
    </ReasonDialog>
  );
}

export function SignOutDialog({ member, onClose }: MemberDialog) {
  const t = useMessages('members');
  const invalidate = useInvalidateEndpoint();
  const { mutateAsync } = useEndpointMutation(signMemberOut, { onSuccess: () => invalidate(getMember) });
  const { userId, sessions } = member;
  return (
    <ReasonDialog
      title={t('signOutAll')}
      subject={nameOf(member)}
      label={t('signOutAll')}
      onSubmit={(reason) => mutateAsync({ userId: String(userId), reason })}
      onClose={onClose}
    >
      <p>{t('signOutWhy', { n: sessions.length })}</p>
    </ReasonDialog>
  );
}

/** For one session. */
export function SessionEndDialog({ onSubmit, onClose }: Pick<DialogProps, 'onSubmit' | 'onClose'>) {
  const t = useMessages('members');
  return (
    <ReasonDialog title={t('endSession')} label={t('endSession')} onSubmit={onSubmit} onClose={onClose}>
      <p>{t('signOutWhy', { n: 1 })}</p>
    </ReasonDialog>
  );
}
