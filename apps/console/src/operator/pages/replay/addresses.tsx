import { Button } from 'antd';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { wire } from './window.js';

export const CopyAddress = ({ name }: { name: 'copyLink' | 'copyAddress' }) => {
  const t = useMessages('replay');
  return (
    <Button icon={<Icon name="copy" />} onClick={({ currentTarget }) => void copyText(location.href, currentTarget)}>
      {t(name)}
    </Button>
  );
};

const DAY = 86_400_000;

/** The page that compares two moments: those that were set, or the day until the moment. */
export function comparison(
  userId: number,
  { a, b, moment }: { a: string | null; b: string | null; moment: number | null },
): string {
  const until = b ?? wire(moment ?? Date.now());
  const from = a ?? wire(Date.parse(`${until.replace(' ', 'T')}Z`) - DAY);
  const [first, second] = from <= until ? [from, until] : [until, from];
  return `/ledger/replay/${userId}/diff?${String(new URLSearchParams({ from: first, to: second }))}`;
}
