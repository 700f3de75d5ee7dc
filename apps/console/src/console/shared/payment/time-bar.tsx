import { useMessages } from '../../../shared/i18n/messages.js';

/** `4:32` and a bar that empties; both in milliseconds. */
export function TimeBar({ left, whole }: { left: number; whole: number }) {
  const t = useMessages('payment');
  const seconds = Math.ceil(left / 1_000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <div className="pay-time" role="timer" aria-label={t('timeLeft')}>
      <p>
        <b className="num">{clock}</b> {t('closesIn')}
      </p>
      <div aria-hidden="true">
        <i style={{ width: `${(left / whole) * 100}%` }} />
      </div>
    </div>
  );
}
