// Things that attacks need to be there, honest unless told otherwise.

import type { Input } from '../client/src/main-node.ts'
import { manifestEntry } from '../test/corpus/archive-parts.ts'
import { type ZipEntry, zip } from '../test/corpus/zip-writer.ts'
import { workflow as honestWorkflow } from '../test/library.ts'
import { onePixelDeepPng } from '../test/pictures.ts'
import type { Person } from './person.ts'

export const BUG = { title: 'A bug', description: 'Text', severity: 'low' } as const

export const orgJson = (changes: object = {}): string =>
  JSON.stringify({ name: 'Desk', goal: 'Match invoices', roles: [{ id: 'solo', title: 'Solo' }], ...changes })

/** A gallery org of this person. */
export const makeOrg = (person: Person, changes: object = {}) => person.api.orgs.create({ orgJson: orgJson(changes) })

type Bytes = string | Uint8Array

/** A run with these files. */
export async function addRun(person: Person, id: string, files: Readonly<Record<string, Bytes>>) {
  const sent = Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) }))
  const run = await person.api.orgRuns.add({ id, files: sent })
  return { runId: run.id, fileId: run.files[0]?.id ?? '' }
}

export const workflow = (changes: object = {}): string => JSON.stringify({ ...honestWorkflow, ...changes })

/** Publishes a file; private unless `more` says otherwise. */
export const publish = (
  person: Person,
  kind: 'org' | 'workflow' | 'automation',
  content: Bytes,
  more: Partial<Input<'library.publish'>> = {},
) => person.api.library.publish({ kind, file: Buffer.from(content), ...more })

/** Publishes a workflow for everybody. */
export const publishToAll = (person: Person, changes: object = {}) =>
  publish(person, 'workflow', workflow(changes), { visibility: 'public' })

/** An automation package with these entries beside a sound manifest. */
export const automation = (entries: readonly ZipEntry[], id: string): Buffer => zip([manifestEntry({ id }), ...entries])

export const setAvatar = (person: Person, avatar: Blob = onePixelDeepPng(9, 9)) => person.api.avatars.set({ avatar })
