import type { ReactNode } from 'react';

/** A hairline in 青: source above, translation below (DESIGN §1). */
export function Divider() {
  return <div className="divider" role="presentation" />;
}

type Side = { text: ReactNode; lang?: string };

/** A sentence and its translation: source always above the divider, translation below. */
export function Pair({ source, translation }: { source: Side; translation: Side }) {
  return (
    <span className="sentence-pair">
      <span className="source-text" lang={source.lang}>
        {source.text}
      </span>
      <span className="translated-text" lang={translation.lang}>
        {translation.text}
      </span>
    </span>
  );
}
