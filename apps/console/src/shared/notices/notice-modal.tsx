import './notice-modal.css';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { useId, useMemo, useState } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { Tabs } from '../ui/tabs.js';
import { readNoticeHtml } from './notice-html.js';

export type NoticeModalProps = {
  /** At least one, the newest first. */
  notices: readonly ShownNotice[];
  onClose: (how: { notAgainToday: boolean }) => void;
};

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

/** The operators' notices, one tab each (specification §2, decisions §6). The backdrop does not close it. */
export default function NoticeModal({ notices, onClose }: NoticeModalProps) {
  const t = useMessages('notices');
  const box = useId();
  const [chosen, setChosen] = useState<number | null>(notices[0]?.id ?? null);
  const [notAgainToday, setNotAgainToday] = useState(false);
  // The selected notice may have been withdrawn; a new one does not replace it.
  const current = notices.find(({ id }) => id === chosen) ?? notices[0];
  if (!current) return null;
  const close = (): void => onClose({ notAgainToday });
  return (
    <Dialog title={t('notices')} className="notice" onClose={close}>
      <Tabs label={t('notices')} tabs={notices} current={current.id} onChange={setChosen}>
        <Content key={current.id} {...current} />
      </Tabs>
      <div className="dialog-footer">
        <label className="checkbox" htmlFor={box}>
          <input
            id={box}
            type="checkbox"
            checked={notAgainToday}
            onChange={(event) => setNotAgainToday(event.target.checked)}
          />
          <span className={notAgainToday ? 'checkbox-box active' : 'checkbox-box'} aria-hidden="true">
            {notAgainToday && <Icon name="check" />}
          </span>
          {t('notAgainToday')}
        </label>
        <button type="button" className="button button-primary" onClick={close}>
          {t('gotIt')}
        </button>
      </div>
    </Dialog>
  );
}
