import type { ReactNode } from 'react';

/** A hairline in 青: source above, translation below (DESIGN §1). */
export function Divider() {
  return <div className="waterline" role="presentation" />;
}

type Side = { text: ReactNode; lang?: string };

/** A sentence and its translation: source always above the divider, translation below. */
export function Pair({ source, translation }: { source: Side; translation: Side }) {
  return (
    <span className="pair">
      <span className="src" lang={source.lang}>
        {source.text}
      </span>
      <span className="dst" lang={translation.lang}>
        {translation.text}
      </span>
    </span>
  );
}
