import { lazy, Suspense, useRef } from 'react';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { nameIn } from '../../../shared/channels/use-channels.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { PageHeader } from '../../../shared/ui/console/page-header.js';
import { TableSkeleton } from '../../../shared/ui/console/table-skeleton.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { ChannelPanel } from './channel-panel.js';
import { History } from './history.js';
import { KindTabs } from './kind-tabs.js';
import { useCatalogue } from './use-catalogue.js';
import { useTab } from './use-tab.js';
import { useVisits } from './use-visits.js';
import type { Kind } from './visits.js';
import { Workspace, type WorkspaceHandle } from './workspace.js';
import './translation-test.css';

// Each comes with its tab: most come for the text.
const VoiceDesk = lazy(async () => ({ default: (await import('./voice/voice-desk.js')).VoiceDesk }));
const ImageDesk = lazy(async () => ({ default: (await import('./image/image-desk.js')).ImageDesk }));

const NOTES = {
  text: { main: 'note', sub: 'noteSub' },
  voice: { main: 'noteVoice', sub: 'noteVoice' },
  image: { main: 'noteImage', sub: 'noteImage' },
} as const satisfies Record<Kind, unknown>;

/** /UserCenterChangeTranslateTest: choose languages, give a text, a recording or a picture, get the translation (specification §2). */
export default function TranslationTestPage() {
  const t = useTexts('translation-test');
  const user = useMember();
  const { catalogue, failed, reload } = useCatalogue();
  const [tab, open] = useTab();
  const { visits, note } = useVisits();
  const workspace = useRef<WorkspaceHandle>(null);
  return (
    <div className="tt">
      <PageHeader title={t('title')} note={t(NOTES[tab][isMain(user) ? 'main' : 'sub'])} />
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
      {catalogue !== null && catalogue.abilities.size > 0 && (
        <>
          <KindTabs
            tab={tab}
            onOpen={open}
            panels={{
              text: <Workspace ref={workspace} catalogue={catalogue} note={note} />,
              voice: (
                <Suspense fallback={<TableSkeleton rows={7} columns={2} />}>
                  <VoiceDesk catalogue={catalogue} note={note} active={tab === 'voice'} />
                </Suspense>
              ),
              image: (
                <Suspense fallback={<TableSkeleton rows={7} columns={2} />}>
                  <ImageDesk catalogue={catalogue} note={note} active={tab === 'image'} />
                </Suspense>
              ),
            }}
          />
          <History
            visits={visits}
            channelName={(id) => nameIn(catalogue.channels, id)}
            onUse={(asked) => {
              open('text');
              workspace.current?.use(asked);
            }}
          />
        </>
      )}
      {catalogue !== null && <ChannelPanel channels={catalogue.channels} />}
    </div>
  );
}
