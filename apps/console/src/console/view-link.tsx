import { openView } from '@yiqiao/contracts/sessions';
import type { ReactElement } from 'react';
import { messageOf } from '../shared/api/api-error.js';
import { call } from '../shared/api/call.js';
import { startSession, VIEW_LINK } from '../shared/api/session.js';
import { messagesOf } from '../shared/i18n/messages.js';
import { Empty } from '../shared/ui/empty.js';

/** Exchanges the link of an operator for a read-only session of this tab; returns what to show instead of the console if it is refused. */
export async function openViewLink(): Promise<ReactElement | null> {
  const token = VIEW_LINK.exec(location.hash)?.[1] ?? '';
  // Neither the history nor a reload has the token.
  history.replaceState(null, '', location.pathname);
  try {
    const { userId, sk, viewedBy, until, seconds } = await call(openView, { token });
    startSession({ userId, sk }, { viewedBy, until, endsAt: Date.now() + seconds * 1_000 });
    return null;
  } catch (error) {
    return (
      <main className="page-wait">
        <Empty level="h1" title={messagesOf('console')('viewClosed')}>
          {messageOf(error)}
        </Empty>
      </main>
    );
  }
}
