import { type MemberDetails, getSources } from '@yiqiao/contracts/operator/members';
import type { Response } from '@yiqiao/contracts/endpoint';
import { getShell } from '@yiqiao/contracts/operator/shell';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { copyText } from '../../../shared/clipboard.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { secondsBetween } from './wire-time.js';

const HOUR_SECONDS = 3_600;

/** Days and hours from `now` to `until`; null once it is over. */
function leftUntil(until: string, now: string): { days: number; hours: number } | null {
  const hours = secondsBetween(now, until) / HOUR_SECONDS;
  return hours === 0 ? null : { days: Math.floor(hours / 24), hours: Math.floor(hours % 24) };
}

export function BalanceCard({ member }: { member: MemberDetails }) {
  const t = useMessages('members');
  const { balance, family, holds, orders } = member;
  const { held, expireDateTime } = balance;
  const { data: shell } = useEndpoint(getShell, {});
  const left = expireDateTime === null || !shell ? null : leftUntil(expireDateTime, shell.now);
  return (
    <section className="card" aria-label={t('chars')}>
      <dl className="member-balances">
        <div>
          <dt>{t('chars')}</dt>
          <dd className="figure">
            {grouped(balance.charNum)}
            <small>
              {t('usable', {
                usable: grouped(balance.charNum - held.charNum),
                held: grouped(held.charNum),
                n: holds.length,
              })}
              <br />
              {t('familySum', { accounts: family.accounts, chars: grouped(family.charNum) })}
            </small>
          </dd>
        </div>
        <div>
          <dt>{t('voice')}</dt>
          <dd className="figure">
            {grouped(balance.voiceNum)}
            <i>{t('voiceUnit')}</i>
            <small>{t('heldOnly', { held: held.voiceNum })}</small>
          </dd>
        </div>
        <div>
          <dt>{t('images')}</dt>
          <dd className="figure">
            {grouped(balance.imageNum)}
            <i>{t('imageUnit')}</i>
            <small>{t('heldOnly', { held: held.imageNum })}</small>
          </dd>
        </div>
        <div>
          <dt>{t('expires')}</dt>
          <dd className="figure">
            {expireDateTime?.slice(0, 10) ?? t('noExpiry')}
            <small>
              {left ? t('left', left) : expireDateTime === null || !shell ? '' : t('leftOver')}
              <br />
              {t('recharged', { amount: yuan(balance.rechargeAmountTotal), paid: orders.paid })}
            </small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

type Sources = Response<typeof getSources>;

/** The rows of the waterfall, each from where the one before ended. */
function stepsOf({ before, parts }: Sources) {
  let sum = before.charNum;
  return parts.map((part) => {
    const from = sum;
    sum += part.charNum;
    return { part, from, to: sum };
  });
}

function Bar({ from, to, most, look }: { from: number; to: number; most: number; look: string }) {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const style = { left: `${(low / most) * 100}%`, width: `${((high - low) / most) * 100}%` };
  return (
    <td className="sources-bar" aria-hidden="true">
      <span>
        <i className={look} style={style} />
      </span>
    </td>
  );
}

const typeName = (type: string): string =>
  Object.hasOwn(ENTRY_TYPES, type) ? ENTRY_TYPES[type as EntryType][language] : type;

function SourcesTable({ sources }: { sources: Sources }) {
  const t = useMessages('members');
  const steps = stepsOf(sources);
  const most = Math.max(1, sources.before.charNum, ...steps.map(({ to }) => to));
  const { before, now, since } = sources;
  return (
    <div className="table-scroll">
      <table className="sources">
        <thead>
          <tr>
            <th>{t('cause')}</th>
            <th className="sources-bar" />
            <th>{t('chars')}</th>
            <th>{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t(since === null ? 'beginning' : 'beforeRecharge')}</td>
            <Bar from={0} to={before.charNum} most={most} look="" />
            <td>{grouped(before.charNum)}</td>
            <td className="muted">{grouped(before.charNum)}</td>
          </tr>
          {steps.map(({ part, from, to }) => (
            <tr key={`${part.type} ${part.direction}`}>
              <td>
                {typeName(part.type)}
                {part.label !== null && <small className="dynamic-text">{part.label}</small>}
                <small className="numeric">{t('count', { n: part.entries })}</small>
              </td>
              <Bar from={from} to={to} most={most} look={part.direction} />
              <td className={part.charNum < 0 ? 'sum-down' : part.charNum > 0 ? 'sum-up' : ''}>
                {signed(part.charNum)}
              </td>
              <td className="muted">{grouped(to)}</td>
            </tr>
          ))}
          <tr className="total">
            <td>{t('now')}</td>
            <Bar from={0} to={now.charNum} most={most} look="whole" />
            <td />
            <td>{grouped(now.charNum)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** What an operator tells the member: the same rows, without inner numbers. */
const explanationOf = (sources: Sources, t: ReturnType<typeof useMessages<'members'>>): string =>
  [
    sources.since === null ? t('sourcesAll') : t('sourcesSince', { time: sources.since }),
    `${t(sources.since === null ? 'beginning' : 'beforeRecharge')}  ${grouped(sources.before.charNum)}`,
    ...stepsOf(sources).map(({ part, to }) => `${typeName(part.type)}  ${signed(part.charNum)}  → ${grouped(to)}`),
    `${t('now')}  ${grouped(sources.now.charNum)}`,
  ].join('\n');

export function SourcesCard({ member: { userId } }: { member: MemberDetails }) {
  const t = useMessages('members');
  const query = useEndpoint(getSources, { userId: String(userId) });
  const since = query.data?.since;
  const note = query.data && (since ? t('sourcesSince', { time: since }) : t('sourcesAll'));
  return (
    <Card title={t('sources')} note={note}>
      <Loaded query={query} rows={5}>
        {(sources) => (
          <>
            <div className="card-body">
              <SourcesTable sources={sources} />
            </div>
            <div className="card-foot">
              <button
                type="button"
                className="button button-default button-small"
                onClick={({ currentTarget }) => void copyText(explanationOf(sources, t), currentTarget)}
              >
                <Icon name="copy" />
                {t('copy')}
              </button>
              <Link className="button button-default button-small" to={`/ledger/replay/${userId}`}>
                <Icon name="history" />
                {t('inReplay')}
              </Link>
              {sources.difference.charNum === 0 ? (
                <span className="faint">{t('agrees')}</span>
              ) : (
                <span className="state bad">{t('differs', { n: signed(sources.difference.charNum) })}</span>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}
