/** Metadata key of the contract that a controller method serves. */
export const CONTRACT = 'yiqiao:contract';
/** Metadata key of the one route without contract and session: the health check. */
export const OPEN = 'yiqiao:open';
