/** What the list and the details both show of a key. */
import { API_KEY_SCOPES } from '@yiqiao/contracts/api-key-scopes';
import { grouped } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { language } from '../../../shared/i18n/language.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { wireNow } from '../../shared/wire-time.js';
import { type ApiKey, daysLeft, shareOf } from './key.js';

export const scopesText = ({ scopes }: Pick<ApiKey, 'scopes'>, t: Translate<'api-keys'>): string =>
  scopes.map((scope) => API_KEY_SCOPES[scope][language]).join(t('separator'));

/** The same in few words, for a column. */
export function briefScopes({ scopes }: Pick<ApiKey, 'scopes'>, t: Translate<'api-keys'>): string {
  const [reads, writes] = [scopes.includes('glossary.read'), scopes.includes('glossary.write')];
  const brief = [
    scopes.includes('text') && t('briefText'),
    (reads || writes) && t(reads && writes ? 'briefGlossary' : reads ? 'briefRead' : 'briefWrite'),
    scopes.includes('usage') && t('briefUsage'),
  ];
  return brief.filter((part) => part !== false).join(t('separator'));
}

export const channelText = ({ tranChannelId: id }: Pick<ApiKey, 'tranChannelId'>, t: Translate<'api-keys'>): string =>
  id === null ? t('ownChannel') : (channelNameOf(id) ?? String(id));

/** Tells a token that stands in addresses from a secret. */
export function UrlTag({ apiKey: { kind } }: { apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  if (kind !== 'url') return null;
  return (
    <span className="badge decrease" title={t('urlTagWhy')}>
      <Icon name="globe" />
      {t('urlTag')}
    </span>
  );
}

const LOOKS = { active: 'increase', expired: '', revoked: 'danger' } as const;
const ICONS = { active: 'check', expired: 'clock', revoked: 'close' } as const;

export function StateTag({ state }: { state: ApiKey['state'] }) {
  const t = useMessages('api-keys');
  return (
    <span className={`badge ${LOOKS[state]}`}>
      <Icon name={ICONS[state]} />
      {t(state)}
    </span>
  );
}

type UseLineProps = { text: string; share: number | null };

/** What was used, above how much of the cap that is. */
function UseLine({ text, share }: UseLineProps) {
  const t = useMessages('api-keys');
  const full = share === 1;
  return (
    <span className={full ? 'ak-use ak-use-full' : 'ak-use'}>
      <span className="numeric">{text}</span>
      {full && <small>{t('capReached')}</small>}
      {share !== null && (
        <i aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </i>
      )}
    </span>
  );
}

/** Characters of today and of this month, against their caps. */
export function KeyUse({ apiKey: { usedToday, usedThisMonth, dayCap, monthCap } }: { apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  const [day, month] = [
    { n: grouped(usedToday), cap: grouped(dayCap) },
    { n: grouped(usedThisMonth), cap: grouped(monthCap) },
  ];
  return (
    <span className="ak-uses">
      <UseLine text={dayCap > 0 ? t('usedTodayOf', day) : t('usedToday', day)} share={shareOf(usedToday, dayCap)} />
      <UseLine
        text={monthCap > 0 ? t('usedMonthOf', month) : t('usedMonth', month)}
        share={shareOf(usedThisMonth, monthCap)}
      />
    </span>
  );
}

/** The day of the expiry, and how long that is when it is soon. */
export function KeyExpiry({ apiKey: { expireDateTime: at, state } }: { apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  if (at === null) return <span className="faint ak-never">{t('noExpiry')}</span>;
  const left = state === 'active' ? daysLeft(at, wireNow()) : null;
  return (
    <span className="ak-expiry">
      <time className="numeric" dateTime={at.replace(' ', 'T')} title={at}>
        {at.slice(0, 10)}
      </time>
      {left !== null && <small>{left === 0 ? t('lastDay') : t('daysLeft', { days: left })}</small>}
    </span>
  );
}
