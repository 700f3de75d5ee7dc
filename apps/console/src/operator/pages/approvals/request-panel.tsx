import { useGetIdentity, useLogList } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { actionRow } from '@yiqiao/contracts/operator/actions';
import {
  approveRequest,
  getRequest,
  listRequests,
  rejectRequest,
  withdrawRequest,
} from '@yiqiao/contracts/operator/requests';
import { Button, Form, Input } from 'antd';
import { Link } from 'react-router';
import type { z } from 'zod';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { ApiError } from '../../../shared/api/api-error.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Session } from '../../shared/api/session.js';
import { Loaded } from '../../shared/states.js';
import { actionName, requestNumber } from '../../shared/action-names.js';
import { listed } from '../../shared/listed.js';
import { shown } from './words.js';
import { RequestResult } from './request-result.js';

type Request = Response<typeof getRequest>;
type Action = z.infer<typeof actionRow>;

const initialOf = (name: string): string => [...name][0]?.toUpperCase() ?? '';

/** Who asks and who decides, at the two ends of an arch: the operator's hand (OPERATOR.md §1). */
function ApprovalParties({ request, me }: { request: Request; me: string }) {
  const t = useMessages('approvals');
  const { undecidable, decidedBy } = request;
  const [who, why] =
    decidedBy !== null && request.state !== 'withdrawn'
      ? [t('decidedBy', { name: decidedBy }), request.decidedAt?.slice(5)]
      : undecidable === null
        ? [t('youDecide', { name: me }), t('notTheMaker')]
        : undecidable === 'own'
          ? [t('anotherDecides'), t('notYours')]
          : undecidable === 'role'
            ? [t('anotherDecides'), t('noRole')]
            : ['', request.decidedAt?.slice(5)];
  const checker = decidedBy ?? (undecidable === null ? me : null);
  return (
    <div className="approval-parties">
      <div>
        <span className="avatar" aria-hidden="true">
          {initialOf(request.maker)}
        </span>
        <span>
          {t('makerAsks', { name: request.maker })}
          <small className="numeric">{listed(request.madeAt.slice(5), request.makerIp)}</small>
        </span>
      </div>
      <svg viewBox="0 0 96 38" aria-hidden="true" focusable="false">
        <path d="M2 10Q48-2 94 10M4 38C6 20 24 12 48 12s42 8 44 26" />
      </svg>
      <div>
        <span>
          {who}
          <small className="numeric">{why}</small>
        </span>
        <span className={decidedBy === null ? 'avatar open' : 'avatar'} aria-hidden="true">
          {checker === null ? '?' : initialOf(checker)}
        </span>
      </div>
    </div>
  );
}

