import type { ShareMode } from '@yiqiao/domain/movements';
import { distributeToMany } from '@yiqiao/contracts/sub-accounts';
import { CHANGE_MAX, SHARE_STEPS } from '@yiqiao/domain/limits';
import { Form, InputNumber, Modal, Segmented } from 'antd';
import { useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../../shared/api/api-error.js';
import { freshKey } from '../../../../shared/api/fresh-key.js';
import { useMember } from '../../../../shared/auth/user.js';
import { grouped } from '../../../../shared/amounts.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../../shared/refine/use-endpoint.js';
import { type DialogFrame, whileBusy } from '../../../shared/dialogs/dialog-frame.js';
import { hideSteps } from '../../../shared/form/number-steps.js';
import type { ChildUser } from '../child-user.js';
import { holdingOf, QUANTITIES, type Quantity, QUANTITY_TEXTS } from '../distribution/shares.js';
import { useRefreshFamily } from '../use-sub-accounts.js';
import { ScopeField, type Targets, useScope } from './scope.js';

type Amounts = Readonly<Record<Quantity, number>>;
const NOTHING: Amounts = { charNum: 0, voiceNum: 0, imageNum: 0 };

/** The sentence for a refusal, with the names of sub-accounts that are gone; null when it has been shown already. */
function useRefusal(ticked: readonly ChildUser[]): (error: unknown) => string | null {
  const t = useMessages('sub-accounts');
  return (error) => {
    const gone = error instanceof ApiError && error.code === 'NOT_FOUND' ? error.data.userIds : undefined;
    if (!Array.isArray(gone)) return messageOf(error);
    const names = ticked.filter(({ userId }) => gone.includes(userId)).map(({ account }) => account);
    return t('shareManyGone', { names: names.join(t('separator')) });
  };
}

type AmountsFieldsProps = { amounts: Amounts; onAmounts: (amounts: Amounts) => void; onEnter: () => void };

function AmountsFields({ amounts, onAmounts, onEnter }: AmountsFieldsProps) {
  const t = useMessages('sub-accounts');
  return (
    <Form layout="vertical" component="div" className="sb-amounts">
      {QUANTITIES.map((quantity) => (
        <Form.Item key={quantity} label={t(QUANTITY_TEXTS[quantity].name)} htmlFor={`many-${quantity}`}>
          <InputNumber<number>
            ref={hideSteps}
            id={`many-${quantity}`}
            min={0}
            max={CHANGE_MAX}
            step={SHARE_STEPS[quantity]}
            precision={0}
            value={amounts[quantity]}
            inputMode="numeric"
            formatter={(value) => (value === undefined ? '' : grouped(Number(value)))}
            parser={(text) => Number((text ?? '').replace(/\D/g, ''))}
            onChange={(value) => onAmounts({ ...amounts, [quantity]: value ?? 0 })}
            onFocus={({ target }) => target.select()}
            onPressEnter={onEnter}
          />
        </Form.Item>
      ))}
    </Form>
  );
}

type SumProps = { mode: ShareMode; count: number; amounts: Amounts; over: readonly Quantity[] };

/** What the main account needs for all of them, and what it has. */
function Sum({ mode, count, amounts, over }: SumProps) {
  const t = useMessages('sub-accounts');
  const free = holdingOf(useMember().memberAccount);
  const given = QUANTITIES.filter((quantity) => amounts[quantity] > 0);
  return (
    <ul className="sb-sum" role="status">
      {given.map((quantity) => (
        <li key={quantity} className={over.includes(quantity) ? 'sa-out' : 'muted'}>
          {t(mode === 'give' ? 'shareManySum' : 'shareManyMost', {
            quantity: t(QUANTITY_TEXTS[quantity].name),
            n: grouped(count),
            each: grouped(amounts[quantity]),
            needed: grouped(count * amounts[quantity]),
            free: grouped(free[quantity]),
          })}
        </li>
      ))}
    </ul>
  );
}

/** The same amount for several sub-accounts, or what is missing to it; all or nothing, and once, however often it is sent. */
export function ShareManyDialog({ frame, targets }: { frame: DialogFrame; targets: Targets }) {
  const t = useMessages('sub-accounts');
  const refresh = useRefreshFamily();
  const free = holdingOf(useMember().memberAccount);
  const chosen = useScope(targets);
  const [mode, setMode] = useState<ShareMode>('give');
  const [amounts, setAmounts] = useState(NOTHING);
  const [refused, setRefused] = useState<string | null>(null);
  const [key, setKey] = useState(freshKey);
  const body = useRef<HTMLDivElement>(null);
  const refusal = useRefusal(targets.ticked);
  const over =
    mode === 'topUp' ? [] : QUANTITIES.filter((quantity) => chosen.count * amounts[quantity] > free[quantity]);
  const confirmable = over.length === 0 && QUANTITIES.some((quantity) => amounts[quantity] > 0);
  const { mutate, isPending } = useEndpointMutation(distributeToMany, {
    successMessage: ({ count, moved }) => {
      const figures = QUANTITIES.filter((quantity) => moved[quantity] > 0).map((quantity) =>
        t(QUANTITY_TEXTS[quantity].figure, { n: grouped(moved[quantity]) }),
      );
      return t('shareManyDone', { n: grouped(count), figures: figures.join(t('separator')) });
    },
    onSuccess: () => {
      refresh();
      frame.onClose();
    },
    onError: (error) => {
      const reused = error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED';
      // An earlier attempt, whose answer was lost, did arrive with other amounts.
      if (reused) setKey(freshKey());
      setRefused(reused ? t('appliedBefore') : refusal(error));
      refresh();
    },
  });
  const submit = (): void => {
    setRefused(null);
    if (confirmable) mutate({ ...chosen.fields, mode, ...amounts }, key);
  };
  return (
    <Modal
      open={frame.open}
      width={560}
      title={<span className="display">{t('shareMany')}</span>}
      okText={t('shareVerb')}
      okButtonProps={{ disabled: !confirmable }}
      {...whileBusy(isPending)}
      onOk={submit}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
      afterOpenChange={(shown) => shown && body.current?.querySelector<HTMLElement>('input[role=spinbutton]')?.focus()}
    >
      <div ref={body} className="sb-body">
        <ScopeField targets={targets} chosen={chosen} />
        <Segmented<ShareMode>
          aria-label={t('shareMode')}
          value={mode}
          options={[
            { value: 'give', label: t('modeGive') },
            { value: 'topUp', label: t('modeTopUp') },
          ]}
          onChange={setMode}
        />
        <p className="faint">{t(mode === 'give' ? 'modeGiveWhy' : 'modeTopUpWhy')}</p>
        <AmountsFields amounts={amounts} onAmounts={setAmounts} onEnter={submit} />
        <Sum mode={mode} count={chosen.count} amounts={amounts} over={over} />
        <div role="alert">{refused !== null && <p className="note warning">{refused}</p>}</div>
      </div>
    </Modal>
  );
}
