import { refreshUser } from '../auth/user.js';
import { oneAtATime } from './one-at-a-time.js';
import { useLive } from './use-live.js';

// Failures are silent: nobody asked, and what is on the screen stays as it was.
const refresh = oneAtATime(() =>
  refreshUser().then(
    () => undefined,
    () => undefined,
  ),
);

/** Keeps the signed-in member as the server has it: balance, expiry and plan are right without a reload. */
export function useLiveAccount(): void {
  useLive('account', refresh);
  useLive('ready', ({ again }) => {
    if (again) refresh(); // the shell loads the member itself to begin with
  });
}
