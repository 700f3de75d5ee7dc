import { describe, expect, it } from '@jest/globals';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import type { User } from '../../../shared/auth/stored-user.js';
import { contactsOf, spacesOf, usersOf } from './sample.js';

// As far as the sample looks at a member.
const member = (parentUserId: number | null): User => ({ userId: 7, username: 'bridge', parentUserId }) as User;

describe('the sample of the workspace', () => {
  it('has own, shared and child-user spaces for a main account, and no child-user spaces for a sub-account', () => {
    const kinds = (user: User) => [...new Set(spacesOf(user).map(({ kind }) => kind))];
    expect(kinds(member(null))).toEqual(['own', 'shared', 'child']);
    expect(kinds(member(3))).toEqual(['own', 'shared']);
  });

  it('names the member as the owner of the own spaces alone', () => {
    for (const { kind, ownerId, ownerName } of spacesOf(member(null))) {
      expect([kind, ownerId === 7, ownerName === 'bridge']).toEqual([kind, kind === 'own', kind === 'own']);
    }
  });

  it('has contacts for three pages, each with an id of its own, and users led by the owner', () => {
    const spaces = spacesOf(member(null));
    const contacts = spaces.map(contactsOf);
    expect(contacts[0]?.length).toBeGreaterThan(2 * PAGE_SIZE);
    const ids = contacts.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const space of spaces) {
      const users = usersOf(space);
      expect(users[0]).toBe(space.ownerName);
      expect(new Set(users).size).toBe(users.length);
    }
  });
});
