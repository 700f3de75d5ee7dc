import { useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { KINDS, type Space, usersOf } from './sample.js';

type SpacesProps = { spaces: readonly Space[]; chosen: Space; onChoose: (space: Space) => void };

/** Deletes an own space, leaves a shared one. Does nothing until there are spaces (specification §2). */
function Leave({ space }: { space: Space }) {
  const t = useMessages('workspace');
  const mine = space.ownerId === useMember().userId;
  const name = t(space.name);
  return (
    <button
      type="button"
      className="close-button ws-leave"
      title={t(mine ? 'deleteSpace' : 'exitSpace')}
      aria-label={t(mine ? 'deleteNamed' : 'exitNamed', { name })}
    >
      <Icon name={mine ? 'trash' : 'signOut'} />
    </button>
  );
}

/** Own, shared and child-user spaces; one of them is chosen. */
export function Spaces({ spaces, chosen, onChoose }: SpacesProps) {
  const t = useMessages('workspace');
  return (
    <Card title={t('spaces')}>
      {KINDS.map((kind) => {
        const some = spaces.filter((space) => space.kind === kind);
        return (
          <div key={kind} className="ws-group" role="group" aria-label={t(kind)}>
            <b>{t(kind)}</b>
            {some.length === 0 && <p className="faint">{t('noSpace')}</p>}
            <ul>
              {some.map((space) => (
                <li key={space.id}>
                  <button
                    type="button"
                    className="ws-space"
                    aria-pressed={space.id === chosen.id}
                    onClick={() => onChoose(space)}
                  >
                    <span>{t(space.name)}</span>
                    <small>{t('owner', { name: space.ownerName })}</small>
                  </button>
                  <Leave space={space} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </Card>
  );
}

/** The users of a space. */
export function Users({ space }: { space: Space }) {
  const t = useMessages('workspace');
  const users = usersOf(space);
  return (
    <Card title={t('users')} note={t('usersCount', { n: users.length })} className="ws-users">
      <ul>
        {users.map((name) => (
          <li key={name}>
            <i className="ws-letter" aria-hidden="true">
              {name.charAt(0).toUpperCase()}
            </i>
            <span className="dynamic-text">{name}</span>
            {name === space.ownerName && <span className="badge">{t('isOwner')}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
