import { useId, useMemo, useRef, type PointerEvent } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { areaPath, bandPath, type EntryRow, scaleFromZero, seqAtTime, stepPath, WIDTH, xOf } from './steps.js';
import { axisOf, percent, wall, type Span } from './window.js';
import { useReplay } from './use-replay.js';

const HEIGHT = 52;
const DAY = 86_400_000;

/** Times after an expiry and before what ended it, oldest first. */
function frozenSpans(rises: readonly EntryRow[], end: number): Span[] {
  return rises.flatMap((rise, i) => {
    if (rise.lastExpireDateTime === null) return [];
    const from = wall(rise.lastExpireDateTime);
    const next = rises[i + 1];
    const to = next ? wall(next.moment) : end;
    return from < to ? [{ from, to }] : [];
  });
}

/** The whole life of the account; a press goes to that time, and moves the window along while it lasts. */
export function Overview() {
  const t = useMessages('replay');
  const { state, dispatch, account, lifePoints, rises, hands } = useReplay();
  const hatch = useId();
  const isHeld = useRef(false);
  const { life, window } = state;
  const paths = useMemo(() => {
    if (!life || lifePoints.length === 0) return null;
    const scale = scaleFromZero(lifePoints, HEIGHT);
    const line = stepPath(lifePoints, { span: life, scale, until: life.to });
    return { line, area: areaPath(line, scale), band: bandPath(lifePoints, { span: life, scale }) };
  }, [lifePoints, life]);
  if (!life) return <div className="life" />;
  const frozen = frozenSpans(rises, life.to);
  const go = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = life.from + ((event.clientX - box.left) / box.width) * (life.to - life.from);
    const seq = seqAtTime(lifePoints, at);
    if (seq !== null) dispatch({ do: 'went', seq });
  };
  const marks = axisOf(life, 7);
  return (
    <>
      <div
        className="life"
        role="img"
        aria-label={t('life', {
          n: grouped(account.entries),
          from: (account.first ?? '').slice(0, 10),
          to: (account.last ?? '').slice(0, 10),
        })}
        onPointerDown={(event) => {
          isHeld.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={(event) => isHeld.current && go(event)}
        onPointerUp={() => (isHeld.current = false)}
        onPointerCancel={() => (isHeld.current = false)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <defs>
            <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path d="M0 0v6" stroke="var(--c-line-strong)" strokeWidth="1.5" />
            </pattern>
          </defs>
          {paths && (
            <>
              <path d={paths.area} className="life-area" />
              <path d={paths.band} className="life-band" />
              <path d={paths.line} className="life-line" />
            </>
          )}
          {frozen.map(({ from, to }) => (
            <rect
              key={from}
              x={xOf(from, life)}
              width={xOf(to, life) - xOf(from, life)}
              y="0"
              height={HEIGHT}
              fill={`url(#${hatch})`}
              opacity=".6"
            />
          ))}
        </svg>
        {frozen
          .filter(({ from, to }) => (to - from) / (life.to - life.from) > 0.1)
          .map(({ from, to }) => (
            <span key={from} className="lb hide-s" style={{ left: `${percent((from + to) / 2, life)}%` }}>
              {t('frozen', { n: Math.floor((to - from) / DAY) })}
            </span>
          ))}
        {rises
          .filter(({ logType }) => logType === 'RECHARGE_ORDER_BY_MEMBER_GROUP')
          .map(({ seq, moment }) => (
            <i key={seq} className="evm g" style={{ left: `${percent(wall(moment), life)}%`, top: 7 }} />
          ))}
        {hands.map(({ seq, moment }) => (
          <i key={seq} className="evm h" style={{ left: `${percent(wall(moment), life)}%`, top: 7 }} />
        ))}
        {window && (
          <i
            className="br"
            style={{
              left: `${Math.max(0, percent(window.from, life))}%`,
              width: `${Math.min(100, percent(window.to, life)) - Math.max(0, percent(window.from, life))}%`,
            }}
          />
        )}
      </div>
      <div className="lifx num" aria-hidden="true">
        {marks.map(({ at, label }, i) => (
          <span
            key={at}
            className={i % 2 ? 'hide-s' : ''}
            style={{ left: `${Math.min(96, Math.max(3, percent(at, life)))}%` }}
          >
            {label}
          </span>
        ))}
      </div>
    </>
  );
}
