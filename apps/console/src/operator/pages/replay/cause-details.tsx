import { getCause } from '@yiqiao/contracts/operator/accounts';
import type { checkProof } from '@yiqiao/contracts/operator/accounts';
import type { Response } from '@yiqiao/contracts/endpoint';
import { PAY_STATUSES } from '@yiqiao/domain/orders';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import type { EntryRow } from './steps.js';
import { useReplay } from './use-replay.js';

export type Cause = Response<typeof getCause>;
type Break = NonNullable<Response<typeof checkProof>['firstBreak']>;

function Hash({ value, className }: { value: string; className?: string }) {
  return (
    <code className={className ? `mono ${className}` : 'mono'} title={value}>
      <b>{value.slice(0, 8)}</b>
      {value.slice(8, 30)}…{value.slice(-4)}
    </code>
  );
}

/** Asked for once the moment has come to rest. */
export const useCause = (id: number | null, enabled: boolean): Cause | undefined =>
  useEndpoint(
    getCause,
    { id: String(id ?? 1) },
    { enabled: enabled && id !== null, staleTime: Number.POSITIVE_INFINITY },
  ).data;

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What stands behind the entry of the moment. */
export function CauseDetails({ row }: { row: EntryRow }) {
  const t = useMessages('replay');
  const { state, proof } = useReplay();
  const cause = useCause(row.id, !state.playing);
  const isProven = proof && row.seq >= proof.from && (proof.firstBreak === null || row.seq < proof.firstBreak.seq);
  return (
    <div className="xd">
      <dl>
        {cause && <CauseRows cause={cause} />}
        <Row label={t('command')}>
          <code className="mono">{row.cmdId}</code>
        </Row>
        {cause && <Jumps cause={cause} />}
      </dl>
      <dl>
        <Row label={t('previousHash')}>
          <Hash value={row.previousHash} />
        </Row>
        <Row label={t('hash')}>
          <Hash value={row.hash} />
        </Row>
        {isProven && (
          <Row label={t('recomputed')}>
            <span className="good">{t('recomputedSame')}</span>
          </Row>
        )}
      </dl>
    </div>
  );
}

const STEP = 10_000;

/** Why characters moved by themselves. What was held at that time is unknown, so the missing part is named only where it explains the amount. */
function useWhyMoved({ translation, entries }: Cause): string | null {
  const t = useMessages('replay');
  const receiver = entries.find(({ userId }) => userId === translation?.userId);
  if (!translation || !receiver || entries.length < 2) return null;
  const { name, beforeCharNum: before, charChangeNum: moved } = receiver;
  const lacking = translation.charged - before;
  if (lacking > 0 && Math.ceil(lacking / STEP) * STEP === moved)
    return t('causeAuto', {
      name,
      charged: grouped(translation.charged),
      before: grouped(before),
      lacking: grouped(lacking),
    });
  return t('causeAutoHeld', { name, charged: grouped(translation.charged), moved: grouped(moved) });
}

function CauseRows({ cause }: { cause: Cause }) {
  const t = useMessages('replay');
  const { order, translation, conversion, action, words, who } = cause;
  const whyMoved = useWhyMoved(cause);
  const price = (n: number | null): string => (n === null ? '' : `（${t('price', { n })}）`);
  return (
    <>
      <Row label={t('cause')}>{whyMoved ?? words}</Row>
      <Row label={t('who')}>
        {who.hand === 'operator' ? <OperatorTag name={who.name ?? ''} /> : (who.name ?? t('hand_system'))}
      </Row>
      {order && (
        <Row label={t('order')}>
          <span className="num">{order.no}</span>{' '}
          {t('orderText', {
            plan: order.plan,
            amount: yuan(order.amount),
            status: PAY_STATUSES[order.payStatus][language],
          })}
        </Row>
      )}
      {order?.payments.map(({ gateway, tradeNo, amount, payDateTime }) => (
        <Row key={tradeNo} label={t('payment')}>
          {t('paymentText', { gateway, no: tradeNo, amount: yuan(amount), time: payDateTime ?? '' })}
        </Row>
      ))}
      {order?.messages.map((message) => (
        <Row key={`${message.receiveDateTime} ${message.outcome}`} label={t('message')}>
          {t('messageText', {
            gateway: message.gateway,
            time: message.receiveDateTime,
            outcome: t(message.genuine ? 'genuine' : 'forged'),
          })}
          {message.times > 1 && ` · ${t('times', { n: message.times })}`}
        </Row>
      ))}
      {translation && (
        <Row label={t('translation')}>
          {t('translationText', {
            words: grouped(translation.wordCount),
            from: translation.sourceLanguage,
            to: translation.targetLanguage,
            channel: translation.channel,
            charged: grouped(translation.charged),
          })}
          {!translation.succeeded && ` · ${t('translationFailed')}`}
        </Row>
      )}
      {conversion && (
        <Row label={t('converted')}>
          {conversion.channelBefore ?? ''}
          {price(conversion.priceBefore)} → {conversion.channelAfter ?? ''}
          {price(conversion.priceAfter)}
          {conversion.modeBefore !== conversion.modeAfter &&
            ` · ${BILLING_MODES[conversion.modeBefore][language]} → ${BILLING_MODES[conversion.modeAfter][language]}`}
        </Row>
      )}
      {action !== null && action.reason !== null && <Row label={t('reason')}>{action.reason}</Row>}
      {action !== null && action.n !== null && <Row label={t('action')}>{t('actionNo', { n: action.n })}</Row>}
      {action !== null && action.approvalId !== null && (
        <Row label={t('approval')}>{t('approvalNo', { n: action.approvalId })}</Row>
      )}
    </>
  );
}

