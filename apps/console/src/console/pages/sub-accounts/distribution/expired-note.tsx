import { PackageOver } from '../../../../shared/standing/package-over.js';

/** Quota can be shared while the package is over, but nobody can use it until it lives again (decisions §4). */
export const ExpiredNote = () => <PackageOver className="note w ds-expired" />;
