// Items with several versions, and what their names mean, for tests of files by name.
import { createHash } from 'node:crypto'
import { workflowFile } from './library.ts'
import type { Person, World } from './world.ts'

/** A workflow with these versions, each a file of its own. */
export async function publishVersions(
  by: Person,
  name: string,
  versions: readonly string[],
  visibility: 'public' | 'private' = 'public',
) {
  const [first, ...others] = versions
  const file = (version: string) => workflowFile({ name, description: `Version ${version}` })
  const item = await by.library.publish({ kind: 'workflow', visibility, version: first!, file: file(first!) })
  for (const version of others) await by.library.publishVersion({ id: item.id, version, file: file(version) })
  return item
}

export const sha256 = (bytes: ArrayBuffer) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex')

/** The version that is sent to an anonymous user who asks for this one of workflow/digest. */
export async function meant({ anonymous }: World, version: string) {
  return (await anonymous.library.file({ kind: 'workflow', slug: 'digest', version })).headers.get('x-library-version')
}
