/** Where to go after signing in: kept in memory, never in the URL (decisions §2). */
let wayBack: string | null = null;

export const rememberWayBack = (path: string): void => {
  wayBack = path;
};

/** The page that sent the person to login, once; home otherwise. */
export const takeWayBack = (): string => {
  const path = wayBack ?? '/home';
  wayBack = null;
  return path;
};
