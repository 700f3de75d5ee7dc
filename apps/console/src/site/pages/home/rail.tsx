import type { ReactNode } from 'react';
import { Icon } from '../../../shared/ui/icon.js';

type RailProps = {
  /** What stands on the rail, and how much of it is unread. */
  apps: readonly (readonly [sign: ReactNode, unread?: string])[];
  /** The one that is open. */
  open: number;
};

/** The rail at the left of the client: one place for each application. */
export function Rail({ apps, open }: RailProps) {
  return (
    <div className="rail">
      {apps.map(([sign, unread], index) => (
        <span key={index} className={index === open ? 'app on' : 'app'}>
          {sign}
          {unread && <em>{unread}</em>}
        </span>
      ))}
      <span className="app add">
        <Icon name="add" />
      </span>
    </div>
  );
}
