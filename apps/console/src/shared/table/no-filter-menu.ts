/**
 * Stands in the built site for the menus that antd's table can open in its heads (vite.config.ts): they bring trees, menus and searches that
 * no list of ours has, because each has its own filters above it. Whoever wants them takes the exchange out of vite.config.ts.
 */
export default function NoFilterMenu(): never {
  throw new Error('filter menus in table heads are left out of the build (vite.config.ts)');
}

/** The keys of such a menu's entries: there are none. */
export const flattenKeys = (): [] => [];
