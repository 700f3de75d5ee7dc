import type { Response } from '@yiqiao/contracts/endpoint';
import type { getToday } from '@yiqiao/contracts/operator/today';
import { useState } from 'react';
import { grouped, yuan } from '../../../shared/amounts.js';
import { locale } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { roundMax, shortNumber } from './mirrored-scale.js';

type Today = Response<typeof getToday>;
type Column = Today['columns'][number];

/** Of 356 px: money ends at the water line's upper edge, use begins at its lower one; the hours stand between them. */
const HEIGHT = 356;
const UPPER = 163;
const LOWER = 181;
const ROOM = 158;
const WIDTH = 1_000;
const BAR = 0.6;
/** Every how many columns one is labelled. */
const labelEvery = (count: number): number => (count === 24 ? 3 : Math.ceil(count / 8));

const line = (columns: readonly Column[], y: (column: Column) => number | null): string =>
  columns
    .flatMap((column, at) => {
      const value = y(column);
      return value === null ? [] : [`${((at + 0.5) * WIDTH) / columns.length} ${value.toFixed(1)}`];
    })
    .map((point, at) => `${at === 0 ? 'M' : 'L'}${point}`)
    .join('');

type Scale = { paid: number; chars: number };

const scaleOf = (columns: readonly Column[]): Scale => ({
  paid: roundMax(Math.max(...columns.map(({ paid, usualPaid }) => Math.max(paid, usualPaid ?? 0)))),
  chars: roundMax(Math.max(...columns.map(({ charNum, usualCharNum }) => Math.max(charNum, usualCharNum ?? 0)))),
});

function Bars({ columns, scale, current }: { columns: readonly Column[]; scale: Scale; current: number }) {
  const step = WIDTH / columns.length;
  const up = (fen: number): number => (fen / scale.paid) * ROOM;
  const down = (chars: number): number => (chars / scale.chars) * ROOM;
  const grid = [UPPER - ROOM / 2, UPPER - ROOM, LOWER + ROOM / 2, LOWER + ROOM];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {grid.map((y) => (
        <path key={y} className="mirror-grid" d={`M0 ${y}H${WIDTH}`} />
      ))}
      {columns.map(({ at, paid, charNum }, index) => (
        <g key={at} className={index === current ? 'mirror-current' : undefined}>
          <rect
            className="mirror-paid"
            x={(index + (1 - BAR) / 2) * step}
            width={BAR * step}
            y={UPPER - up(paid)}
            height={up(paid)}
          />
          <rect
            className="mirror-used"
            x={(index + (1 - BAR) / 2) * step}
            width={BAR * step}
            y={LOWER}
            height={down(charNum)}
          />
        </g>
      ))}
      <path
        className="mirror-usual"
        d={line(columns, ({ usualPaid }) => (usualPaid === null ? null : UPPER - up(usualPaid)))}
      />
      <path
        className="mirror-usual"
        d={line(columns, ({ usualCharNum }) => (usualCharNum === null ? null : LOWER + down(usualCharNum)))}
      />
    </svg>
  );
}

const nameOf = (at: string): string => (/^\d{1,2}$/.test(at) ? at.padStart(2, '0') : at.slice(5));

function Chart({ today, current }: { today: Today; current: number }) {
  const t = useMessages('today');
  const { columns } = today;
  const scale = scaleOf(columns);
  const every = labelEvery(columns.length);
  const levels = [
    { y: UPPER - ROOM, text: `¥${grouped(Math.round(scale.paid / 100))}` },
    { y: UPPER - ROOM / 2, text: `¥${grouped(Math.round(scale.paid / 200))}` },
    { y: LOWER + ROOM / 2, text: shortNumber(scale.chars / 2, locale) },
    { y: LOWER + ROOM, text: shortNumber(scale.chars, locale) },
  ];
  return (
    <div className="mirror" role="img" aria-label={t('chartLabel', { begin: today.begin, end: today.end })}>
      <div className="mirror-plot">
        <Bars columns={columns} scale={scale} current={current} />
        {levels.map(({ y, text }) => (
          <span key={y} className="mirror-level numeric" style={{ top: `${(y / HEIGHT) * 100}%` }}>
            {text}
          </span>
        ))}
        {columns.map(
          ({ at }, index) =>
            index % every === 0 && (
              <span
                key={at}
                className="mirror-hour numeric"
                style={{ left: `${((index + 0.5) / columns.length) * 100}%` }}
              >
                {nameOf(at)}
              </span>
            ),
        )}
      </div>
    </div>
  );
}

function DataTable({ columns, byHour }: { columns: readonly Column[]; byHour: boolean }) {
  const t = useMessages('today');
  const usual = columns.some(({ usualPaid }) => usualPaid !== null);
  return (
    <div className="table-scroll mirror-table">
      <table className="plain-table numeric">
        <thead>
          <tr>
            <th scope="col">{t(byHour ? 'hour' : 'date')}</th>
            <th scope="col">{t('paid')}</th>
            {usual && <th scope="col">{t('usualPaid')}</th>}
            <th scope="col">{t('usage')}</th>
            {usual && <th scope="col">{t('usualChars')}</th>}
          </tr>
        </thead>
        <tbody>
          {columns.map(({ at, paid, charNum, usualPaid, usualCharNum }) => (
            <tr key={at}>
              <th scope="row">{nameOf(at)}</th>
              <td>¥{yuan(paid)}</td>
              {usual && <td>{usualPaid !== null && `¥${yuan(usualPaid)}`}</td>}
              <td>{grouped(charNum)}</td>
              {usual && <td>{usualCharNum !== null && grouped(usualCharNum)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Money above the dividing line, use below it; the same as a table. */
export function MirroredBarChart({ today }: { today: Today }) {
  const t = useMessages('today');
  const [asTable, setAsTable] = useState(false);
  const { columns, end, at } = today;
  const byHour = columns.length === 24;
  const usual = columns.some(({ usualPaid }) => usualPaid !== null);
  // The column under way is lighter; a whole day has none.
  const current = end !== at ? -1 : byHour ? Number(end.slice(11, 13)) : columns.length - 1;
  return (
    <Card
      title={t('chart')}
      note={t(usual ? 'chartUsual' : byHour ? 'chartHour' : 'chartDay')}
      className="panel-column"
    >
      {asTable ? <DataTable columns={columns} byHour={byHour} /> : <Chart today={today} current={current} />}
      <div className="panel-foot mirror-legend">
        <span className="legend-paid">{t(byHour ? 'legendPaidHour' : 'legendPaidDay')}</span>
        <span className="legend-used">{t(byHour ? 'legendCharsHour' : 'legendCharsDay')}</span>
        <button type="button" className="link link-button" onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'asChart' : 'asTable')}
        </button>
      </div>
    </Card>
  );
}
