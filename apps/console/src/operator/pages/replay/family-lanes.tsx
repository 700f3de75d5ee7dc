import { type getFamilyState, getFamilyTimeline, listFamilyMoves } from '@yiqiao/contracts/operator/families';
import type { Response } from '@yiqiao/contracts/endpoint';
import { useMemo } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import type { Quantity } from './differences.js';
import type { Moves } from './family-moves.js';
import { Slider } from './slider.js';
import { StepLane, TimeAxis } from './step-lane.js';
import { scaleFromZero, yOf, type Sample } from './steps.js';
import { useKept } from './use-replay.js';
import { percent, wall, wire, type Span } from './window.js';

export type Family = Response<typeof getFamilyState>;
type Timeline = Response<typeof getFamilyTimeline>;

const POINTS = 300;
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };
const SUM_HEIGHT = 88;
const LANE_HEIGHT = 50;

type LanesProps = {
  userId: string;
  family: Family;
  quantity: Quantity;
  window: Span;
  moment: number;
  onSeek: (time: number) => void;
};

/** The sum and each member on one time line; dots where quota moved between two of them. */
export function FamilyLanes({ userId, family, quantity, window, moment, onSeek }: LanesProps) {
  const t = useMessages('replay');
  const span = { from: wire(window.from), to: wire(window.to) };
  const timeline = useKept(useEndpoint(getFamilyTimeline, { userId, ...span, points: String(POINTS) }, FOREVER).data);
  const moves = useEndpoint(listFamilyMoves, { userId, from: span.from, at: span.to, limit: '200' }, FOREVER).data
    ?.rows;
  const samples = useMemo(() => familySamples(timeline, quantity), [timeline, quantity]);
  if (!timeline) return <div className="lanes waiting" role="status" aria-label={t('loading')} />;
  // A timeline has no entry numbers of its own for the sum: its points are numbered by time.
  const at = { span: window, seq: moment, moment };
  const left = `${Math.max(0, Math.min(100, percent(moment, window)))}%`;
  return (
    <div className="lanes family">
      <div className="ln-r head-row" aria-hidden="true">
        <div className="hide-s" />
        <div className="plot">
          <span className="hl" style={{ left }}>
            {wire(moment).slice(5)}
          </span>
        </div>
        <div className="hide-x" />
      </div>
      <StepLane
        name={<b className="lane-name">{t('familySum')}</b>}
        value={family.sum[quantity]}
        note={t('sumNote')}
        samples={samples.sum}
        scale={scaleFromZero(samples.sum, SUM_HEIGHT)}
        at={at}
        marks={[Math.max(0, ...samples.sum.map(({ value }) => value))]}
        filled
      />
      {samples.members.map((member) => {
        const scale = scaleFromZero(member.samples, LANE_HEIGHT);
        const state = family.members.find((each) => each.userId === member.userId);
        return (
          <StepLane
            key={member.userId}
            className="member-lane"
            name={member.name}
            value={state?.[quantity]}
            samples={member.samples}
            scale={scale}
            at={at}
            marks={[Math.max(0, ...member.samples.map(({ value }) => value))]}
            filled
          >
            {dotsOf(quantity === 'charNum' ? moves : [], member.userId).map((move) => (
              <i
                key={move.entryId}
                className={wall(move.moment) > moment ? 'evm d f' : 'evm d'}
                style={{
                  left: `${percent(wall(move.moment), window)}%`,
                  top: yOf((move.from.userId === member.userId ? move.from : move.to).last, scale),
                }}
              />
            ))}
          </StepLane>
        );
      })}
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
            now={family.entries}
            min={0}
            max={family.entriesTotal}
            text={t('announce', { time: wire(moment), n: grouped(family.entries), chars: grouped(family.sum.charNum) })}
            onSeek={onSeek}
          />
        </div>
        <div className="hide-x" />
      </div>
    </div>
  );
}

const dotsOf = (moves: Moves | undefined, userId: number): Moves =>
  (moves ?? []).filter(({ from, to }) => from.userId === userId || to.userId === userId);

function familySamples(timeline: Timeline | undefined, quantity: Quantity) {
  const times = (timeline?.points ?? []).map(({ at }) => wall(at));
  const lane = (points: readonly Record<Quantity, number>[]): Sample[] =>
    points.map((point, i) => ({ at: times[i] ?? 0, seq: times[i] ?? 0, value: point[quantity] }));
  return {
    sum: lane(timeline?.points ?? []),
    members: (timeline?.members ?? []).map(({ userId, name, points }) => ({ userId, name, samples: lane(points) })),
  };
}
