import { useId, useMemo, useState } from 'react';
import { grouped, signed } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Slider } from './slider.js';
import { StepLane, TimeAxis } from './step-lane.js';
import { largest, ownScale, scaleFromZero, tickHeight, valueMarks, WIDTH, xOf, yOf } from './steps.js';
import { entryAt, useReplay, type EntryRow, type Picture, type Tick } from './use-replay.js';
import { percent, wall, wire, type Span } from './window.js';

const TALL = 172;
const TICKS = 44;
const LOW = 46;

/** The window: characters, what came in and went out, voice and images, with one line for the moment through all of them. */
export function Lanes() {
  const t = useMessages('replay');
  const replay = useReplay();
  const { state, now, picture, hands, dispatch, account, proof } = replay;
  const [isTable, showTable] = useState(false);
  const table = useId();
  const { window, moment, seq } = state;
  if (!window || !picture || moment === null || seq === null)
    return <div className="lanes waiting" role="status" aria-label={t('loading')} />;
  const at = { span: window, seq, moment };
  const chars = scaleFromZero(picture.lanes.charNum, TALL);
  const [voice, images] = [ownScale(picture.lanes.voiceNum, LOW), ownScale(picture.lanes.imageNum, LOW)];
  const breakRow = picture.rows.find((row) => row.seq === state.brokenAt);
  const brokenFrom = breakRow ? wall(breakRow.moment) : proof?.firstBreak ? moment : null;
  const left = `${Math.max(0, Math.min(100, percent(moment, window)))}%`;
  return (
    <>
      <div className="lanes">
        <div className="ln-r head-row" aria-hidden="true">
          <div className="hide-s" />
          <div className="plot">
            <span className={state.brokenAt === null ? 'hl' : 'hl bad'} style={{ left }}>
              {wire(moment).slice(5)}
            </span>
          </div>
          <div className="hide-x" />
        </div>
        <StepLane
          name={t('charNum')}
          value={now?.charNum}
          samples={picture.lanes.charNum}
          scale={chars}
          at={at}
          filled
          band={!picture.exact}
          marks={valueMarks(chars)}
          brokenFrom={brokenFrom}
        >
          <Labels picture={picture} scaleY={(value) => yOf(value, chars)} span={window} />
        </StepLane>
        <Ticks picture={picture} span={window} seq={seq} hands={hands} />
        <StepLane
          name={t('voiceNum')}
          value={now?.voiceNum}
          samples={picture.lanes.voiceNum}
          scale={voice}
          at={at}
          band={!picture.exact}
          marks={[]}
          ends
          brokenFrom={brokenFrom}
        />
        <StepLane
          name={t('imageNum')}
          value={now?.imageNum}
          samples={picture.lanes.imageNum}
          scale={images}
          at={at}
          band={!picture.exact}
          marks={[]}
          ends
          brokenFrom={brokenFrom}
        />
        <div className="hov" aria-hidden="true">
          <i className="head" style={{ left }} />
        </div>
        <div className="ln-r">
          <div className="hide-s" />
          <div>
            <TimeAxis span={window} />
            <Slider
              label={t('time')}
              span={window}
              moment={moment}
              now={seq}
              min={0}
              max={state.last}
              text={t('announce', { time: wire(moment), n: grouped(seq), chars: grouped(now?.charNum ?? 0) })}
              onSeek={(time) => {
                const found = entryAt(picture, time);
                if (found !== null) dispatch({ do: 'went', seq: found });
              }}
            />
          </div>
          <div className="hide-x" />
        </div>
      </div>
      <Legend isTable={isTable} onTable={() => showTable(!isTable)} controls={table} />
      <div id={table}>{isTable && <SameAsTable picture={picture} account={account.name} />}</div>
    </>
  );
}

function Labels({ picture, span, scaleY }: { picture: Picture; span: Span; scaleY: (value: number) => number }) {
  const { rows } = picture;
  if (rows.length === 0) return null;
  const changes = rows.map((row) => ({ at: wall(row.moment), change: row.charChangeNum, row }));
  const top = largest(
    changes.filter(({ change }) => change !== 0),
    span,
  );
  return top.map(({ at, change, row }) => {
    const left = percent(at, span);
    return (
      <span
        key={row.seq}
        className={left > 70 ? 'plab hide-s before' : 'plab hide-s'}
        style={{ left: `${left}%`, top: Math.max(0, scaleY(Math.max(row.beforeCharNum, row.lastCharNum)) - 20) }}
      >
        {shortWords(row)} <b>{signed(change)}</b>
      </span>
    );
  });
}