function Facts({ request }: { request: Request }) {
  const t = useMessages('approvals');
  const whatIf = typeof request.payload['whatIfId'] === 'number' ? request.payload['whatIfId'] : undefined;
  return (
    <div className="approval-facts">
      <dl className="facts">
        {request.facts.map(({ label, value }) => (
          <div key={label.en}>
            <dt>{shown(label)}</dt>
            <dd>
              {whatIf !== undefined && value === `#${whatIf}` ? (
                <Link className="link" to={`/plans?whatIf=${whatIf}`}>
                  {value}
                </Link>
              ) : (
                shown(value)
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('reasonOfMaker')}</dt>
          <dd>{request.reason}</dd>
        </div>
        <div>
          <dt>{t('hash')}</dt>
          <dd title={[request.payloadHash, t('hashNote')].join('\n')}>
            <code>{request.payloadHash.slice(0, 16)}…</code>
          </dd>
        </div>
      </dl>
      {request.changes.length > 0 && (
        <dl className="facts" aria-label={t('changes')}>
          {request.changes.map(({ label, before, after }) => (
            <div key={label.en}>
              <dt>{shown(label)}</dt>
              <dd>
                <BeforeAfter before={shown(before)} after={shown(after)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const CHECK_ICONS = { met: 'check', unmet: 'alert', note: 'info' } as const;

function Checks({ checks }: Pick<Request, 'checks'>) {
  const t = useMessages('approvals');
  if (checks.length === 0) return null;
  return (
    <ul className="approval-checks" aria-label={t('checks')}>
      {checks.map(({ state, text, detail }) => (
        <li key={text.en} className={`check-${state}`}>
          <Icon name={CHECK_ICONS[state]} />
          <div>
            {text[language]}
            {detail && <small>{detail[language]}</small>}
          </div>
        </li>
      ))}
    </ul>
  );
}

type Decision = { reason: string; code: string };

/** After any change of a request: its page, the lists and the badge. */
function useChanged(): () => Promise<void> {
  const invalidate = useInvalidateEndpoint();
  return async () => {
    await Promise.all([invalidate(getRequest), invalidate(listRequests)]);
  };
}

function DecisionForm({ id }: { id: number }) {
  const t = useMessages('approvals');
  const changed = useChanged();
  const [form] = Form.useForm<Decision>();
  const onError = async (error: unknown): Promise<void> => {
    if (error instanceof ApiError && error.code === 'REQUEST_DECIDED') {
      toast.info(t('stale'));
      await changed();
      return;
    }
    form.setFieldValue('code', '');
    refusalInto(form, {
      SIGN_IN_CODE_WRONG: 'code',
      SIGN_IN_CODE_USED: 'code',
      OPERATOR_CODE_REQUIRED: 'code',
    })(error);
  };
  const approve = useEndpointMutation(approveRequest, {
    onSuccess: async ({ outcome }) => {
      const why = outcome?.refusal?.text[language];
      if (why === undefined) toast.success(t('approved'));
      else toast.error(t('failed', { why }));
      await changed();
    },
    onError,
  });
  const reject = useEndpointMutation(rejectRequest, {
    onSuccess: async () => {
      toast.success(t('rejected'));
      await changed();
    },
    onError,
  });
  const busy = approve.isPending || reject.isPending;
  const code = Form.useWatch('code', form);
  const reason = Form.useWatch('reason', form);
  const complete = Boolean(code?.trim()) && Boolean(reason?.trim());
  const submit = (send: typeof approve.mutate) => async (): Promise<void> => {
    const values = await form.validateFields().catch(() => null);
    if (values) send({ id: String(id), ...values });
  };
  return (
    <Form form={form} name={`request-${id}`} className="approval-decision" requiredMark={false} colon={false}>
      <Form.Item
        name="reason"
        label={t('decisionReason')}
        rules={[{ required: true, whitespace: true, message: t('reasonRequired') }]}
      >
        <Input maxLength={500} autoComplete="off" placeholder={t('decisionReasonHint')} />
      </Form.Item>
      <Form.Item name="code" label={t('code')} rules={[{ required: true, message: t('codeRequired') }]}>
        <Input
          className="code-input numeric"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={32}
          placeholder={t('codePlaceholder')}
        />
      </Form.Item>
      <div className="approval-buttons">
        <Button onClick={() => void submit(reject.mutate)()} loading={reject.isPending} disabled={busy}>
          {t('reject')}
        </Button>
        <Button
          type="primary"
          onClick={() => void submit(approve.mutate)()}
          loading={approve.isPending}
          disabled={busy || !complete}
        >
          {t('approve')}
        </Button>
      </div>
    </Form>
  );
}

function Withdrawal({ id }: { id: number }) {
  const t = useMessages('approvals');
  const changed = useChanged();
  const { mutate, isPending } = useEndpointMutation(withdrawRequest, {
    onSuccess: async () => {
      toast.success(t('withdrawn'));
      await changed();
    },
  });
  return (
    <div className="approval-decision approval-buttons">
      <Button onClick={() => mutate({ id: String(id) })} loading={isPending}>
        {t('withdraw')}
      </Button>
    </div>
  );
}

/** What the action log has of this request. */
function Log({ id, state }: { id: number; state: string }) {
  const t = useMessages('approvals');
  const { data } = useLogList<Action[]>({
    resource: 'requests',
    meta: { approvalId: id },
    queryOptions: { queryKey: ['requests', 'log', id, state] },
  });
  if (!data || data.length === 0) return null;
  return (
    <ol className="approval-log" aria-label={t('log')}>
      {[...data].reverse().map(({ n, at, actor, action, reason }) => (
        <li key={n}>
          <span className="numeric">{at.slice(5)}</span> <b>{actor}</b> {actionName(action)}
          {reason && <small>{reason}</small>}
        </li>
      ))}
    </ol>
  );
}

/** One request: who asks, what would change, what holds now, and the decision. */
export function RequestPanel({ id }: { id: number }) {
  const t = useMessages('approvals');
  const { data: operator } = useGetIdentity<Session>();
  const query = useEndpoint(getRequest, { id: String(id) });
  return (
    <section className="card" aria-live="polite">
      <Loaded query={query} rows={6}>
        {(request) => (
          <>
            <div className="card-head approval-head">
              <h2>{shown(request.title)}</h2>
              <small className="numeric">{t('number', { number: requestNumber(request.id) })}</small>
            </div>
            <ApprovalParties request={request} me={operator?.name ?? ''} />
            <Facts request={request} />
            <Checks checks={request.checks} />
            {request.undecidable === null && <DecisionForm id={id} />}
            {request.undecidable === 'own' && <Withdrawal id={id} />}
            {request.undecidable === 'ended' && (
              <p className="approval-decision">
                <RequestResult row={request} />
              </p>
            )}
            <Log id={id} state={request.state} />
          </>
        )}
      </Loaded>
    </section>
  );
}
