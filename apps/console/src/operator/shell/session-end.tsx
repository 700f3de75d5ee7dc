import { getSession } from '@yiqiao/contracts/operator/session';
import { OPERATOR_SESSION_IDLE_MS } from '@yiqiao/domain/operators';
import { useEffect, useState } from 'react';
import { useMessages } from '../../shared/i18n/messages.js';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { Icon } from '../../shared/ui/icon.js';
import { lastAnswerAt } from '../shared/api/connection.js';

/** Said before the end. */
const NOTICE_MS = 2 * 60_000;
/** The server writes down the last use at most so often: the session may end this much earlier than this page can know. */
const UNSURE_MS = 10_000;
const MINUTE_MS = 60_000;

const idleNow = (): number => Date.now() - (lastAnswerAt() ?? Date.now());
const clockOf = (ms: number): string =>
  `${Math.floor(ms / MINUTE_MS)}:${String(Math.floor((ms % MINUTE_MS) / 1000)).padStart(2, '0')}`;

/** Above every page in the last two minutes before the session ends for want of use; asking the server anything keeps it. */
export function SessionEndBand() {
  const t = useMessages('operator');
  const [idle, setIdle] = useState(0);
  const { refetch } = useEndpoint(getSession, {}, { enabled: false });
  const left = OPERATOR_SESSION_IDLE_MS - UNSURE_MS - idle;
  const isOver = left <= 0;
  useEffect(() => {
    const timer = setInterval(() => setIdle(idleNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // Another tab may have kept it: the server knows, and a refusal leads to the sign-in page.
  useEffect(() => {
    if (isOver) void refetch();
  }, [isOver, refetch]);
  const keep = (): void => void refetch().then(() => setIdle(idleNow()));
  return (
    <div role="status" className="band-place">
      {left <= NOTICE_MS && !isOver && (
        <div className="band band-quiet">
          <Icon name="clock" />
          <div>
            {t('idleFor', { minutes: Math.floor(idle / MINUTE_MS) })}
            {/* Announced once, not at each second. */}
            <span className="numeric" aria-hidden="true">
              {t('sessionEnds', { left: clockOf(left) })}
            </span>
          </div>
          <button type="button" className="button button-small band-action" onClick={keep}>
            {t('keepSession')}
          </button>
        </div>
      )}
    </div>
  );
}
