import { useState } from 'react';
import { useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Contacts } from './contacts.js';
import { spacesOf } from './sample.js';
import { Spaces, Users } from './spaces.js';
import './workspace.css';

/** /UserWorkSpace: a placeholder with sample data, no requests, and actions that do nothing (specification §2). */
export default function WorkspacePage() {
  const t = useMessages('workspace');
  const spaces = spacesOf(useMember());
  const [chosenId, choose] = useState<number | null>(null);
  const [first] = spaces;
  const chosen = spaces.find(({ id }) => id === chosenId) ?? first;
  if (!first || !chosen) return null; // the sample always has an own space
  return (
    <>
      <PageHeader title={t('title')} note={t('note')} />
      <div className="ws-page">
        <div className="ws-side">
          <Spaces spaces={spaces} chosen={chosen} onChoose={({ id }) => choose(id)} />
          <Users space={chosen} />
        </div>
        <Contacts key={chosen.id} space={chosen} first={first} onChoose={({ id }) => choose(id)} />
      </div>
    </>
  );
}
