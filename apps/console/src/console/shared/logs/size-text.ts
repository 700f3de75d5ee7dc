const KIB = 1024;

/** `0 KB`, `834 KB`, `1.2 MB`: how much of a file has come. */
export const sizeText = (bytes: number): string =>
  bytes < 1000 * KIB ? `${Math.ceil(bytes / KIB)} KB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
