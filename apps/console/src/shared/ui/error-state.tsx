import type { ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Icon } from './icon.js';
import { StateIllustration } from './empty.js';

type ErrorStateProps = { title?: ReactNode; children?: ReactNode; onReload: () => void };

/** Replaces content that failed to load; filters stay as they are (DESIGN §4). */
export function ErrorState({ title, children, onReload }: ErrorStateProps) {
  const t = useMessages('shared');
  return (
    <div className="empty-state" role="alert">
      <StateIllustration state="broken" />
      <b className="empty-state-title">{title ?? t('loadFailed')}</b>
      <p>{children || t('loadFailedWhy')}</p>
      <div className="empty-state-actions">
        <button type="button" className="button button-default" onClick={onReload}>
          <Icon name="refresh" />
          {t('reload')}
        </button>
      </div>
    </div>
  );
}
