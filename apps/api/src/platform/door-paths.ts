import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import type { Refusal } from '@yiqiao/domain/errors';

const PATHS: readonly string[] = Object.values(DOOR_PATHS);

/** The path of the door that an address belongs to, in whatever case it is written; undefined for any other address. */
export function doorOf(pathname: string): string | undefined {
  const [first = ''] = pathname.toLowerCase().split('/').slice(1, 2);
  return PATHS.find((path) => path === `/${first}`);
}

/** The wording of refusals for what is below `prefix`, as far as they are not our own envelope. `headers`: further ones. */
export type Dialect = {
  readonly prefix: string;
  refused(refusal: Refusal): { http: number; headers: Readonly<Record<string, string>>; body: unknown };
};

/** The dialect of an address, with or without its query; undefined: our own envelope. */
export type DialectAt = (url: string) => Dialect | undefined;
