import type { ReactNode } from 'react';

type FigureProps = { title: string; note: string; unit?: string; value: ReactNode; children: ReactNode };

/** A number with its time and what it is compared with. Blank until it is there. */
export function Figure({ title, note, unit, value, children }: FigureProps) {
  return (
    <section className="card span-3 figure-card" aria-label={title}>
      <p className="figure-head">
        <span>{title}</span>
        <span className="faint numeric">{note}</span>
      </p>
      <p className="figure">
        {unit && <small>{unit}</small>}
        {value}
      </p>
      <div className="figure-notes numeric">{children}</div>
    </section>
  );
}
