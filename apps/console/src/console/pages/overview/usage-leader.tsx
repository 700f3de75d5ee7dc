import { useTexts } from '../../../shared/i18n/texts.js';
import type { UsageDay } from './usage-scale.js';
import { dayText, usedText } from './usage-words.js';

/** Pixels: the label's baseline, how far the line runs beside it, and what its text needs at most. */
const BASELINE = 12;
const ARM = 22;
const GAP = 6;
const WIDE_FROM = 560;
const HAN = 12.5;
const LATIN = 7;

const widthOf = (text: string): number => [...text].reduce((sum, c) => sum + (c > '⺀' ? HAN : LATIN), 0);

type UsageLeaderProps = { day: UsageDay; from: { x: number; y: number }; room: { left: number; right: number } };

/** A line from the bar to the day in words; where there is little room the words stand above its end. */
export function UsageLeader({ day, from, room }: UsageLeaderProps) {
  const t = useTexts('overview');
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
    <g className="leader">
      <path d={wide ? `M${from.x} ${from.y}V8h${toRight ? ARM : -ARM}` : `M${from.x} ${from.y}V${BASELINE + 8}`} />
      <text {...(wide ? beside : above)} y={BASELINE}>
        {date}
        <tspan dx="10">{used}</tspan>
      </text>
    </g>
  );
}
