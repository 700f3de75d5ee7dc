/** The cells of a ledger line, for every table that shows one. */
import { CHANNELS, channelCodeOf } from '@yiqiao/domain/channels';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { isMain, useMember } from '../auth/user.js';
import { language } from '../i18n/language.js';
import { useTexts, type T } from '../i18n/texts.js';
import { BeforeAfter } from '../ui/console/before-after.js';
import { amountText, grouped, yuan } from './amount-text.js';
import { actorOf, amountsOf, detailsOf, movementsOf, tagOf, type Detail, type LedgerRow } from './entry-reading.js';
import './entry-cells.css';

const channelName = (id: number | null, t: T<'ledger'>): string => {
  const code = id === null ? null : channelCodeOf(id);
  if (code === null) return id === null ? t('none') : t('unknownChannel', { id });
  return language === 'zh' ? CHANNELS[code].name : CHANNELS[code].enName;
};

const USES = { text: 'channel', voice: 'voiceChannel', image: 'imageChannel' } as const;

const detailText = (detail: Detail, t: T<'ledger'>): string => {
  const mode = { char: 'modeChar', time: 'modeTime' } as const;
  switch (detail.kind) {
    case 'channel':
      return t(USES[detail.use], { name: channelName(detail.channelId, t) });
    case 'recharge':
      return [detail.group, detail.orderNo && t('order', { no: detail.orderNo })].filter(Boolean).join(' · ');
    case 'movement':
      return t('movement', detail);
    case 'channelChange':
      return t('channelChange', { from: channelName(detail.from, t), to: channelName(detail.to, t) });
    case 'modeChange':
      return t('modeChange', { from: t(mode[detail.from]), to: t(mode[detail.to]) });
    case 'freeUse':
      return t('freeUse', { n: grouped(detail.chars) });
  }
};

/** What kind of entry it is, and under it the facts behind it. */
export function EntryKind({ row }: { row: LedgerRow }) {
  const t = useTexts('ledger');
  return (
    <span className="le-kind">
      {ENTRY_TYPES[row.logType][language]}
      {detailsOf(row).map((detail) => (
        <small key={detail.kind}>{detailText(detail, t)}</small>
      ))}
    </span>
  );
}

const TONES = { add: 'u', decrease: 'd', transfer: 'm', none: '' } as const;

/** The signed change of every changed quantity, coloured like the tag beside it. */
export function EntryAmounts({ row }: { row: LedgerRow }) {
  const t = useTexts('ledger');
  const amounts = amountsOf(row);
  return (
    <span className={`le-amounts sg ${TONES[tagOf(row)]}`}>
      {amounts.length === 0 && <span className="faint">{t('none')}</span>}
      {amounts.map((amount) => (
        <span key={amount.quantity}>{amountText(amount, t)}</span>
      ))}
      {row.amount !== 0 && <small>{t('paid', { yuan: yuan(row.amount) })}</small>}
    </span>
  );
}

const LABELS = { char: 'labelChar', voice: 'labelVoice', image: 'labelImage', min: 'labelMin' } as const;

/** A value before or after; a moment is shown by its day, and in full when one points at it. */
function Value({ value, full }: { value: number | string | null; full: boolean }) {
  const t = useTexts('ledger');
  if (typeof value === 'number') return grouped(value);
  if (value === null) return t('noExpiry');
  return <time title={value}>{full ? value.slice(0, 16) : value.slice(0, 10)}</time>;
}

/** Before → after, one line per changed quantity; the quantity is named where there are several, and time always. */
export function EntryMovements({ row }: { row: LedgerRow }) {
  const t = useTexts('ledger');
  const movements = movementsOf(row);
  if (movements.length === 0) return <span className="faint">{t('unchanged')}</span>;
  return (
    <span className="le-moves">
      {movements.map(({ quantity, before, after }) => {
        const full =
          typeof before === 'string' && typeof after === 'string' && before.slice(0, 10) === after.slice(0, 10);
        return (
          <span key={quantity} className="le-move">
            <BeforeAfter before={<Value value={before} full={full} />} after={<Value value={after} full={full} />} />
            {(movements.length > 1 || quantity === 'min') && <small>{t(LABELS[quantity])}</small>}
          </span>
        );
      })}
    </span>
  );
}

/** Who did it and from which address. */
export function EntryActor({ row }: { row: LedgerRow }) {
  const t = useTexts('ledger');
  const reader = useMember();
  const actor = actorOf(row);
  // Its own doing is "this account" to a main account; its sub-accounts read the name.
  const kind = actor.kind === 'main' && isMain(reader) ? 'self' : actor.kind;
  const texts = { manager: 'byManager', main: 'byMain', system: 'bySystem', self: 'bySelf' } as const;
  return (
    <span className="le-kind">
      <span className="dyn">{t(texts[kind], 'name' in actor ? { name: actor.name } : {})}</span>
      <small className="num">{row.consumerIp ?? t('none')}</small>
    </span>
  );
}
