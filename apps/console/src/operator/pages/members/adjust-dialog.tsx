import { adjustQuota } from '@yiqiao/contracts/operator/member-changes';
import { type MemberDetails, getMember, getSources } from '@yiqiao/contracts/operator/members';
import { getLimits, makeRequest } from '@yiqiao/contracts/operator/requests';
import type { Response } from '@yiqiao/contracts/endpoint';
import { explainEntry } from '@yiqiao/domain/explanations';
import { CHANGE_MAX, DAYS_CHANGE_MAX } from '@yiqiao/domain/limits';
import { exceedsLimits, valueOfAdjustment } from '@yiqiao/domain/operators';
import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { freshKey } from '../../../shared/api/fresh-key.js';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { DialogFoot, isReason, ReasonField } from './reason-dialogs.js';

export type ChangeProps = { member: MemberDetails; operator: string; onClose: () => void };
type Limits = Response<typeof getLimits>;

/** Why the change waits for a second operator. */
export function SecondPerson({ limits }: { limits: Limits }) {
  const t = useMessages('members');
  return (
    <p className="remark hand dialog-note">
      <Icon name="stamp" />
      <span>
        <b>{t('secondPerson')}</b>
        {t('secondPersonWhy', {
          chars: grouped(limits.charNum),
          voice: limits.voiceNum,
          images: limits.imageNum,
          amount: yuan(limits.amount),
        })}
      </span>
    </p>
  );
}

/** The sentence of the member's account log. */
export function WillRead({ children }: { children: string }) {
  const t = useMessages('members');
  return (
    <p className="remark dialog-note">
      <span>
        <small className="faint">{t('willRead')}</small>
        <br />
        <span className="dynamic-text">{children}</span>
      </span>
    </p>
  );
}

/** Carries a change out, or asks for it where one operator may not do it alone; then reads the member again. */
export function useChange(onClose: () => void) {
  const t = useMessages('members');
  const invalidate = useInvalidateEndpoint();
  const request = useEndpointMutation(makeRequest, {
    onSuccess: ({ id }) => {
      toast.success(t('requested', { id }));
      onClose();
    },
  });
  const changed = async (message: string): Promise<void> => {
    toast.success(message);
    await Promise.all([invalidate(getMember), invalidate(getSources)]);
    onClose();
  };
  return { request, changed };
}

const FIELDS = ['charNum', 'voiceNum', 'imageNum', 'days'] as const;
type Field = (typeof FIELDS)[number];
const NAMES = { charNum: 'chars', voiceNum: 'voice', imageNum: 'images', days: 'expiry' } as const;
const UNITS = { voiceNum: 'voiceUnit', imageNum: 'imageUnit', days: 'dayUnit' } as const;
const NOTHING: Record<Field, number> = { charNum: 0, voiceNum: 0, imageNum: 0, days: 0 };
const DAY_MINUTES = 24 * 60;

const sentenceOf = (
  change: typeof NOTHING,
  { member, operator, reason }: { member: MemberDetails; operator: string; reason: string },
): string => {
  const { translationBillingMode: mode } = member.memberGroup;
  return explainEntry(
    {
      type: 'SYS_ADJUST',
      userId: member.userId,
      familyId: member.familyId,
      usedCharNum: 0,
      charChange: change.charNum,
      minChange: change.days * DAY_MINUTES,
      voiceChange: change.voiceNum,
      imageChange: change.imageNum,
      beforeBillingMode: mode,
      lastBillingMode: mode,
      names: {
        memberGroup: null,
        orderNo: null,
        bought: null,
        consumeChannel: null,
        channelBefore: null,
        channelAfter: null,
        counterpart: null,
        manager: operator,
        reason,
      },
    },
    language,
  );
};

