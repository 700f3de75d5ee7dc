import type { ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Icon } from './icon.js';

/** `1,284,500 → 1,284,385`, aligned so that rows can be compared. */
export function BeforeAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  const t = useMessages('shared');
  return (
    <span className="before-after">
      <span>
        <span className="visually-hidden">{t('before')} </span>
        {before}
      </span>
      <Icon name="forward" />
      <span>
        <span className="visually-hidden">{t('after')} </span>
        {after}
      </span>
    </span>
  );
}
