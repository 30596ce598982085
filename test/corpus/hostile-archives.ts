// Archives that have to be refused (formats.md section 2), each with what the refusal says. Nothing is checked in: every
// one is built in code, byte for byte the same each time.
import { type HostileArchive, refused } from './archive-parts.ts'
import { hostileContents } from './hostile-contents.ts'
import { hostileEntries } from './hostile-entries.ts'
import { hostileManifests } from './hostile-manifests.ts'
import { hostileNames } from './hostile-names.ts'
import { hostileStructures } from './hostile-structures.ts'

export const hostileArchives: HostileArchive[] = [
  refused('an empty file', /readable zip archive/, () => Buffer.alloc(0)),
  refused('text', /readable zip archive/, () => Buffer.from('name,berth\n'.repeat(100))),
  ...hostileStructures,
  ...hostileEntries,
  ...hostileNames,
  ...hostileContents,
  ...hostileManifests,
]
