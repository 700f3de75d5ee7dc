/** Access rules of the console (specification §6): pages by their row, everything else by the contract of its endpoint. */
import type { CanReturnType } from '@refinedev/core';
import type { Access } from '@yiqiao/contracts/endpoint';
import { endpointOf, type Action } from './shared/resources.js';
import { consolePages, nameOf } from './page-table.js';

type AccessRequest = { resource?: string | undefined; action: string };
/** The part of a member that access depends on. */
export type Role = { parentUserId: number | null };

const ACTIONS: readonly string[] = ['list', 'show', 'create', 'edit', 'delete'] satisfies Action[];
const isAction = (action: string): action is Action => ACTIONS.includes(action);

/** Undefined: the action does not exist. */
function accessOf({ resource = '', action }: AccessRequest): Access | undefined {
  const row = action === 'list' ? consolePages.find((page) => nameOf(page) === resource) : undefined;
  return row?.who ?? (isAction(action) ? endpointOf(resource, action)?.access : undefined);
}

/** Unknown actions are denied; the API checks again in any case. */
export function decide(request: AccessRequest, { parentUserId }: Role): CanReturnType {
  const who = accessOf(request);
  return { can: who !== undefined && (who !== 'main' || parentUserId === null) };
}
