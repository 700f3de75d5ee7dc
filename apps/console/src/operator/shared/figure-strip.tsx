import type { ReactNode } from 'react';

export type StripFigure = {
  name: string;
  /** Blank until it is there. */
  value: ReactNode;
  unit?: string | undefined;
  /** Behind the number. */
  after?: string | undefined;
  tone?: string | undefined;
  note: ReactNode;
};

/** Figures side by side in one panel, each with what it is made of. */
export function FigureStrip({ figures }: { figures: readonly StripFigure[] }) {
  return (
    <dl className="figure-strip">
      {figures.map(({ name, value, unit, after, tone, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={tone ? `figure ${tone}` : 'figure'}>
            {unit && <small>{unit}</small>}
            {value}
            {after && <small>{after}</small>}
          </dd>
          <dd className="figure-notes numeric">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
