import type { Response } from '@yiqiao/contracts/endpoint';
import type { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { CanAccess } from '@refinedev/core';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';

import type { Tests } from './use-tests.js';

export type Channel = Response<typeof listVendorAccounts>['channels'][number];
export type Account = Channel['accounts'][number];

/** A cap with less than this left is worth a look. */
const NEARLY = 0.1;

const percent = (share: number | null): string => (share === null ? '—' : `${(share * 100).toFixed(2)} %`);
const number = (n: number | null): string => (n === null ? '—' : grouped(n));

export const kindText = (t: Translate<'vendors'>, kind: string | null): string =>
  t(`kind_${kind ?? 'transient'}` as 'kind_transient');

const capOf = ({ charsPerDay, health: { charsLeft } }: Account): number | null =>
  charsPerDay === null || charsLeft === null ? null : 1 - charsLeft / charsPerDay;

type State = { state: '' | 'ok' | 'warning' | 'bad'; text: string; note?: string };

function stateOf(account: Account, t: Translate<'vendors'>): State {
  const { breaker, openKind, openUntil } = account.health;
  if (account.paused) return { state: '', text: t('paused') };
  if (breaker === 'open')
    return {
      state: 'bad',
      text: t('breaker_open', { kind: kindText(t, openKind) }),
      ...(openUntil && { note: t('again', { time: openUntil.slice(11, 16) }) }),
    };
  if (breaker === 'half-open') return { state: 'warning', text: t('breaker_half-open') };
  if ((capOf(account) ?? 0) > 1 - NEARLY) return { state: 'warning', text: t('nearlyFull') };
  return { state: breaker === 'idle' ? '' : 'ok', text: t(`breaker_${breaker}`) };
}

function Cap({ account }: { account: Account }) {
  const t = useMessages('vendors');
  const { charsPerDay, health } = account;
  if (charsPerDay === null) return <span className="faint">{t('unlimited')}</span>;
  const used = capOf(account) ?? 0;
  return (
    <span className="vendors-cap">
      <span>{t('left', { n: grouped(health.charsLeft ?? charsPerDay) })}</span>
      <span className={used > 1 - NEARLY ? 'vendors-bar warning' : 'vendors-bar'}>
        <i style={{ width: `${used * 100}%` }} />
      </span>
    </span>
  );
}

type Testing = { tests: Tests; onTest: (account: Account) => void };

/** What the last test from the list came to. */
function TestNote({ account, tests }: { account: Account; tests: Tests }) {
  const t = useMessages('vendors');
  const tested = tests.get(account.id);
  if (tested === undefined || tested === 'failed') return null;
  if (tested === 'running') return <span className="faint vendors-note">{t('testing')}</span>;
  return tested.failure ? (
    <span className="danger-text vendors-note" title={tested.failure.said}>
      {t('testedBadly', { kind: kindText(t, tested.failure.kind) })}
    </span>
  ) : (
    <span className="success-text vendors-note" title={tested.answer ?? ''}>
      {t('testedWell', { ms: grouped(tested.ms) })}
    </span>
  );
}

/** One account; that of a channel with a single one stands in the row of the channel. */
function AccountRow({
  channel,
  account,
  isOnly,
  tests,
  onTest,
}: { channel: Channel; account: Account; isOnly: boolean } & Testing) {
  const t = useMessages('vendors');
  const { health } = account;
  const { state, text, note } = stateOf(account, t);
  const to = `/channels/${channel.code}/${encodeURIComponent(account.name)}`;
  return (
    <tr className={isOnly ? 'vendors-channel' : 'vendors-account'}>
      <th scope="row">
        {isOnly && <span className="dynamic-text">{channel.name} </span>}
        <span className={isOnly ? 'muted dynamic-text' : 'dynamic-text'}>{account.name}</span>
        {account.origin !== 'console' && (
          <span className="badge" title={t('originNote')}>
            {t(`origin_${account.origin}`)}
          </span>
        )}
      </th>
      <td>
        <span className={`state ${state}`}>{text}</span>
        {note && <span className="faint vendors-note">{note}</span>}
        <TestNote account={account} tests={tests} />
      </td>
      <td className="end">{percent(health.successShare)}</td>
      <td className="end muted">{number(health.medianMs)}</td>
      <td className="end muted">{number(health.p95Ms)}</td>
      <td>
        <span className="vendors-weight">
          <b>{account.weight}</b>
          <span className="vendors-bar">
            <i style={{ width: `${(health.requestShare ?? 0) * 100}%` }} />
          </span>
          <span className="muted">
            {health.requestShare === null ? '—' : `${(health.requestShare * 100).toFixed(1)} %`}
          </span>
        </span>
      </td>
      <td className="end">{grouped(health.charsToday)}</td>
      <td>
        <Cap account={account} />
      </td>
      <td className="end">
        <span className="vendors-actions">
          {isOnly && <AddLink channel={channel} />}
          <CanAccess resource="vendor-accounts" action="vendorAccount.change">
            <button
              type="button"
              className="link link-button"
              disabled={tests.get(account.id) === 'running'}
              aria-label={`${t('test')} ${channel.name} ${account.name}`}
              onClick={() => onTest(account)}
            >
              {t('test')}
            </button>
          </CanAccess>
          <Link className="link" to={to} aria-label={`${t('edit')} ${channel.name} ${account.name}`}>
            {t('edit')}
          </Link>
        </span>
      </td>
    </tr>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const t = useMessages('vendors');
  const { accounts, available } = channel;
  const down = accounts.filter(({ paused, health }) => paused || health.breaker === 'open').length;
  const fewer = available && down > 0;
  const isSetUp = available || accounts.length > 0 || channel.code === 'offline';
  const chars = accounts.reduce((sum, { health }) => sum + health.charsToday, 0);
  return (
    <tr className="vendors-channel">
      <th scope="row">
        <span className="dynamic-text">{channel.name}</span>
        {channel.code === 'offline' && <span className="muted"> {t('local')}</span>}
      </th>
      <td>
        {isSetUp ? (
          <span className={`state ${!available ? 'bad' : fewer ? 'warning' : 'ok'}`}>
            {!available ? t('unavailable') : fewer ? t('fewer', { n: down }) : t('available')}
          </span>
        ) : (
          <span className="muted">{t('noAccount')}</span>
        )}
      </td>
      <td className="end">{percent(channel.successShare)}</td>
      <td className="end muted">{number(channel.medianMs)}</td>
      <td className="end muted">{number(channel.p95Ms)}</td>
      <td />
      <td className="end">{accounts.length > 0 && grouped(chars)}</td>
      <td />
      <td className="end">
        <AddLink channel={channel} />
      </td>
    </tr>
  );
}

function AddLink({ channel: { code, name } }: { channel: Channel }) {
  const t = useMessages('vendors');
  if (code === 'offline') return null;
  return (
    <CanAccess resource="vendor-accounts" action="vendorAccount.setKey">
      <Link className="link" to={`/channels?add=${code}`} aria-label={`${t('add')} ${name}`}>
        {t('add')}
      </Link>
    </CanAccess>
  );
}

/** Each channel, and its accounts below it. */
export function HealthTable({ channels, tests, onTest }: { channels: readonly Channel[] } & Testing) {
  const t = useMessages('vendors');
  return (
    <div className="table-scroll rows-scroll" role="region" aria-label={t('health')} tabIndex={0}>
      <table className="rows-table numeric">
        <thead>
          <tr>
            <th scope="col">{t('columnName')}</th>
            <th scope="col">{t('columnBreaker')}</th>
            <th scope="col" className="end">
              {t('columnSuccess')}
            </th>
            <th scope="col" className="end">
              {t('columnMedian')}
            </th>
            <th scope="col" className="end">
              {t('columnP95')}
            </th>
            <th scope="col">{t('columnShare')}</th>
            <th scope="col" className="end">
              {t('columnChars')}
            </th>
            <th scope="col">{t('columnCap')}</th>
            <th scope="col" className="end">
              <span className="visually-hidden">{t('columnActions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => {
            const isOnly = channel.accounts.length === 1;
            return [
              ...(isOnly ? [] : [<ChannelRow key={channel.code} channel={channel} />]),
              ...channel.accounts.map((account) => (
                <AccountRow key={account.id} {...{ channel, account, isOnly, tests, onTest }} />
              )),
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}
