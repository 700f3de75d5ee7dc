import { Tabs } from 'antd';
import type { ReactNode } from 'react';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import type { Kind } from './visits.js';

const ICONS = { text: 'translate', voice: 'mic', image: 'image' } as const satisfies Record<Kind, IconName>;
const NAMES = { text: 'tabText', voice: 'voice', image: 'image' } as const;

type KindTabsProps = {
  tab: Kind;
  onOpen: (tab: Kind) => void;
  panels: Readonly<Record<Kind, ReactNode>>;
};

/** Text, voice, image. What was begun in one stays as it is while another is open. */
export function KindTabs({ tab, onOpen, panels }: KindTabsProps) {
  const t = useTexts('translation-test');
  return (
    <section className="card tt-kinds" aria-label={t('kinds')}>
      <Tabs
        activeKey={tab}
        onChange={(key) => onOpen(key as Kind)}
        items={(['text', 'voice', 'image'] as const).map((kind) => ({
          key: kind,
          label: t(NAMES[kind]),
          icon: <Icon name={ICONS[kind]} />,
          // A text of before can be taken up again from any tab.
          forceRender: kind === 'text',
          children: panels[kind],
        }))}
      />
    </section>
  );
}