/** An operator's hand. */
export function OperatorTag({ name }: { name: string }) {
  return <span className="tag hd">{name}</span>;
}

type Target = { userId: number; seq: number };

/** To an entry of this account within the page, to one of another account by its address. */
function JumpTo({ target: { userId, seq }, text }: { target: Target; text: string }) {
  const { account, dispatch } = useReplay();
  return (
    <Link
      to={`/ledger/replay/${userId}?seq=${seq}`}
      onClick={(event) => {
        if (userId !== account.userId) return;
        event.preventDefault();
        dispatch({ do: 'went', seq });
      }}
    >
      {text} →
    </Link>
  );
}

function Jumps({ cause }: { cause: Cause }) {
  const t = useMessages('replay');
  const { entries, translation, userId, seq } = cause;
  const others = entries.filter((entry) => entry.userId !== userId);
  const far =
    translation !== null && translation.seq !== null && (translation.userId !== userId || translation.seq !== seq)
      ? { userId: translation.userId, seq: translation.seq }
      : null;
  if (others.length === 0 && !far) return null;
  return (
    <Row label={t('jump')}>
      <span className="jumps">
        {others.slice(0, 3).map((entry) => (
          <JumpTo
            key={entry.entryId}
            target={entry}
            text={t('otherSide', { name: entry.name, n: grouped(entry.seq) })}
          />
        ))}
        {far && <JumpTo target={far} text={t('thatTranslation')} />}
        {others.length > 0 && (
          <Link to={`/ledger/replay/${userId}?scope=family&entry=${entries[0]?.entryId ?? ''}`}>
            {t('wholeCommand')} →
          </Link>
        )}
      </span>
    </Row>
  );
}

/** Where the chain breaks: what was expected, what was found, and what the neighbours say. */
export function BreakDetails({ row, after, broken }: { row: EntryRow; after: EntryRow | undefined; broken: Break }) {
  const t = useMessages('replay');
  const cause = useCause(row.id, true);
  const charged = cause?.translation?.cmdId === row.cmdId ? cause.translation.charged : null;
  const written = Math.abs(row.charChangeNum || row.voiceChangeNum || row.imageChangeNum);
  const isHash = broken.field === 'hash';
  return (
    <div className="xd">
      <dl>
        <Row label={t('field')}>
          <b>{broken.field}</b>
        </Row>
        <Row label={t('expected')}>
          {isHash ? <Hash value={broken.expected} /> : <b className="num">{broken.expected}</b>}
        </Row>
        <Row label={t('found')}>
          {isHash ? <Hash value={broken.found} className="wrong" /> : <b className="num wrong">{broken.found}</b>}
        </Row>
      </dl>
      <dl>
        {after && (
          <Row label={t('nextEntry')}>
            {t('nextEntryText', {
              n: grouped(after.seq),
              before: grouped(after.beforeCharNum),
              last: grouped(row.lastCharNum),
              apart: grouped(Math.abs(after.beforeCharNum - row.lastCharNum)),
            })}
          </Row>
        )}
        {charged !== null && charged !== written && (
          <Row label={t('witness')}>{t('witnessText', { charged: grouped(charged), written: grouped(written) })}</Row>
        )}
        <Row label={t('command')}>
          <code className="mono">{row.cmdId}</code>
        </Row>
      </dl>
    </div>
  );
}
