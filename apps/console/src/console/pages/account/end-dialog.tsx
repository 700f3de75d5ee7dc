import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import { language } from '../../../shared/i18n/language.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import type { Ending } from './use-ending.js';

/** Asks before devices are signed out: what was typed there and not sent is lost. */
export function EndDialog({ ending: { asked, end, frame } }: { ending: Ending }) {
  const t = useTexts('account');
  const what = asked?.what ?? 'one';
  return (
    <ConfirmDialog
      frame={frame}
      title={t(`title_${what}`)}
      verb={t(what === 'all' ? 'endAll' : 'end')}
      look={what === 'all' ? 'danger' : 'usual'}
      onConfirm={end}
    >
      {asked?.what === 'one' && (
        <p className="num">
          {t('which', {
            client: CLIENT_TYPES[asked.row.clientType][language],
            ip: asked.row.loginIp ?? '–',
            time: asked.row.lastUseDateTime,
          })}
        </p>
      )}
      <p>{t(`what_${what}`)}</p>
    </ConfirmDialog>
  );
}
