import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useMessages } from '../../../shared/i18n/messages.js';
import { dayLink } from '../../shared/logs/log-link.js';
import { peakOf, type Scale, totalOf, type UsageDay } from './usage-scale.js';
import { dayText, tickText, usedText } from './usage-text.js';

/** The width of an element in pixels, as it changes; 0 until it is known. */
function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** Pixels: the label's baseline, the length of the line beside it, and the largest width of its text. */
const BASELINE = 12;
const ARM = 22;
const GAP = 6;
const WIDE_FROM = 560;
const HAN = 12.5;
const LATIN = 7;

const widthOf = (text: string): number => [...text].reduce((sum, c) => sum + (c > '⺀' ? HAN : LATIN), 0);

type UsageLeaderProps = { day: UsageDay; from: { x: number; y: number }; room: { left: number; right: number } };

/** A line from the bar to the description of its day, which is above the end of the line where space is short. */
function UsageLeader({ day, from, room }: UsageLeaderProps) {
  const t = useMessages('overview');
  const [date, used] = [dayText(day.date, t), usedText(day, t)];
  const needed = widthOf(`${date}  ${used}`);
  const wide = room.right - room.left > WIDE_FROM;
  const toRight = from.x + ARM + GAP + needed < room.right;
  const half = needed / 2;
  const beside = { x: from.x + (toRight ? ARM + GAP : -ARM - GAP), textAnchor: toRight ? 'start' : 'end' } as const;
  const above = {
    x: Math.min(Math.max(from.x, half), Math.max(half, room.right - half)),
    textAnchor: 'middle',
  } as const;
  return (
    <g className="ov-chart-leader">
      <path d={wide ? `M${from.x} ${from.y}V8h${toRight ? ARM : -ARM}` : `M${from.x} ${from.y}V${BASELINE + 8}`} />
      <text {...(wide ? beside : above)} y={BASELINE}>
        {date}
        <tspan dx="10">{used}</tspan>
      </text>
    </g>
  );
}

/** Pixels. The space above the plot is for the label. As many days as fit are named below it, today always. */
const AXIS = { least: 36, perSign: 7, gap: 8 } as const;
const HEIGHT = 232;
const PLOT = { top: 45, ground: 202 } as const;
const NAMED = { every: [1, 5, 10], least: 52 } as const;
const BAR = { share: 0.75, most: 40 } as const;
const LEAST_BAR = 2;

type Step = (at: number, last: number) => number;
const STEPS: Readonly<Record<string, Step>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 7,
  PageDown: (at) => at + 7,
  Home: () => 0,
  End: (_at, last) => last,
};

type UsageChartProps = { days: readonly UsageDay[]; scale: Scale };

/**
 * Characters per day. Describes the hovered or focused day, else the peak. A click or Enter opens
 * that day's entries; the first tap of a finger only selects.
 */
export function UsageChart({ days, scale }: UsageChartProps) {
  const t = useMessages('overview');
  const [ref, width] = useWidth<HTMLDivElement>();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<number | null>(null);
  const leads = useRef(false);
  const last = days.length - 1;
  const at = Math.min(last, chosen ?? peakOf(days));
  const active = days[at];
  const longest = Math.max(...scale.ticks.map((tick) => tickText(tick, scale).length));
  const left = Math.max(AXIS.least, longest * AXIS.perSign + AXIS.gap);
  const slot = Math.max(0, width - left) / Math.max(1, days.length);
  const every = NAMED.every.find((days) => slot * days >= NAMED.least) ?? 10;
  const bar = Math.min(slot * BAR.share, BAR.most);
  /** Whether the last label would overflow the edge. */
  const atEdge = (day: number): boolean => day === last && slot < NAMED.least;
  const y = (chars: number): number => PLOT.ground - (chars / scale.top) * (PLOT.ground - PLOT.top);
  const middle = (day: number): number => left + (day + 0.5) * slot;

  const open = (): void => void (active && navigate(dayLink(active.date)));
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const under = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / slot);
    const day = Math.min(last, Math.max(0, under));
    if (event.type === 'pointerdown') leads.current = event.pointerType !== 'touch' || day === chosen;
    setChosen(day);
  };
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open();
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, step(at, last))));
  };

  if (!active) return null;
  return (
    <div
      ref={ref}
      className="ov-chart"
      tabIndex={0}
      role="slider"
      aria-label={t('chartLabel')}
      title={t('chartHint')}
      aria-valuemin={1}
      aria-valuemax={days.length}
      aria-valuenow={at + 1}
      aria-valuetext={`${dayText(active.date, t)} ${usedText(active, t)}`}
      onKeyDown={move}
      onBlur={() => setChosen(null)}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setChosen(null)}
      onClick={() => leads.current && open()}
    >
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <path className="ov-chart-grid" d={`M${left} ${y(tick)}H${width}`} />
            <text x={left - AXIS.gap} y={y(tick) + 4} textAnchor="end">
              {tickText(tick, scale)}
            </text>
          </g>
        ))}
        {days.map((day, index) => {
          const height = day.charNum === 0 ? 0 : Math.max(LEAST_BAR, PLOT.ground - y(day.charNum));
          return (
            <g key={day.date}>
              <rect
                className={index === at ? 'ov-chart-active' : ''}
                x={middle(index) - bar / 2}
                y={PLOT.ground - height}
                width={bar}
                height={height}
              />
              {(last - index) % every === 0 && (
                <text
                  x={middle(index)}
                  y={HEIGHT - 10}
                  textAnchor={atEdge(index) ? 'end' : 'middle'}
                  dx={atEdge(index) ? slot / 2 : 0}
                >
                  {index === last ? t('today') : day.date.slice(5)}
                </text>
              )}
            </g>
          );
        })}
        <path className="ov-chart-mean" d={`M${left} ${y(totalOf(days) / days.length)}H${width}`} />
        <UsageLeader day={active} from={{ x: middle(at), y: y(active.charNum) }} room={{ left: left, right: width }} />
      </svg>
    </div>
  );
}
