import type { ReactNode } from 'react';

const DECK = { whole: 'M0 18Q75 4 150 18', broken: 'M0 18Q30 11 58 9M92 9Q120 11 150 18' } as const;

/** The two-arch logo illustration: whole when empty or done, broken deck and red water on failure (DESIGN §4). */
export function StateIllustration({ state }: { state: 'empty' | 'done' | 'broken' }) {
  const broken = state === 'broken';
  return (
    <svg
      className={`state-illustration ${state}`}
      viewBox="0 0 150 62"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <path d={broken ? DECK.broken : DECK.whole} strokeWidth="1.5" />
      <path
        d="M6 61C10 22 66 22 70 61M80 61C84 22 140 22 144 61"
        strokeWidth="1.5"
        strokeDasharray={broken ? '4 5' : undefined}
      />
      <path className="state-illustration-water" d="M0 61h150" strokeWidth="1.5" />
    </svg>
  );
}

type EmptyProps = {
  title: ReactNode;
  /** `h1` where it is the page's only content. */
  level?: 'h1' | 'b';
  children?: ReactNode;
  action?: ReactNode;
  state?: 'empty' | 'done';
};

/** Empty state: the reason, and one next step (DESIGN §4). */
export function Empty({ title, level: Title = 'b', children, action, state = 'empty' }: EmptyProps) {
  return (
    <div className="empty-state">
      <StateIllustration state={state} />
      <Title className="empty-state-title">{title}</Title>
      {children && <p>{children}</p>}
      {action && <div className="empty-state-actions">{action}</div>}
    </div>
  );
}
