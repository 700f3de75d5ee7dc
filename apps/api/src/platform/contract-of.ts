/** What a controller's method is marked with: the contract that it serves. */
export const CONTRACT = 'yiqiao:contract';
/** Marks the one route that has no contract and no session: the health check. */
export const OPEN = 'yiqiao:open';
