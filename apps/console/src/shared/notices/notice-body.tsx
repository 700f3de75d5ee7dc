import './notice-modal.css';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { useMemo } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Tabs } from '../ui/tabs.js';
import { readNoticeHtml } from './notice-html.js';

/** Operators' text is never set in the display font, which has only the glyphs of our own headings (DESIGN §2). */
function Content({ title, subTitle, content }: ShownNotice) {
  const nodes = useMemo(() => readNoticeHtml(content, location.origin), [content]);
  return (
    <>
      {/* Initial focus is here: on a button, a key pressed while typing elsewhere would close the notice. */}
      <h3 className="dynamic-text" tabIndex={-1} data-first>
        {title}
      </h3>
      {subTitle !== '' && <p className="notice-subtitle">{subTitle}</p>}
      <div className="notice-content">{nodes}</div>
    </>
  );
}

type NoticeBodyProps = { notices: readonly ShownNotice[]; current: ShownNotice; onChange: (id: number) => void };

/** Notices, one tab each: in the members' dialog, and where operators see it beforehand. Within an element of class `notice`. */
export function NoticeBody({ notices, current, onChange }: NoticeBodyProps) {
  const t = useMessages('notices');
  return (
    <Tabs label={t('notices')} tabs={notices} current={current.id} onChange={onChange}>
      <Content key={current.id} {...current} />
    </Tabs>
  );
}
