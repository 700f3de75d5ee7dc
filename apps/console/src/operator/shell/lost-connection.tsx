import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useMessages } from '../../shared/i18n/messages.js';
import { Icon } from '../../shared/ui/icon.js';
import { useLostConnection } from '../shared/api/connection.js';

const RETRY_SECONDS = 8;

const timeOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** Above every page while the server does not answer: whose time the data is, and when it is asked again. */
export function LostConnectionBand() {
  const lost = useLostConnection();
  return (
    <div role="status" className="band-place">
      {lost && <Band since={lost.since} />}
    </div>
  );
}

function Band({ since }: { since: number | null }) {
  const t = useMessages('operator');
  const queries = useQueryClient();
  const [left, setLeft] = useState(RETRY_SECONDS);
  const [again] = useState(() => () => void queries.refetchQueries({ type: 'active' }));
  useEffect(() => {
    const timer = setTimeout(() => {
      if (left <= 1) again();
      setLeft(left <= 1 ? RETRY_SECONDS : left - 1);
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, again]);
  return (
    <div className="band band-warning">
      <Icon name="noSignal" />
      <div>
        <b>{t('lost')}</b>
        {/* Announced once, not at each second. */}
        <span aria-hidden="true">
          {since === null ? t('lostEmpty', { seconds: left }) : t('lostSince', { time: timeOf(since), seconds: left })}
        </span>
      </div>
      <button type="button" className="button button-small band-action" onClick={again}>
        {t('reconnect')}
      </button>
    </div>
  );
}
