import type { ReactNode } from 'react';
import { Bridge } from './bridge.js';

type EmptyProps = { title: ReactNode; children?: ReactNode; action?: ReactNode; state?: 'empty' | 'done' };

/** Nothing here: the reason, and one thing to do next (DESIGN §4). */
export function Empty({ title, children, action, state = 'empty' }: EmptyProps) {
  return (
    <div className="em">
      <Bridge state={state} />
      <b>{title}</b>
      {children && <p>{children}</p>}
      {action && <div className="em-act">{action}</div>}
    </div>
  );
}
