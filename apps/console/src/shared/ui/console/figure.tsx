import type { ReactNode } from 'react';

/** A key figure: label above, large serif lining figures, the unit small beside them. */
export function Figure({ label, unit, children }: { label: ReactNode; unit?: ReactNode; children: ReactNode }) {
  return (
    <div className="fig-n">
      <p className="lab">{label}</p>
      <p className="hero-n">
        {children}
        {unit && <small>{unit}</small>}
      </p>
    </div>
  );
}
