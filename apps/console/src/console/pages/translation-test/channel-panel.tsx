import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ChannelHealth } from '../../shared/channels/channel-health.js';
import { nameOf, priceText, useChannelStatus, type Channel } from '../../shared/channels/channels.js';
import { isUnwell } from '../../shared/channels/health.js';
import { isIncluded } from './quote.js';
import { usePayer } from './use-payer.js';

function HowToConnect() {
  const t = useMessages('translation-test');
  return (
    <details className="tt-connect">
      <summary>
        <Icon name="down" />
        {t('connect')}
      </summary>
      <ol>
        <li>{t('step1')}</li>
        <li>{t('step2')}</li>
        <li>{t('step3')}</li>
      </ol>
      <p className="faint">{t('stepNote')}</p>
    </details>
  );
}

type Availability = 'available' | 'unstable' | 'unavailable' | 'notIncluded';
const SIGNS = {
  available: { tag: 'badge increase', icon: 'check' },
  unstable: { tag: 'badge decrease', icon: 'alert' },
  unavailable: { tag: 'badge', icon: 'key' },
  notIncluded: { tag: 'badge', icon: 'info' },
} as const satisfies Record<Availability, unknown>;

/** Every channel with its price, its recent health, and why it is not connected or not included in time mode. */
export function ChannelPanel({ channels }: { channels: readonly Channel[] }) {
  const t = useMessages('translation-test');
  const { own, mode } = usePayer();
  const ownPrice = channels.find(({ id }) => id === own.id)?.price ?? 1;
  const price = useMessages('channels');
  const status = useChannelStatus();
  const availabilityOf = ({ id, available, price: asked }: Channel): Availability => {
    if (!available) return 'unavailable';
    if (!isIncluded({ mode, prices: { asked, own: ownPrice } })) return 'notIncluded';
    const figures = status.data?.find((row) => row.id === id);
    return figures && isUnwell(figures) ? 'unstable' : 'available';
  };
  const texts = channels.filter(({ text }) => text);
  return (
    <Card
      title={t('channels')}
      note={
        status.isError ? (
          <button type="button" className="link" onClick={() => void status.refetch()}>
            {t('statusRetry')}
          </button>
        ) : (
          t('channelsNote')
        )
      }
      className="tt-channels"
    >
      <ul>
        {texts.map((channel) => {
          const availability = availabilityOf(channel);
          return (
            <li key={channel.id}>
              <span className="tt-channel-name">
                <b>{nameOf(channel)}</b>
                {channel.id === own.id && <span className="badge transfer">{t('yours')}</span>}
              </span>
              <span className="numeric muted">{price('perTenThousand', { yuan: priceText(channel.price) })}</span>
              {channel.available ? (
                <ChannelHealth id={channel.id} query={status} />
              ) : (
                <small>{channel.reason ?? t('unavailableWhy')}</small>
              )}
              <span className={SIGNS[availability].tag}>
                <Icon name={SIGNS[availability].icon} />
                {t(availability)}
              </span>
              {channel.available && channel.reason !== null && <small>{channel.reason}</small>}
              {availability === 'notIncluded' && <small>{t('notIncludedWhy')}</small>}
            </li>
          );
        })}
      </ul>
      {texts.some(({ available }) => !available) && <HowToConnect />}
    </Card>
  );
}
