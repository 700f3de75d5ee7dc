import type { ReactNode } from 'react';
import { Bridge } from './bridge.js';

type EmptyProps = {
  title: ReactNode;
  /** `h1` where this is all that the page says. */
  level?: 'h1' | 'b';
  children?: ReactNode;
  action?: ReactNode;
  state?: 'empty' | 'done';
};

/** Nothing here: the reason, and one thing to do next (DESIGN §4). */
export function Empty({ title, level: Title = 'b', children, action, state = 'empty' }: EmptyProps) {
  return (
    <div className="em">
      <Bridge state={state} />
      <Title className="em-t">{title}</Title>
      {children && <p>{children}</p>}
      {action && <div className="em-act">{action}</div>}
    </div>
  );
}
