import { useMessages } from '../../i18n/messages.js';
import { Icon } from '../icon.js';

/** How a ledger entry changed the account (specification §4): icon, word and colour, never colour alone. */
export type Change = 'add' | 'decrease' | 'transfer' | 'none';

const LOOKS = {
  add: { className: 'tag add', icon: 'add', text: 'changeAdd' },
  decrease: { className: 'tag dec', icon: 'minus', text: 'changeDecrease' },
  transfer: { className: 'tag mov', icon: 'swap', text: 'changeTransfer' },
  none: { className: 'tag', icon: 'minus', text: 'changeNone' },
} as const;

export function ChangeTag({ change }: { change: Change }) {
  const t = useMessages('shared');
  const { className, icon, text } = LOOKS[change];
  return (
    <span className={className}>
      <Icon name={icon} />
      {t(text)}
    </span>
  );
}
