// Small sound files of each kind, for tests that publish.

import { readFileSync } from 'node:fs'
import { type automation, manifestEntry } from './corpus/archive-parts.ts'
import { zip } from './corpus/zip-writer.ts'

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')

export const workflow = JSON.parse(fixture('workflow-morning-digest.json')) as Record<string, unknown>
export const org = JSON.parse(fixture('org-invoice-desk.json')) as Record<string, unknown>

/** A workflow export with fields of it replaced. */
export const workflowFile = (changes: object = {}): File =>
  new File([JSON.stringify({ ...workflow, ...changes })], 'workflow.json', { type: 'application/json' })

/** An org definition with fields of it replaced. */
export const orgFile = (changes: object = {}): File =>
  new File([JSON.stringify({ ...org, ...changes })], 'org.json', { type: 'application/json' })

/** An automation with fields of its manifest replaced and more entries. */
export function automationFile(changes: object = {}, entries: Parameters<typeof automation>[0] = []): File {
  return fileOf(zip([manifestEntry(changes), ...entries]), 'package.mpkg')
}

export const fileOf = (bytes: Buffer, name: string): File => new File([new Uint8Array(bytes)], name)
