import { grantPlan, previewGrant } from '@yiqiao/contracts/operator/member-changes';
import { listGrantable } from '@yiqiao/contracts/operator/members';
import { getLimits } from '@yiqiao/contracts/operator/requests';
import type { Response } from '@yiqiao/contracts/endpoint';
import { SALES_NUM_MAX } from '@yiqiao/domain/limits';
import { InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import { freshKey } from '../../../shared/api/fresh-key.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { type ChangeProps, SecondPerson, useChange, WillRead } from './adjust-dialog.js';
import { DialogFoot, isReason, ReasonField } from './reason-dialogs.js';

type Preview = Response<typeof previewGrant>;

function Result({ preview: { before, after } }: { preview: Preview }) {
  const t = useMessages('members');
  const rows = [
    [t('chars'), grouped(before.charNum), grouped(after.charNum)],
    [t('voice'), grouped(before.voiceNum), grouped(after.voiceNum)],
    [t('images'), grouped(before.imageNum), grouped(after.imageNum)],
    [t('expires'), before.expireDateTime?.slice(0, 10) ?? '–', after.expireDateTime?.slice(0, 10) ?? '–'],
  ];
  return (
    <div className="quota-result" aria-live="polite">
      {rows.map(([name, was, is]) => (
        <div key={name}>
          <small>
            {name} {was} →
          </small>
          <b className={was === is ? '' : 'changed'}>{is}</b>
        </div>
      ))}
    </div>
  );
}

/** The effect of a purchase, free of charge; alone up to the limit (operators §4). */
export function GrantDialog({ member, operator, onClose }: ChangeProps) {
  const t = useMessages('members');
  const [memberGroupId, setPlan] = useState<number | null>(null);
  const [quantity, setQuantity] = useState(1);
  const [reason, setReason] = useState('');
  const [key] = useState(freshKey);
  const { data: plans = [] } = useEndpoint(listGrantable, {});
  const { data: limits } = useEndpoint(getLimits, {});
  const { request, changed } = useChange(onClose);
  const userId = String(member.userId);
  const asked = { userId, memberGroupId: String(memberGroupId ?? 0), quantity: String(quantity) };
  const preview = useEndpoint(previewGrant, asked, { enabled: memberGroupId !== null });
  const names = new Map(plans.map(({ id, name, enName }) => [id, language === 'zh' ? name : enName]));
  const plan = names.get(memberGroupId ?? 0) ?? '';
  const grant = useEndpointMutation(grantPlan, { onSuccess: () => changed(t('granted', { plan })) });
  const waits = preview.data?.needsApproval ?? false;
  const submit = (): void => {
    if (memberGroupId === null) return;
    const change = { memberGroupId, quantity };
    if (waits) void request.mutate({ kind: 'plan.grant', target: userId, payload: change, reason }, key);
    else void grant.mutate({ userId, change, reason }, key);
  };
  return (
    <Modal
      open
      title={
        <>
          {t('grant')}
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
        <div className="grant-fields">
          <label>
            <span>{t('plan')}</span>
            <Select<number>
              style={{ width: '100%' }}
              aria-label={t('plan')}
              placeholder={t('choosePlan')}
              value={memberGroupId}
              options={[...names].map(([value, label]) => ({ value, label }))}
              onChange={setPlan}
            />
          </label>
          <label>
            <span>{t('quantity')}</span>
            <InputNumber
              style={{ width: '100%' }}
              precision={0}
              min={1}
              max={SALES_NUM_MAX}
              value={quantity}
              onChange={(n) => setQuantity(n ?? 1)}
            />
          </label>
        </div>
        {preview.data && <Result preview={preview.data} />}
        {preview.isError && <p className="remark bad dialog-note">{messageOf(preview.error)}</p>}
        <ReasonField
          value={reason}
          hint={t('reasonHint')}
          chips={[t('reason_channel'), t('reason_campaign')]}
          onChange={setReason}
        />
        {plan !== '' && <WillRead>{t('grantSentence', { plan, name: operator, reason })}</WillRead>}
        {waits && limits && <SecondPerson limits={limits} />}
        <DialogFoot
          busy={grant.isPending || request.isPending}
          ready={preview.data !== undefined && isReason(reason)}
          label={t(waits ? 'submitApproval' : 'submitGrant')}
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
