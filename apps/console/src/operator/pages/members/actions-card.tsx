import { useCan } from '@refinedev/core';
import { addMemberNote } from '@yiqiao/contracts/operator/member-changes';
import type { MemberDetails } from '@yiqiao/contracts/operator/members';
import { Input } from 'antd';
import { useState } from 'react';
import { signed } from '../../../shared/amounts.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { actionName } from '../../shared/action-names.js';
import { useActorName } from '../../shared/actor.js';
import { listed } from '../../shared/listed.js';
import type { Changed } from './side.js';

type ActionRow = MemberDetails['actions'][number];

/** What an action changed of a quantity, in short. */
function changeOf({ before, after }: ActionRow, t: Translate<'members'>): string {
  const units = { charNum: 'ofChars', voiceNum: 'ofVoice', imageNum: 'ofImages' } as const;
  return listed(
    ...Object.entries(units).map(([name, unit]) => {
      const [was, is] = [before?.[name], after?.[name]];
      return typeof was === 'number' && typeof is === 'number' && was !== is && t(unit, { n: signed(is - was) });
    }),
  );
}

function ActionLine({ row, notes }: { row: ActionRow; notes: MemberDetails['notes'] }) {
  const t = useMessages('members');
  const actorName = useActorName();
  const noted = row.action === 'member.note' ? notes.find(({ id }) => id === row.after?.['note'])?.text : undefined;
  return (
    <li>
      <Icon name="stamp" />
      <div>
        {changeOf(row, t) || actionName(row.action)}
        <small className="dynamic-text">{listed(actorName(row.actor), row.at.slice(0, 16), noted ?? row.reason)}</small>
      </div>
    </li>
  );
}

function NoteForm({ userId, onDone }: { userId: number; onDone: () => void }) {
  const t = useMessages('members');
  const [text, setText] = useState('');
  const { mutate, isPending } = useEndpointMutation(addMemberNote, { onSuccess: onDone });
  return (
    <form
      className="card-body"
      onSubmit={(event) => {
        event.preventDefault();
        void mutate({ userId: String(userId), text });
      }}
    >
      <Input.TextArea
        autoFocus
        rows={3}
        maxLength={500}
        aria-label={t('noteLabel')}
        placeholder={t('noteHint')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="dialog-foot">
        <button type="submit" className="button button-primary button-small" disabled={isPending || text.trim() === ''}>
          {t('save')}
        </button>
      </div>
    </form>
  );
}

export function ActionsCard({ member: { userId, actions, notes, closeDateTime }, onChange }: Changed) {
  const t = useMessages('members');
  const { data: may } = useCan({ resource: 'members', action: 'member.note' });
  const [writing, setWriting] = useState(false);
  return (
    <Card title={t('actions')} note={t('actionsNote')}>
      {actions.length === 0 ? (
        <p className="card-body faint">{t('noActions')}</p>
      ) : (
        <ul className="member-lines by-hand">
          {actions.map((row) => (
            <ActionLine key={row.n} row={row} notes={notes} />
          ))}
        </ul>
      )}
      {writing ? (
        <NoteForm
          userId={userId}
          onDone={() => {
            setWriting(false);
            onChange();
          }}
        />
      ) : (
        may?.can &&
        closeDateTime === null && (
          <div className="card-foot">
            <button type="button" className="button button-default button-small" onClick={() => setWriting(true)}>
              <Icon name="pencil" />
              {t('writeNote')}
            </button>
          </div>
        )
      )}
    </Card>
  );
}
