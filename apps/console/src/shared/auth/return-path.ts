/**
 * The path to return to after signing in, never in the URL (decisions §2). The login form is another document than the console, so a cookie
 * that only the form receives remembers it (docs/decisions/0027).
 */
import { isConsoleAddress } from '@yiqiao/contracts/addresses';

const NAME = 'way-back';
const LIFE_S = 30 * 60;
/** Cookies are small: of a longer path the query is dropped. */
const MAX_LENGTH = 2_000;

const write = (value: string, seconds: number): void => {
  document.cookie = `${NAME}=${value}; Path=/login; Max-Age=${seconds}; SameSite=Strict`;
};

/**
 * For a login form within this document: after a navigation the cookies are those of the address that the document was loaded from, such as
 * `/price`, not those of the form.
 */
let inThisDocument: string | null = null;

export function rememberReturnPath(path: string): void {
  inThisDocument = path;
  const value = encodeURIComponent(path);
  write(value.length > MAX_LENGTH ? encodeURIComponent(path.split('?', 1)[0] ?? '') : value, LIFE_S);
}

/** The page that sent the user to the login form, once; home otherwise. Call it on the login page. */
export function takeReturnPath(): string {
  const [, value = ''] = /(?:^|; )way-back=([^;]*)/.exec(document.cookie) ?? [];
  const path = inThisDocument ?? decoded(value);
  inThisDocument = null;
  write('', 0);
  // The cookie is untrusted: it may only lead to a page of the console.
  return isConsoleAddress(path) ? path : '/home';
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
