import { BASE_PATH } from '@yiqiao/contracts/envelope';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { acceptLanguage } from '../i18n/language.js';
import { fieldsOf, readNotice } from '../live/live-events.js';
import { ROUTES } from '../live/notice-routes.js';

const isThere = (notice: ShownNotice | null): notice is ShownNotice => notice !== null;

/** What is shown now, the newest first; null when it cannot be known. Silent: nobody asked, and the page works without. */
export async function listNotices(): Promise<readonly ShownNotice[] | null> {
  try {
    const answer = await fetch(BASE_PATH + ROUTES.list.path, {
      headers: { 'Accept-Language': acceptLanguage },
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      credentials: 'omit',
      cache: 'no-store',
    });
    const rows = fieldsOf(await answer.json())?.['data'];
    if (!answer.ok || !Array.isArray(rows)) return null;
    return rows.map((row: unknown) => readNotice(fieldsOf(row) ?? {})).filter(isThere);
  } catch {
    return null;
  }
}
