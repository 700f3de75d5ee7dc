import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type ChartDay, peakOf, type Scale, totalOf } from './usage-scale.js';
import { dayText, tickText } from './usage-text.js';
import './usage-chart.css';

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

type UsageLeaderProps = {
  date: string;
  used: string;
  from: { x: number; y: number };
  room: { left: number; right: number };
};

/** A line from the bar to the description of its day, which is above the end of the line where space is short. */
function UsageLeader({ date, used, from, room }: UsageLeaderProps) {
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
    <g className="usage-chart-leader">
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

type UsageChartProps<Day extends ChartDay> = {
  days: readonly Day[];
  scale: Scale;
  /** The accessible name, with the keys that work. */
  label: string;
  /** What was used on a day: `56,200 字符`. */
  usedText: (day: Day) => string;
  /** What a click or Enter on a day does, and its hint; the first tap of a finger only selects. */
  open?: { hint: string; go: (day: Day) => void };
};

/** Characters per day. Describes the hovered or focused day, else the peak. */
export function UsageChart<Day extends ChartDay>({ days, scale, label, usedText, open }: UsageChartProps<Day>) {
  const t = useMessages('usage');
  const [ref, width] = useWidth<HTMLDivElement>();
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

  const go = (): void => void (active && open?.go(active));
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const under = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / slot);
    const day = Math.min(last, Math.max(0, under));
    if (event.type === 'pointerdown') leads.current = event.pointerType !== 'touch' || day === chosen;
    setChosen(day);
  };
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') go();
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, step(at, last))));
  };

  if (!active) return null;
  const described = { date: dayText(active.date, t), used: usedText(active) };
  return (
    <div
      ref={ref}
      className={open ? 'usage-chart usage-chart-open' : 'usage-chart'}
      tabIndex={0}
      role="slider"
      aria-label={label}
      title={open?.hint}
      aria-valuemin={1}
      aria-valuemax={days.length}
      aria-valuenow={at + 1}
      aria-valuetext={`${described.date} ${described.used}`}
      onKeyDown={move}
      onBlur={() => setChosen(null)}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setChosen(null)}
      onClick={() => leads.current && go()}
    >
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <path className="usage-chart-grid" d={`M${left} ${y(tick)}H${width}`} />
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
                className={index === at ? 'usage-chart-active' : ''}
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
        <path className="usage-chart-mean" d={`M${left} ${y(totalOf(days) / days.length)}H${width}`} />
        <UsageLeader
          {...described}
          from={{ x: middle(at), y: y(active.charNum) }}
          room={{ left: left, right: width }}
        />
      </svg>
    </div>
  );
}

const HEIGHTS = [46, 62, 38, 71, 54, 29, 66, 48];

/** Placeholder bars while the figures load, at the chart's height. */
export function UsageSkeleton({ days }: { days: number }) {
  const t = useMessages('shared');
  return (
    <div className="usage-chart-wait" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {Array.from({ length: days }, (_, day) => (
        <i key={day} className="skeleton" style={{ height: `${HEIGHTS[day % HEIGHTS.length]}%` }} aria-hidden="true" />
      ))}
    </div>
  );
}