/** The sentence of an entry without its amounts, and the same without remarks. */
export const headWords = ({ words }: Pick<EntryRow, 'words'>): string => /^[^：:]+/.exec(words)?.[0].trim() ?? words;
const shortWords = (row: EntryRow): string => headWords(row).replace(/[，,（(].*$/, '');

const KINDS = { use: 'c', recharge: 'g', move: 'm', hand: 'h' } as const;

function Ticks({
  picture,
  span,
  seq,
  hands,
}: {
  picture: Picture;
  span: Span;
  seq: number;
  hands: readonly EntryRow[];
}) {
  const t = useMessages('replay');
  const half = TICKS / 2;
  const paths = useMemo(() => {
    const found = new Map<string, string>();
    for (const tick of picture.ticks) {
      const key = `tk ${KINDS[tick.kind]}${tick.seq > seq ? ' f' : ''}`;
      found.set(key, (found.get(key) ?? '') + tickPath(tick, span, half));
    }
    return [...found];
  }, [picture, span, seq, half]);
  return (
    <div className="ln-r">
      <div className="gu">
        {t('inOut')}
        <br />
        <small>{t(picture.exact ? 'perEntry' : 'perSpan')}</small>
      </div>
      <div className="plot" style={{ height: TICKS }}>
        <svg viewBox={`0 0 ${WIDTH} ${TICKS}`} preserveAspectRatio="none" aria-hidden="true">
          {paths.map(([className, d]) => (
            <path key={className} className={className} d={d} />
          ))}
          <line x1="0" x2={WIDTH} y1={half} y2={half} className="tk-zero" />
        </svg>
        {hands
          .filter(({ moment }) => wall(moment) >= span.from && wall(moment) <= span.to)
          .map((row) => (
            <i key={row.seq} className="evm h" style={{ left: `${percent(wall(row.moment), span)}%`, top: 6 }} />
          ))}
      </div>
      <div className="axr hide-x" aria-hidden="true">
        <span style={{ top: 10 }}>{t('in')}</span>
        <span style={{ top: 34 }}>{t('out')}</span>
      </div>
    </div>
  );
}

const tickPath = ({ at, change }: Tick, span: Span, half: number): string => {
  const height = tickHeight(change, half);
  return `M${xOf(at, span)} ${half}V${change > 0 ? half - height : half + height}`;
};

function Legend({ isTable, onTable, controls }: { isTable: boolean; onTable: () => void; controls: string }) {
  const t = useMessages('replay');
  return (
    <div className="lgd">
      <span>
        <i className="l" />
        {t('replayed')}
      </span>
      <span>
        <i className="l f" />
        {t('after')}
      </span>
      <span>
        <i className="evm g" />
        {t('recharge')}
      </span>
      <span>
        <i className="evm h" />
        {t('hand')}
      </span>
      <button type="button" className="lk" aria-expanded={isTable} aria-controls={controls} onClick={onTable}>
        {t(isTable ? 'hideTable' : 'asTable')}
      </button>
      <span className="sp hide-x" aria-hidden="true">
        <span>
          <kbd>{t('keySpace')}</kbd> {t('keyPlay')}
        </span>
        <span>
          <kbd>←</kbd>
          <kbd>→</kbd> {t('keyEntry')}
        </span>
        <span>
          <kbd>{t('keyShift')}</kbd>+<kbd>←</kbd>
          <kbd>→</kbd> {t('keyDay')}
        </span>
        <span>
          <kbd>[</kbd> <kbd>]</kbd> {t('keyMarks')}
        </span>
        <span>
          <kbd>{t('keyD')}</kbd> {t('keyCompare')}
        </span>
      </span>
    </div>
  );
}

/** Rows of the table at most: a picture of more is read as a timeline. */
const TABLE_MOST = 500;

function SameAsTable({ picture, account }: { picture: Picture; account: string }) {
  const t = useMessages('replay');
  const { charNum, voiceNum, imageNum } = picture.lanes;
  return (
    <div className="tm-table">
      <table className="tb d">
        <caption className="vh">{account}</caption>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {(['charNum', 'voiceNum', 'imageNum'] as const).map((name) => (
              <th key={name} scope="col" className="n">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {charNum.slice(0, TABLE_MOST).map((sample, i) => (
            <tr key={`${sample.seq}-${sample.at}`}>
              <td className="num nw">{wire(sample.at)}</td>
              <td className="n">{grouped(sample.value)}</td>
              <td className="n">{grouped(voiceNum[i]?.value ?? 0)}</td>
              <td className="n">{grouped(imageNum[i]?.value ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
