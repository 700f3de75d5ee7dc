/** The progress of an audit: a bridge with one arch for 1/24 of the families, broken where there is a difference (OPERATOR.md §1). */
const ARCHES = 24;
const WIDTH = 1_200;
const STEP = WIDTH / ARCHES;
/** The deck from end to end, a quadratic curve: its height at both ends, and that of its control point. */
const [END, CROWN] = [20, 6];
const MIDDLE = WIDTH / 2;

const arch = (i: number): string => {
  const x = i * STEP;
  return `M${x + 3} 64C${x + 5} 26 ${x + STEP - 5} 26 ${x + STEP - 3} 64`;
};

/** The deck up to the share `t` of the way, and the rest of it. */
function deck(t: number): [done: string, left: string] {
  const at = [WIDTH * t, END - 2 * (END - CROWN) * t * (1 - t)] as const;
  const before = [MIDDLE * t, END - (END - CROWN) * t] as const;
  const after = [MIDDLE + MIDDLE * t, CROWN + (END - CROWN) * t] as const;
  return [`M0 ${END}Q${before.join(' ')} ${at.join(' ')}`, `M${at.join(' ')}Q${after.join(' ')} ${WIDTH} ${END}`];
}

type AuditProgressProps = {
  label: string;
  /** 0 to 1, by entries. */
  share: number;
  /** Families that are done, 0 to 1. */
  families: number;
  /** The arches with a difference, from 0. */
  broken: readonly number[];
};

export function AuditProgress({ label, share, families, broken }: AuditProgressProps) {
  const done = Math.floor(families * ARCHES);
  const [crossed, ahead] = deck(share);
  const percent = Math.floor(share * 1_000) / 10;
  return (
    <svg
      className={broken.length > 0 ? 'audit-bridge broken' : 'audit-bridge'}
      viewBox={`0 0 ${WIDTH} 66`}
      preserveAspectRatio="none"
      role="progressbar"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-label={label}
    >
      {Array.from({ length: ARCHES }, (_, i) => {
        const state = broken.includes(i) ? 'differs' : i < done ? 'done' : 'ahead';
        return <path key={i} className={state} d={arch(i)} />;
      })}
      <path className="done deck" d={crossed} />
      {share < 1 && <path className="ahead deck" d={ahead} />}
      <line className="water" x1="0" x2={WIDTH} y1="65" y2="65" />
    </svg>
  );
}
