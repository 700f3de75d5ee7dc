import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Fragment, useId, useMemo, useState } from 'react';
import { grouped, signed } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { Change } from './changes.js';
import { Slider } from './slider.js';
import { Hatch, StepLane, TimeAxis, type LaneMoment } from './step-lane.js';
import type { EntryRow } from './steps.js';
import { largest, ownScale, scaleFromZero, tickHeight, valueMarks, WIDTH, xOf, yOf, type Scale } from './steps.js';
import { entryAt, useReplay, type Picture, type Tick } from './use-replay.js';
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
  const isBroken = state.brokenAt !== null && !state.beyond && seq === state.brokenAt - 1;
  return (
    <>
      <div className="lanes">
        <div className="ln-r head-row" aria-hidden="true">
          <div className="hide-s" />
          <div className="plot">
            <span
              className={isBroken ? 'hl bad' : 'hl'}
              style={{ left: isBroken ? `${Math.min(100, percent(brokenFrom ?? moment, window))}%` : left }}
            >
              {isBroken ? t('brokeAt', { time: wire(brokenFrom ?? moment).slice(5) }) : wire(moment).slice(5)}
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
          <Labels changes={picture.changes} scale={chars} at={at} />
          <Hands hands={hands} quantity="charNum" scale={chars} span={window} />
        </StepLane>
        <Ticks picture={picture} at={at} hands={hands} brokenFrom={brokenFrom} />
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
        >
          <Hands hands={hands} quantity="voiceNum" scale={voice} span={window} />
        </StepLane>
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
        >
          <Hands hands={hands} quantity="imageNum" scale={images} span={window} />
        </StepLane>
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

type LabelsProps = { changes: readonly Change[]; at: LaneMoment; scale: Scale };

/** Per cent of the width that a label may take. */
const LABEL = 24;

/** The three largest changes, where there is room for them. */
function Labels({ changes, at: { span, moment }, scale }: LabelsProps) {
  const t = useMessages('replay');
  const nameOf = ({ row, type, n }: Change): string => {
    const name = row && n === 1 ? shortWords(row) : type === null ? t('severalKinds') : ENTRY_TYPES[type][language];
    return n === 1 ? name : t('changeTimes', { name, n: grouped(n) });
  };
  return largest(changes, span).map((change) => {
    const left = percent(change.at, span);
    // The line of the moment does not cross it.
    const before =
      left > 100 - LABEL || (left > LABEL && Math.abs(percent(moment, span) - left - LABEL / 2) < LABEL / 2);
    return (
      <span
        key={change.at}
        className={before ? 'plab hide-s before' : 'plab hide-s'}
        style={{ left: `${left}%`, top: Math.max(0, yOf(change.top, scale) - 20) }}
      >
        <span>{nameOf(change)}</span> <b>{signed(change.change)}</b>
      </span>
    );
  });
}

const CHANGED = {
  charNum: { change: 'charChangeNum', last: 'lastCharNum' },
  voiceNum: { change: 'voiceChangeNum', last: 'lastVoiceNum' },
  imageNum: { change: 'imageChangeNum', last: 'lastImageNum' },
} as const;

type HandsProps = { hands: readonly EntryRow[]; quantity: keyof typeof CHANGED; span: Span; scale: Scale };

/** Where an operator changed the quantity: whose hand, and by how much. */
function Hands({ hands, quantity, span, scale }: HandsProps) {
  const { change, last } = CHANGED[quantity];
  return hands
    .filter((row) => row[change] !== 0 && wall(row.moment) >= span.from && wall(row.moment) <= span.to)
    .map((row) => {
      const left = percent(wall(row.moment), span);
      const top = yOf(row[last], scale);
      // Above the balance that it led to, on the side where that is the higher one.
      const isLeft = row[change] > 0 ? left > LABEL / 2 : left > 100 - LABEL / 2;
      return (
        <Fragment key={row.seq}>
          <i className="evm h" style={{ left: `${left}%`, top }} />
          {quantity !== 'charNum' && (
            <span
              className={isLeft ? 'plab hand hide-s before' : 'plab hand hide-s'}
              style={{ left: `${left}%`, top: Math.max(0, top - 18) }}
            >
              {row.managerName} <b>{signed(row[change])}</b>
            </span>
          )}
        </Fragment>
      );
    });
}

/** The sentence of an entry without its amounts, and the same without remarks. */
export const headWords = ({ words }: Pick<EntryRow, 'words'>): string => /^[^：:]+/.exec(words)?.[0].trim() ?? words;
const shortWords = (row: EntryRow): string => headWords(row).replace(/[，,（(].*$|\s*YQ\d+\s*/g, '');

const KINDS = { use: 'c', recharge: 'g', move: 'm', hand: 'h' } as const;

type TicksProps = { picture: Picture; at: LaneMoment; hands: readonly EntryRow[]; brokenFrom: number | null };

function Ticks({ picture, at: { span, seq }, hands, brokenFrom }: TicksProps) {
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
          <Hatch from={brokenFrom} span={span} height={TICKS} />
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
