import type { ShownNotice } from '@yiqiao/contracts/notices';
import { useId, useState } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { NoticeBody } from './notice-body.js';

export type NoticeModalProps = {
  /** At least one, the newest first. */
  notices: readonly ShownNotice[];
  onClose: (how: { notAgainToday: boolean }) => void;
};

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
      <NoticeBody notices={notices} current={current} onChange={setChosen} />
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
