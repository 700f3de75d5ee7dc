import { Checkbox } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { ChannelHealth } from '../../shared/channels/channel-health.js';
import { nameOf, useChannelStatus, type Channel } from '../../shared/channels/channels.js';
import { SIDE_BY_SIDE } from './channel-order.js';
import { isAskable, quoteText, type Quote } from './quote.js';

type ChannelPickerProps = {
  id: string;
  channels: readonly Channel[];
  own: { id: number; main: boolean };
  picked: readonly number[];
  quoteOf: (id: number) => Quote;
  onToggle: (id: number) => void;
  onClose: () => void;
};

/** Chooses the channels to compare; each shows the cost of this text, or why it is unavailable. */
export function ChannelPicker(props: ChannelPickerProps) {
  const { id, channels, own, picked, quoteOf, onToggle, onClose } = props;
  const t = useMessages('translation-test');
  const status = useChannelStatus();
  const full = picked.length >= SIDE_BY_SIDE;

  const row = (channel: Channel) => {
    const ticked = picked.includes(channel.id);
    const quote = quoteOf(channel.id);
    const foreign = !own.main && channel.id !== own.id;
    const unavailable = channel.available ? null : (channel.reason ?? t('unavailable'));
    const dear = quote.kind === 'notIncluded' ? t('notIncludedWhy') : null;
    const why = foreign ? t('mainsOnly') : (unavailable ?? dear);
    const disabled = ticked ? picked.length === 1 : why !== null || full || !isAskable(quote);
    return (
      <li key={channel.id}>
        <Checkbox checked={ticked} disabled={disabled} onChange={() => onToggle(channel.id)}>
          <span className="tt-pick">
            <b>{nameOf(channel)}</b>
            {channel.id === own.id && <span className="badge transfer">{t('yours')}</span>}
            <span className="numeric">{why === null && quoteText(quote, t)}</span>
            {why === null ? <ChannelHealth id={channel.id} query={status} /> : <small>{why}</small>}
          </span>
        </Checkbox>
      </li>
    );
  };

  return (
    <fieldset id={id} className="tt-picker" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <legend>{own.main ? t('pickerNote', { n: SIDE_BY_SIDE }) : t('pickerSub')}</legend>
      <ul>{channels.filter(({ text }) => text).map(row)}</ul>
    </fieldset>
  );
}
