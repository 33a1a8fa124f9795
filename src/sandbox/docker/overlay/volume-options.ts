/** Names of a private directory's parts. */
export const UPPER = 'upper';
export const WORK = 'work';
/** A link to the workspace: its own path may hold what mount options cannot, and need not be seen inside. */
export const LOWER = 'lower';

/**
 * The local driver's options for an overlay. What would make an upper layer that only this kernel's configuration can
 * read, or leave more in `work` than an empty directory, is off.
 */
export function overlayOptions(directory: string): { type: string; device: string; o: string } {
  const parts = `lowerdir=${directory}/${LOWER},upperdir=${directory}/${UPPER},workdir=${directory}/${WORK}`;
  return { type: 'overlay', device: 'overlay', o: `${parts},index=off,metacopy=off,redirect_dir=off,nosuid,nodev` };
}
