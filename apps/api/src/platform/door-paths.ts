import { DOOR_PATHS } from '@yiqiao/contracts/envelope';

const PATHS: readonly string[] = Object.values(DOOR_PATHS);

/** The path of the door that an address belongs to, in whatever case it is written; undefined for any other address. */
export function doorOf(pathname: string): string | undefined {
  const [first = ''] = pathname.toLowerCase().split('/').slice(1, 2);
  return PATHS.find((path) => path === `/${first}`);
}
