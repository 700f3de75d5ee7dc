import { MINUTE_MS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { lastUser, useUser, type User } from '../auth/stored-user.js';
import { wireNow } from '../wire-time.js';
import { standingOf, type Standing } from './standing.js';

/** Packages end while a page is open, too. */
function useWireMinute(): string {
  const [now, setNow] = useState(() => wireNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(wireNow()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** What the signed-in member should know of its package, or null when all is well. */
export function useStanding(): { user: User; standing: Standing } | null {
  const now = useWireMinute();
  const user = useUser() ?? lastUser();
  const standing = user && standingOf(user, now);
  return standing && { user, standing };
}
