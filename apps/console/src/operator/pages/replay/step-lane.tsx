import { useId, useMemo, type ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { areaPath, bandPath, splitAt, stepPath, WIDTH, xOf, yOf, type Sample, type Scale } from './steps.js';
import { axisOf, percent, type Span } from './window.js';

const WAN = 10_000;
const MILLION = 1_000_000;

/** A round value of an axis: `500 万`, `5 M`. */
function useRoundValue(): (n: number) => string {
  const t = useMessages('replay');
  const to = (n: number, unit: number): string => {
    const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(1, n / unit))));
    return grouped(Number((n / unit).toFixed(digits)));
  };
  return (n) => {
    if (language === 'zh') return n >= WAN ? t('tenThousands', { n: to(n, WAN) }) : grouped(n);
    if (n >= MILLION) return t('millions', { n: to(n, MILLION) });
    return n >= WAN ? t('thousands', { n: to(n, 1_000) }) : grouped(n);
  };
}

export type LaneMoment = { span: Span; seq: number; moment: number };

type StepLaneProps = {
  name: ReactNode;
  value: number | undefined;
  samples: readonly Sample[];
  scale: Scale;
  at: LaneMoment;
  filled?: boolean;
  /** Draws between the true extremes of every interval. */
  band?: boolean;
  marks: readonly number[];
  /** Labels the least and the greatest value instead of marks. */
  ends?: boolean;
  brokenFrom?: number | null;
  className?: string;
  note?: ReactNode;
  children?: ReactNode;
};

/** One balance over a window: until the moment in 青, after it grey. The picture is decoration; its data are also a table. */
export function StepLane(props: StepLaneProps) {
  const {
    name,
    value,
    samples,
    scale,
    at,
    filled,
    band,
    marks,
    ends,
    brokenFrom,
    className = '',
    note,
    children,
  } = props;
  const { span, seq, moment } = at;
  const roundValue = useRoundValue();
  const paths = useMemo(() => {
    const { past, future } = splitAt(samples, seq, moment);
    const line = stepPath(past, { span, scale, until: Math.max(span.from, Math.min(moment, span.to)) });
    return {
      past: line,
      area: filled ? areaPath(line, scale) : '',
      future: stepPath(future, { span, scale, until: span.to }),
      band: band ? bandPath(samples, { span, scale }) : '',
    };
  }, [samples, scale, seq, moment, span, filled, band]);
  const days = axisOf(span);
  const values = samples.map((sample) => sample.value);
  const labels = ends && values.length > 0 ? [...new Set([Math.max(...values), Math.min(...values)])] : marks;
  const { height } = scale;
  return (
    <div className={`ln-r ${className}`}>
      <div className="gu">
        {name}
        <br />
        <b>{value === undefined ? '' : grouped(value)}</b>
        {note !== undefined && <small>{note}</small>}
      </div>
      <div className="plot" style={{ height }}>
        <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {marks.map((mark) => (
            <line key={mark} className="gr" x1="0" x2={WIDTH} y1={yOf(mark, scale)} y2={yOf(mark, scale)} />
          ))}
          {days.map((day) => (
            <line key={day.at} className="day" x1={xOf(day.at, span)} x2={xOf(day.at, span)} y1="0" y2={height} />
          ))}
          {paths.area && <path className="area" d={paths.area} />}
          {paths.band && <path className="band-range" d={paths.band} />}
          {paths.future && <path className="fut" d={paths.future} />}
          {paths.past && <path className="past" d={paths.past} />}
          <Hatch from={brokenFrom} span={span} height={height} />
        </svg>
        {children}
      </div>
      <div className="axr hide-x" aria-hidden="true">
        {labels.map((mark) => (
          <span key={mark} style={{ top: Math.min(height - 6, Math.max(6, yOf(mark, scale))) }}>
            {roundValue(mark)}
          </span>
        ))}
      </div>
    </div>
  );
}

type HatchProps = { from: number | null | undefined; span: Span; height: number };

/** From a broken link on nothing can testify. */
export function Hatch({ from, span, height }: HatchProps) {
  const id = useId();
  if (from === null || from === undefined || from >= span.to) return null;
  const x = Math.max(0, xOf(from, span));
  return (
    <>
      <defs>
        <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v8" stroke="var(--c-danger)" strokeWidth="1" opacity=".35" />
        </pattern>
      </defs>
      <rect x={x} width={WIDTH - x} y="0" height={height} fill={`url(#${id})`} />
    </>
  );
}

export function TimeAxis({ span }: { span: Span }) {
  return (
    <div className="xax" aria-hidden="true">
      {axisOf(span).map(({ at, label }, i) => (
        <span
          key={at}
          className={i % 2 ? 'hide-s' : ''}
          style={{ left: `${Math.min(97, Math.max(3, percent(at, span)))}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}
