import { useEffect, useState } from 'react';
import { useTexts } from '../../../shared/i18n/texts.js';
import { wireNow } from '../../../shared/wire-time.js';
import { clockText, secondsLeft, type Order } from './order.js';

const TICK_MS = 1_000;
/** After the time is over the server still asks the gateway before it closes the order. */
const LOOK_AGAIN_MS = 5_000;

/** How long an order can still be paid, running down. Once it is over, `onOver` looks for what the server made of it. */
export function TimeLeft({ order, onOver }: { order: Order; onOver?: () => void }) {
  const t = useTexts('orders');
  const [now, setNow] = useState(() => wireNow());
  const seconds = secondsLeft(order, now);
  const over = seconds === 0;
  useEffect(() => {
    const look = (): void => {
      setNow(wireNow());
      if (over) onOver?.();
    };
    const timer = setInterval(look, over ? LOOK_AGAIN_MS : TICK_MS);
    return () => clearInterval(timer);
  }, [over, onOver]);
  return (
    <small className="od-left num" role="timer">
      {over ? t('closing') : t('left', { clock: clockText(seconds) })}
    </small>
  );
}
