/** Every entity of the product, for the ORM: an explicit list, nothing is discovered. */
import { MemberGroup } from './plans/member-group.entity.js';
import { TranChannel } from './plans/tran-channel.entity.js';
import { Session } from './sessions/session.entity.js';

export const entities = [MemberGroup, TranChannel, Session];
