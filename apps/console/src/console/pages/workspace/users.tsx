import { useTexts } from '../../../shared/i18n/texts.js';
import { Card } from '../../../shared/ui/console/card.js';
import { usersOf, type Space } from './sample.js';

/** Who works in a space. */
export function Users({ space }: { space: Space }) {
  const t = useTexts('workspace');
  const users = usersOf(space);
  return (
    <Card title={t('users')} note={t('usersCount', { n: users.length })} className="ws-users">
      <ul>
        {users.map((name) => (
          <li key={name}>
            <i className="ws-letter" aria-hidden="true">
              {name.charAt(0).toUpperCase()}
            </i>
            <span className="dyn">{name}</span>
            {name === space.ownerName && <span className="tag">{t('isOwner')}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
