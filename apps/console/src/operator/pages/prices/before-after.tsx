import { Icon } from '../../../shared/ui/icon.js';
import type { Change } from './draft.js';
import type { usePriceWords } from './price-words.js';

export function BeforeAfter({ change, words }: { change: Change; words: ReturnType<typeof usePriceWords> }) {
  const { subject, field, was, will } = change;
  return (
    <span className="price-before-after numeric">
      <span className="muted">{words.value(field, was, subject.billingMode)}</span>
      <Icon name="forward" />
      <b>{words.value(field, will, subject.billingMode)}</b>
    </span>
  );
}
