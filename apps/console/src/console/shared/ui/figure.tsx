import type { ReactNode } from 'react';

/** A key figure: label above, large serif lining figures, the unit small beside them. */
export function Figure({ label, unit, children }: { label: ReactNode; unit?: ReactNode; children: ReactNode }) {
  return (
    <div className="key-figure">
      <p className="key-figure-label">{label}</p>
      <p className="key-figure-value">
        {children}
        {unit && <small>{unit}</small>}
      </p>
    </div>
  );
}
