import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

/** How a ledger entry changed the account (specification §4): icon, word and colour, never colour alone. */
export type Change = 'add' | 'decrease' | 'transfer' | 'none';

const LOOKS = {
  add: { className: 'badge increase', icon: 'add', text: 'changeAdd' },
  decrease: { className: 'badge decrease', icon: 'minus', text: 'changeDecrease' },
  transfer: { className: 'badge transfer', icon: 'swap', text: 'changeTransfer' },
  none: { className: 'badge', icon: 'minus', text: 'changeNone' },
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
