import { useMemo } from 'react';
import { grouped, signed } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { shownChanges, waterfall, type Difference, type Group, type Quantity } from './differences.js';

const HEIGHT = 150;
const HEAD = 30;

type WaterfallChartProps = {
  difference: Difference;
  groups: readonly Group[];
  quantity: Quantity;
  nameOf: (group: Group) => string;
  from: string;
  to: string;
};

/** From one balance to the other, change by change. The table below it has the same numbers. */
export function WaterfallChart({ difference, groups, quantity, nameOf, from, to }: WaterfallChartProps) {
  const t = useMessages('replay');
  const changes = useMemo(() => shownChanges(groups, quantity), [groups, quantity]);
  const ends = { from: difference.from[quantity], to: difference.to[quantity] };
  const { start, bars, end } = waterfall(ends, changes, HEIGHT);
  const place = ({ left, width }: { left: number; width: number }) => ({ left: `${left}%`, width: `${width}%` });
  return (
    <div className="wf" aria-hidden="true">
      <div className="wf-plot" style={{ height: HEIGHT + HEAD }}>
        {[start, end].map((bar) => (
          <div key={bar.key} className="wf-end" style={{ ...place(bar), top: bar.top + HEAD, height: bar.height }}>
            <b className="num">{grouped(bar.to)}</b>
          </div>
        ))}
        {bars.map(({ key, left, width }) => (
          <svg
            key={key}
            className="wf-arch"
            style={place({ left: left - width * 0.45, width: width * 1.9 })}
            viewBox="0 0 100 22"
            preserveAspectRatio="none"
          >
            <path d="M0 22C22 -6 78 -6 100 22" />
          </svg>
        ))}
        {bars.map((bar, i) => (
          <div
            key={bar.key}
            className={bar.to < bar.from ? 'wf-bar out' : 'wf-bar in'}
            style={{ ...place(bar), top: bar.top + HEAD, height: bar.height }}
          >
            <span className="num">{signed(changes[i]?.change ?? 0)}</span>
          </div>
        ))}
      </div>
      <div className="wf-names">
        <span style={place(start)}>
          {t('momentA')}
          <small className="num">{from.slice(5, 16)}</small>
        </span>
        {bars.map((bar, i) => {
          const change = changes[i];
          return (
            <span key={bar.key} style={{ left: `${bar.left - bar.width * 0.6}%`, width: `${bar.width * 2.2}%` }}>
              {change?.group ? nameOf(change.group) : t('diffRest', { n: groups.length - changes.length + 1 })}
              {change?.group && <small className="num">{t('nEntries', { n: grouped(change.group.entries) })}</small>}
            </span>
          );
        })}
        <span style={place(end)}>
          {t('momentB')}
          <small className="num">{to.slice(5, 16)}</small>
        </span>
      </div>
    </div>
  );
}
