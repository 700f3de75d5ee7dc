import { isMain, useMember } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { PageHeader } from '../../shared/ui/console/page-header.js';
import { TableSkeleton } from '../../shared/ui/console/table-skeleton.js';
import { Empty } from '../../shared/ui/empty.js';
import { ErrorState } from '../../shared/ui/error-state.js';
import { ChannelPanel } from './channel-panel.js';
import { useCatalogue } from './use-catalogue.js';
import { Workspace } from './workspace.js';
import './translation-test.css';

/** /UserCenterChangeTranslateTest: choose languages, enter text, get the translation (specification §2). */
export default function TranslationTestPage() {
  const t = useTexts('translation-test');
  const user = useMember();
  const { catalogue, failed, reload } = useCatalogue();
  return (
    <div className="tt">
      <PageHeader title={t('title')} note={t(isMain(user) ? 'note' : 'noteSub')} />
      {catalogue === null && (
        <section className="card">
          {failed ? (
            <ErrorState title={t('loadFailed')} onReload={reload}>
              {failed.message}
            </ErrorState>
          ) : (
            <TableSkeleton rows={7} columns={2} />
          )}
        </section>
      )}
      {catalogue?.abilities.size === 0 && (
        <section className="card">
          <Empty title={t('nothingWorks')}>{t('nothingWorksWhy')}</Empty>
        </section>
      )}
      {catalogue !== null && catalogue.abilities.size > 0 && <Workspace catalogue={catalogue} />}
      {catalogue !== null && <ChannelPanel channels={catalogue.channels} own={user.tranChannelId} />}
    </div>
  );
}
