/** The cells of a ledger line, for every table that shows one. */
import { changeTagOf } from '@yiqiao/contracts/account-log';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { durationOf, grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages, type Translate } from '../../../shared/i18n/messages.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { actorOf, amountsOf, movementsOf, type Amount, type LedgerRow } from './entry-reading.js';
import './entry-cells.css';

/** The type of an entry and, below it, the sentence that explains it. */
export function EntryKind({ row }: { row: LedgerRow }) {
  return (
    <span className="le-kind">
      {ENTRY_TYPES[row.logType][language]}
      <small className="le-why" title={row.explanation}>
        {row.explanation}
      </small>
    </span>
  );
}

const TONES = {
  add: 'le-amounts-up',
  decrease: 'le-amounts-down',
  transfer: 'le-amounts-moved',
  none: '',
} as const;

/** Minutes as `13 天 4 小时`, without a sign. */
function durationText(total: number, t: Translate<'ledger'>): string {
  const { days, hours, minutes } = durationOf(total);
  const parts = [
    days > 0 && t('days', { n: grouped(days) }),
    hours > 0 && t('hours', { n: hours }),
    minutes > 0 && t('minutes', { n: minutes }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? t('minutes', { n: 0 }) : parts.join(' ');
}

/** A signed change with its unit: `−186 字符`, `+30 天`. */
function amountText({ quantity, change }: Amount, t: Translate<'ledger'>): string {
  if (quantity === 'min') return `${change < 0 ? '−' : '+'}${durationText(change, t)}`;
  const unit = { char: 'chars', voice: 'voice', image: 'image' } as const;
  return t(unit[quantity], { n: signed(change) });
}

/** The signed change of every changed quantity, coloured like the tag beside it. */
export function EntryAmounts({ row }: { row: LedgerRow }) {
  const t = useMessages('ledger');
  const amounts = amountsOf(row);
  return (
    <span className={`le-amounts signed-amount ${TONES[changeTagOf(row)]}`}>
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
  const t = useMessages('ledger');
  if (typeof value === 'number') return grouped(value);
  if (value === null) return t('noExpiry');
  return <time title={value}>{full ? value.slice(0, 16) : value.slice(0, 10)}</time>;
}

/** Before → after, one line per changed quantity; the quantity is named where there are several, and time always. */
export function EntryMovements({ row }: { row: LedgerRow }) {
  const t = useMessages('ledger');
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

/** The actor, the address, and the key of the member's own software. */
export function EntryActor({ row }: { row: LedgerRow }) {
  const t = useMessages('ledger');
  const reader = useMember();
  const actor = actorOf(row);
  // Its own doing is "this account" to a main account; its sub-accounts read the name.
  const kind = actor.kind === 'main' && isMain(reader) ? 'self' : actor.kind;
  const texts = { manager: 'byManager', main: 'byMain', system: 'bySystem', self: 'bySelf' } as const;
  return (
    <span className="le-kind le-actor">
      <span className="dynamic-text">{t(texts[kind], 'name' in actor ? { name: actor.name } : {})}</span>
      <small className="numeric">{row.consumerIp ?? t('none')}</small>
      {row.apiKey && (
        <small>
          {CLIENT_TYPES.api[language]} · <span className="dynamic-text">{row.apiKey.name}</span>
        </small>
      )}
    </span>
  );
}
