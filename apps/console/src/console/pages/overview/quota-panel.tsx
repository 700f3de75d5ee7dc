import { useList } from '@refinedev/core';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { billingModeOf, isMain, type User } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { wireMs, wireNow } from '../../shared/wire-time.js';
import { usePackageWarning, WarningAction } from '../../shared/package-warning/package-warning.js';
import { warningText } from '../../shared/package-warning/warning.js';
import { packageDays, periodOf, type PackageDays, type Period } from './overview.js';

type Entry = Response<typeof listAccountLogs>['rows'][number];

/** The last entry of a type that starts a period; refetched when the member's figures indicate a newer one. */
function useLastEntry(user: User, logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' | 'MATRIX') {
  const { userId, memberGroupId, tranChannelId, memberAccount } = user;
  const { query } = useList<Entry>({
    resource: 'accountLogs',
    pagination: { currentPage: 1, pageSize: 1 },
    filters: [{ field: 'logType', operator: 'eq', value: logType }],
    meta: { userId, memberGroupId, tranChannelId, rechargeAmountTotal: memberAccount.rechargeAmountTotal },
    liveMode: 'off', // translations add entries but start no period
    errorNotification: false,
    queryOptions: { enabled: isMain(user) },
  });
  return query;
}

/**
 * The quota of this period in character mode. `pending` while its start is looked up in the ledger, again when there may be a newer
 * one; null when that fails, because the balance is correct without it. A sub-account buys nothing: everything it received counts.
 */
function usePeriod(user: User): Period | 'pending' | null {
  const main = isMain(user);
  const { memberAccount: account } = user;
  const recharge = useLastEntry(user, 'RECHARGE_ORDER_BY_MEMBER_GROUP');
  const change = useLastEntry(user, 'MATRIX');
  if (!main) return periodOf(account, []);
  if (recharge.data && change.data) return periodOf(account, [...recharge.data.data, ...change.data.data]);
  return recharge.isError || change.isError ? null : 'pending';
}

/** Says that the package has expired. A main account can renew it here; a sub-account is told whom to ask. */
function PackageOver({ user }: { user: User }) {
  const t = useMessages('package-warning');
  const current = usePackageWarning();
  const main = isMain(user);
  if (current?.warning.kind !== 'expired') return null;
  return (
    <span className="ov-expired">
      {warningText(current.warning, { main, t })}
      {!main && ' '}
      {!main && <WarningAction user={user} warning={current.warning} />}
    </span>
  );
}

/** A bar with the rest of this period's quota, and the quota. */
function Meter({ user }: { user: User }) {
  const t = useMessages('overview');
  const period = usePeriod(user);
  if (period === null) return null;
  if (period === 'pending') return <i className="skeleton ov-bar-wait" aria-hidden="true" />;
  const { quota, left, since } = period;
  return (
    <>
      <div className="ov-bar" role="img" aria-label={t('shareLabel', { left })}>
        <i style={{ width: `${left}%` }} />
      </div>
      <span>{t(since === 'all' ? 'allQuota' : 'periodQuota', { n: grouped(quota) })}</span>
    </>
  );
}

type ModeProps = { user: User; days: PackageDays };

function CharMode({ user, days }: ModeProps) {
  const t = useMessages('overview');
  const { expireDateTime } = user.memberAccount;
  const date = expireDateTime?.slice(0, 10) ?? '';
  return (
    <div className="ov-meter ov-chars numeric">
      <Meter user={user} />
      <p>
        {expireDateTime === null && <span>{t('noExpiry')}</span>}
        {expireDateTime !== null && days.expired && <PackageOver user={user} />}
        {expireDateTime !== null && !days.expired && <span>{t('expiresOn', { date, days: days.daysLeft })}</span>}
      </p>
    </div>
  );
}

