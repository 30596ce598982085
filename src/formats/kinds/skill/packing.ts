// How the files of a skill are packed, and which files of a folder with skills are its: the same files give the same bytes.
import { zipSync } from 'fflate'

/** Folders below the one that is named: `skills/group/name`. */
export const SKILL_DEPTH = 4

/** What programs and people keep for themselves. */
export const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

/** The same in every zone: a zip has the local time. */
const TIME = new Date(1980, 0, 1)

/** The archive of a skill with these files. */
export function packSkill(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: TIME })
}