function Result({ change, member: { balance } }: { change: typeof NOTHING; member: MemberDetails }) {
  const t = useMessages('members');
  const { expireDateTime } = balance;
  const after = (field: 'charNum' | 'voiceNum' | 'imageNum') => (
    <div key={field}>
      <small>{grouped(balance[field])} →</small>
      <b className={change[field] === 0 ? '' : 'changed'}>{grouped(balance[field] + change[field])}</b>
    </div>
  );
  const days = change.days;
  return (
    <div className="quota-result" aria-live="polite">
      {(['charNum', 'voiceNum', 'imageNum'] as const).map(after)}
      <div>
        <small>{expireDateTime?.slice(0, 10) ?? t('noExpiry')} →</small>
        <b className={days === 0 ? '' : 'changed'}>
          {days === 0 ? t('unchanged') : `${days > 0 ? '+' : '−'}${Math.abs(days)} ${t('dayUnit')}`}
        </b>
      </div>
    </div>
  );
}

/** Gives or takes quota and days, alone up to the limit (operators §4). */
export function AdjustDialog({ member, operator, onClose }: ChangeProps) {
  const t = useMessages('members');
  const [change, setChange] = useState(NOTHING);
  const [reason, setReason] = useState('');
  const [key] = useState(freshKey);
  const { data: limits } = useEndpoint(getLimits, {});
  const { request, changed } = useChange(onClose);
  const adjust = useEndpointMutation(adjustQuota, {
    onSuccess: ({ before, after }) =>
      changed(t('adjusted', { before: grouped(before.charNum), after: grouped(after.charNum) })),
  });
  const { charPrice, minutePrice, memberGroup, balance } = member;
  const prices = { charPrice: charPrice ?? 0, minutePrice, translationBillingMode: memberGroup.translationBillingMode };
  const waits = limits !== undefined && exceedsLimits(valueOfAdjustment(change, prices), limits);
  const some = FIELDS.some((field) => change[field] !== 0);
  const enough = (['charNum', 'voiceNum', 'imageNum'] as const).every((field) => balance[field] + change[field] >= 0);
  const userId = String(member.userId);
  const submit = (): void => {
    if (waits) void request.mutate({ kind: 'quota.adjust', target: userId, payload: change, reason }, key);
    else void adjust.mutate({ userId, change, reason }, key);
  };
  return (
    <Modal
      open
      title={
        <>
          {t('adjust')}
          <span className="dialog-subject dynamic-text">
            {member.username} #{member.userId}
          </span>
        </>
      }
      footer={null}
      width={640}
      maskClosable={false}
      onCancel={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="quota-fields">
          {FIELDS.filter((field) => field !== 'days' || member.role === 'main').map((field) => (
            <label key={field}>
              <span>{t(NAMES[field])}</span>
              <InputNumber
                style={{ width: '100%' }}
                precision={0}
                min={field === 'days' ? -DAYS_CHANGE_MAX : -CHANGE_MAX}
                max={field === 'days' ? DAYS_CHANGE_MAX : CHANGE_MAX}
                controls={false}
                suffix={field === 'charNum' ? undefined : t(UNITS[field])}
                formatter={(n, { userTyping, input }) => (userTyping ? input : signed(Number(n)))}
                parser={(typed) => Number((typed ?? '').replaceAll('−', '-').replaceAll(/[^\d-]/g, ''))}
                value={change[field]}
                onChange={(n) => setChange({ ...change, [field]: n ?? 0 })}
              />
            </label>
          ))}
        </div>
        <small className="faint">{t('adjustHint')}</small>
        <Result change={change} member={member} />
        <ReasonField
          value={reason}
          hint={t('reasonHint')}
          chips={[t('reason_vision'), t('reason_channel'), t('reason_campaign'), t('reason_correct')]}
          onChange={setReason}
        />
        {some && <WillRead>{sentenceOf(change, { member, operator, reason })}</WillRead>}
        {waits && <SecondPerson limits={limits} />}
        <DialogFoot
          busy={adjust.isPending || request.isPending}
          ready={some && enough && isReason(reason)}
          label={t(waits ? 'submitApproval' : 'submit')}
          note={
            <>
              {t('key')} <code>{key.slice(0, 12)}</code>
            </>
          }
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