function TimeMode({ user, days }: ModeProps) {
  const t = useMessages('overview');
  const used = days.cells.filter((cell) => cell === 'used').length;
  return (
    <div className="ov-meter">
      <div className="ov-days" role="img" aria-label={t('daysLabel', { used })}>
        {days.cells.map((cell, day) => (
          <i key={day} className={`ov-day-${cell}`} />
        ))}
      </div>
      <p className="numeric">
        {days.expired ? <PackageOver user={user} /> : <span>{t('daysLeft', { days: days.daysLeft })}</span>}
      </p>
    </div>
  );
}

/** A key figure: label above, large serif lining figures, the unit small beside them. */
function Figure({ label, unit, children }: { label: ReactNode; unit?: ReactNode; children: ReactNode }) {
  return (
    <div className="key-figure">
      <p className="key-figure-label">{label}</p>
      <p className="key-figure-value">
        {children}
        {unit && <small>{unit}</small>}
      </p>
    </div>
  );
}

const CAPS = [
  { quantity: 'charNum', day: 'capDayChars', month: 'capMonthChars' },
  { quantity: 'voiceNum', day: 'capDayVoice', month: 'capMonthVoice' },
  { quantity: 'imageNum', day: 'capDayImages', month: 'capMonthImages' },
] as const;

/** What the main account lets this sub-account use, and what it has used. */
function Caps({ caps }: { caps: NonNullable<User['caps']> }) {
  const t = useMessages('overview');
  const lines = CAPS.flatMap(({ quantity, day, month }) => [
    { key: day, used: caps.usedToday[quantity], cap: caps.day[quantity] },
    { key: month, used: caps.usedThisMonth[quantity], cap: caps.month[quantity] },
  ]).filter(({ cap }) => cap > 0);
  return (
    <ul className="ov-caps numeric">
      {lines.map(({ key, used, cap }) => (
        <li key={key}>{t(key, { n: grouped(used), cap: grouped(cap) })}</li>
      ))}
    </ul>
  );
}

/** The balance (character mode) or the expiry (time mode) as the figure of the page, and the totals below it. */
export function QuotaPanel({ user }: { user: User }) {
  const t = useMessages('overview');
  const { memberAccount: account } = user;
  const timed = billingModeOf(user) === 'time';
  const days = packageDays(account.expireDateTime === null ? null : wireMs(account.expireDateTime), wireMs(wireNow()));
  const [date = '', time] = account.expireDateTime?.split(' ') ?? [t('noExpiry')];
  return (
    <section className="card ov-quota" aria-label={t('quota')}>
      <div className="ov-figure">
        {timed ? (
          <Figure label={t('expiry')} unit={time?.slice(0, 5)}>
            {date}
          </Figure>
        ) : (
          <Figure label={t('remainingChars')}>{grouped(account.usableCharNum)}</Figure>
        )}
        <div className="ov-actions">
          {isMain(user) ? (
            <>
              {!timed && (
                <Link className="button button-default" to="/UserCenterChild">
                  {t('distribute')}
                </Link>
              )}
              <Link className="button button-primary" to="/UserCenterRecharge">
                {t(timed ? 'renew' : 'recharge')}
              </Link>
            </>
          ) : (
            <Link className="button button-primary" to="/UserCenterChangeTranslateTest">
              {t('translate')}
            </Link>
          )}
        </div>
      </div>
      {timed ? <TimeMode user={user} days={days} /> : <CharMode user={user} days={days} />}
      {user.caps && <Caps caps={user.caps} />}
      <dl className="ov-totals">
        <Total label={t('usedChars')} value={grouped(account.usedCharTotal)} />
        <Total
          label={t('voice')}
          value={grouped(account.usableVoiceNum)}
          unit={t('voiceUnit', { n: account.usableVoiceNum })}
        />
        <Total
          label={t('images')}
          value={grouped(account.usableImageNum)}
          unit={t('imagesUnit', { n: account.usableImageNum })}
        />
        <Total label={t('rechargeTotal')} value={yuan(account.rechargeAmountTotal)} currency="¥" />
      </dl>
    </section>
  );
}

function Total(props: { label: string; value: string; unit?: string; currency?: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>
        {props.currency && <small className="ov-currency">{props.currency}</small>}
        {props.value}
        {props.unit && <small>{props.unit}</small>}
      </dd>
    </div>
  );
}
