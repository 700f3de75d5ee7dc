import type { Response } from '@yiqiao/contracts/endpoint';
import { listChannelTraffic } from '@yiqiao/contracts/operator/today';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/use-poll-interval.js';

type Channel = Response<typeof listChannelTraffic>[number];

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

function Row({ name, requests, lastHourShare, p95Ms, halfHours }: Channel) {
  const t = useMessages('today');
  const state = stateOf(lastHourShare);
  return (
    <tr>
      <th scope="row">
        <span className={`state ${state}`}>{name}</span>
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
  const query = useEndpoint(listChannelTraffic, {}, { refetchInterval: usePollInterval(30_000) });
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
                  <Row key={channel.id} {...channel} />
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </Card>
  );
}
