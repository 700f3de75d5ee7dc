import { Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { nameIn } from '../../shared/channels/channels.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { ChannelPanel } from './channel-panel.js';
import { History } from './history-card.js';
import { type Kind, useHistory } from './history.js';
import { TextWorkspace, type TextWorkspaceHandle } from './text-workspace.js';
import { useCatalogue } from './use-catalogue.js';
import './translation-test.css';

const ICONS = { text: 'translate', voice: 'mic', image: 'image' } as const satisfies Record<Kind, IconName>;
const NAMES = { text: 'tabText', voice: 'voice', image: 'image' } as const;

type KindTabsProps = {
  tab: Kind;
  onOpen: (tab: Kind) => void;
  panels: Readonly<Record<Kind, ReactNode>>;
};

/** Text, voice, image. Each keeps its state while another is open. */
function KindTabs({ tab, onOpen, panels }: KindTabsProps) {
  const t = useMessages('translation-test');
  return (
    <section className="card tt-kinds" aria-label={t('kinds')}>
      <Tabs
        activeKey={tab}
        onChange={(key) => onOpen(key as Kind)}
        tabBarStyle={{ margin: 0, padding: '0 var(--tt-gutter)' }}
        items={(['text', 'voice', 'image'] as const).map((kind) => ({
          key: kind,
          label: (
            <span className="tt-kind">
              <Icon name={ICONS[kind]} />
              {t(NAMES[kind])}
            </span>
          ),
          // The history can reuse a text from any tab.
          forceRender: kind === 'text',
          children: panels[kind],
        }))}
      />
    </section>
  );
}

const KINDS: readonly Kind[] = ['text', 'voice', 'image'];

/** The open tab; it is in the URL, so that it can be linked to and survives a reload. */
function useTab(): readonly [Kind, (tab: Kind) => void] {
  const [params, setParams] = useSearchParams();
  const request = params.get('tab');
  const tab = KINDS.find((kind) => kind === request) ?? 'text';
  return [tab, (next) => setParams(next === 'text' ? {} : { tab: next }, { replace: true })];
}

// Loaded with their tab: most members only translate text.
const VoiceTab = lazy(async () => ({ default: (await import('./voice/voice-tab.js')).VoiceTab }));
const ImageTab = lazy(async () => ({ default: (await import('./image/image-tab.js')).ImageTab }));

const NOTES = {
  text: { main: 'note', sub: 'noteSub' },
  voice: { main: 'noteVoice', sub: 'noteVoice' },
  image: { main: 'noteImage', sub: 'noteImage' },
} as const satisfies Record<Kind, unknown>;

/** /UserCenterChangeTranslateTest: translates a text, a recording or a picture (specification §2). */
export default function TranslationTestPage() {
  const t = useMessages('translation-test');
  const user = useMember();
  const { catalogue, failed, reload } = useCatalogue();
  const [tab, open] = useTab();
  const { entries, add } = useHistory();
  const workspace = useRef<TextWorkspaceHandle>(null);
  return (
    <div className="tt-page">
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
              text: <TextWorkspace ref={workspace} catalogue={catalogue} addToHistory={add} />,
              voice: (
                <Suspense fallback={<TableSkeleton rows={7} columns={2} />}>
                  <VoiceTab catalogue={catalogue} addToHistory={add} active={tab === 'voice'} />
                </Suspense>
              ),
              image: (
                <Suspense fallback={<TableSkeleton rows={7} columns={2} />}>
                  <ImageTab catalogue={catalogue} addToHistory={add} active={tab === 'image'} />
                </Suspense>
              ),
            }}
          />
          <History
            entries={entries}
            channelName={(id) => nameIn(catalogue.channels, id)}
            onUse={(request) => {
              open('text');
              workspace.current?.use(request);
            }}
          />
        </>
      )}
      {catalogue !== null && <ChannelPanel channels={catalogue.channels} />}
    </div>
  );
}
