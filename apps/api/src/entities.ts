/** The entities of the ORM: an explicit list, without discovery. */
import { Identity } from './members/identity.entity.js';
import { LoginLog } from './members/login-log.entity.js';
import { Member } from './members/member.entity.js';
import { RechargeOrder } from './orders/recharge-order.entity.js';
import { MemberGroup } from './plans/member-group.entity.js';
import { TranChannel } from './plans/tran-channel.entity.js';
import { Session } from './sessions/session.entity.js';

export const entities = [Identity, LoginLog, Member, MemberGroup, RechargeOrder, TranChannel, Session];
