import type { ReactNode } from 'react';

/** The river: a hairline in 青. What is above it is the source, what is below has crossed (DESIGN §1). */
export function Waterline() {
  return <div className="waterline" role="presentation" />;
}

type Side = { text: ReactNode; lang?: string };

/** A sentence and its translation: source above the waterline, what has crossed below it. Never the other way round. */
export function Pair({ source, crossed }: { source: Side; crossed: Side }) {
  return (
    <span className="pair">
      <span className="src" lang={source.lang}>
        {source.text}
      </span>
      <span className="dst" lang={crossed.lang}>
        {crossed.text}
      </span>
    </span>
  );
}
