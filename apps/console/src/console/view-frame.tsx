import './view-frame.css';
import { useState } from 'react';
import { currentView, endSession, type View } from '../shared/api/session.js';
import { useMessages } from '../shared/i18n/messages.js';
import { leaveFor } from '../shared/leave.js';
import { Icon } from '../shared/ui/icon.js';
import { useTimeLeft } from './shared/use-time-left.js';

/** Closes the window, which an operator's page has opened, or goes home where the browser does not allow it. */
function endView(): void {
  endSession();
  window.close();
  void leaveFor('/index');
}

function Bar({ view: { viewedBy, until, endsAt } }: { view: View }) {
  const t = useMessages('console');
  const left = Math.ceil(useTimeLeft(endsAt - Date.now()) / 1_000);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <aside className="view-frame" aria-label={t('viewTitle')}>
      <div className="view-frame-bar">
        <Icon name="lock" />
        <b>{t('viewTitle')}</b>
        <span>{t('viewBy', { name: viewedBy, time: until.slice(11) })}</span>
        <span className="view-frame-left" role="timer">
          {t('viewLeft', { time: clock })}
        </span>
        <button type="button" className="button button-small" onClick={endView}>
          {t('viewEnd')}
        </button>
      </div>
    </aside>
  );
}

/** Around a window in which an operator sees the console of a member: who, and until when (docs/decisions/0058). */
export default function ViewFrame() {
  const [view] = useState(currentView);
  return view && <Bar view={view} />;
}
