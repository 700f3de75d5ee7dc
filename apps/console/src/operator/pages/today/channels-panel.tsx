import type { Response } from '@yiqiao/contracts/endpoint';
import { listChannelTraffic } from '@yiqiao/contracts/operator/today';
import { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';

type Channel = Response<typeof listChannelTraffic>[number];
type Account = Response<typeof listVendorAccounts>['channels'][number]['accounts'][number];

/** The lowest share that the line shows. */
const FLOOR = 0.9;
/** Success below these is worth a look, or is bad. */
const GOOD = 0.99;
const POOR = 0.95;
const HEIGHT = 20;

/** The half hours with enough requests; a gap where there were too few. */
function pathOf(shares: readonly (number | null)[]): string {
  let drawing = false;
  return shares
    .map((share, at) => {
      if (share === null) {
        drawing = false;
        return '';
      }
      const y = HEIGHT - 2 - ((Math.max(FLOOR, share) - FLOOR) / (1 - FLOOR)) * (HEIGHT - 4);
      const point = `${drawing ? 'L' : 'M'}${((at / (shares.length - 1)) * 100).toFixed(1)} ${y.toFixed(1)}`;
      drawing = true;
      return point;
    })
    .join('');
}

const stateOf = (share: number | null): string => {
  if (share === null) return '';
  if (share >= GOOD) return 'ok';
  return share >= POOR ? 'warning' : 'bad';
};

/** A cap with less than this left is worth a look. */
const NEARLY = 0.1;

type Trouble = { state: 'warning' | 'bad'; text: string };

/** The worst that an account of the channel has. */
function useTrouble(): (accounts: readonly Account[]) => Trouble | undefined {
  const t = useMessages('today');
  const troubleOf = ({ name, paused, health }: Account): Trouble[] => {
    const { breaker, charsToday, charsLeft } = health;
    if (paused) return [];
    if (breaker === 'open') return [{ state: 'bad', text: t('cutOff', { name }) }];
    if (breaker === 'half-open') return [{ state: 'warning', text: t('probed', { name }) }];
    if (charsLeft === null || charsLeft > NEARLY * (charsToday + charsLeft)) return [];
    const used = charsToday / Math.max(1, charsToday + charsLeft);
    return [{ state: charsLeft === 0 ? 'bad' : 'warning', text: t('capUsed', { name, n: (used * 100).toFixed(1) }) }];
  };
  return (accounts) => {
    const all = accounts.flatMap(troubleOf);
    return all.find(({ state }) => state === 'bad') ?? all[0];
  };
}

function Row({ channel, trouble }: { channel: Channel; trouble: Trouble | undefined }) {
  const t = useMessages('today');
  const { name, requests, lastHourShare, p95Ms, halfHours } = channel;
  const state = trouble?.state ?? stateOf(lastHourShare);
  return (
    <tr>
      <th scope="row">
        <span className={`state ${state}`}>{name}</span>
        {trouble && <small className={`channel-trouble ${trouble.state}`}>{trouble.text}</small>}
      </th>
      <td>
        <svg className={`spark ${state}`} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={pathOf(halfHours)} />
        </svg>
      </td>
      <td title={grouped(requests)}>
        {lastHourShare === null ? (
          <span className="faint">{t('tooFew')}</span>
        ) : (
          `${(lastHourShare * 100).toFixed(2)} %`
        )}
      </td>
      <td className="muted">{p95Ms !== null && grouped(p95Ms)}</td>
    </tr>
  );
}

/** Each channel's real traffic in the last day. */
export function ChannelsPanel() {
  const t = useMessages('today');
  const refetchInterval = usePollInterval(30_000);
  const query = useEndpoint(listChannelTraffic, {}, { refetchInterval });
  const vendors = useEndpoint(listVendorAccounts, {}, { refetchInterval }).data?.channels;
  const troubleIn = useTrouble();
  return (
    <Card title={t('channels')} note={t('last24')} className="panel-column">
      <Loaded query={query} rows={6}>
        {(channels) =>
          channels.length === 0 ? (
            <p className="card-body muted">{t('noTraffic')}</p>
          ) : (
            <table className="plain-table numeric channels-table">
              <thead>
                <tr>
                  <th scope="col">{t('channel')}</th>
                  <th scope="col">{t('successOverDay')}</th>
                  <th scope="col">{t('lastHour')}</th>
                  <th scope="col">{t('p95')}</th>
                </tr>
              </thead>
              <tbody>
                {channels.map((channel) => (
                  <Row
                    key={channel.id}
                    channel={channel}
                    trouble={troubleIn(vendors?.find(({ id }) => id === channel.id)?.accounts ?? [])}
                  />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <p className="panel-foot">
        <Link className="link" to="/channels">
          {t('toChannels')}
          <Icon name="next" />
        </Link>
      </p>
    </Card>
  );
}
