import type { ShownNotice } from '@yiqiao/contracts/notices';
import { Segmented } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { NoticeBody } from '../../../shared/notices/notice-body.js';
import { isDark } from '../../../shared/theme/theme.js';
import { Card } from '../../../shared/ui/card.js';
import { type Fields, type Notice, type Side, textsOf } from './fields.js';

const DEVICES = ['desktop', 'phone'] as const;
const THEMES = ['light', 'dark'] as const;
const LANG = { zh: 'zh-CN', en: 'en' } as const;

type Props = { fields: Fields; others: readonly Notice[]; note: string };

/** The members' dialog in both languages, with the same code, as it is being written. */
export function Preview({ fields, others, note }: Props) {
  const t = useMessages('notice-desk');
  const [device, setDevice] = useState<(typeof DEVICES)[number]>('desktop');
  const [theme, setTheme] = useState<(typeof THEMES)[number]>(() => (isDark() ? 'dark' : 'light'));
  return (
    <Card title={t('preview')}>
      <div className="preview-switches">
        <Segmented
          size="small"
          aria-label={t('device')}
          options={DEVICES.map((value) => ({ value, label: t(value) }))}
          value={device}
          onChange={setDevice}
        />
        <Segmented
          size="small"
          aria-label={t('theme')}
          options={THEMES.map((value) => ({ value, label: t(value) }))}
          value={theme}
          onChange={setTheme}
        />
      </div>
      <div className={`previews ${device} ${theme}`}>
        <OneLanguage side="zh" fields={fields} others={others} />
        <OneLanguage side="en" fields={fields} others={others} />
      </div>
      <p className="preview-note faint">{note}</p>
    </Card>
  );
}

function OneLanguage({ side, fields, others }: { side: Side } & Omit<Props, 'note'>) {
  const t = useMessages('notice-desk');
  const [chosen, setChosen] = useState(0);
  const texts = textsOf(fields, side);
  const own: ShownNotice = { id: 0, ...texts, name: texts.name || t('noName'), title: texts.title || t('noTitle') };
  const notices = [own, ...others.map((other) => ({ id: other.id, ...other[side] }))];
  const current = notices.find(({ id }) => id === chosen) ?? own;
  return (
    <section className="dialog notice notice-preview" lang={LANG[side]} aria-label={t(`previewIn_${side}`)}>
      <NoticeBody notices={notices} current={current} onChange={setChosen} />
    </section>
  );
}
