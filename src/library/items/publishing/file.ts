// What an uploaded file says, whatever its kind: read once, before anything is stored.
import { readFile } from 'node:fs/promises'
import type { UploadedFile } from '../../../contract/files.ts'
import { Problem } from '../../../contract/problem.ts'
import { MOST_ARCHIVE_BYTES } from '../../../formats/archive.ts'
import { readAutomation } from '../../../formats/automation.ts'
import { describeOrg, MOST_ORG_BYTES, readOrg } from '../../../formats/org.ts'
import { Refusal } from '../../../formats/refusal.ts'
import { decodeUtf8 } from '../../../formats/text.ts'
import { MOST_WORKFLOW_BYTES, readWorkflow } from '../../../formats/workflow.ts'
import type { StoredContents } from '../finding/handlers.ts'
import type { Kind } from '../item-contract.ts'

export interface FileContent {
  /** What the slug is made from, if the file itself says so. */
  slug: string | undefined
  name: string
  description: string
  /** The version in the manifest, for kinds that have one. */
  version: string | undefined
  meta: Record<string, unknown>
  /** Markdown. */
  readme: string | null
  /** Undefined where the file is the whole content. */
  contents: StoredContents | undefined
}

const mostBytes: Record<Kind, number> = {
  automation: MOST_ARCHIVE_BYTES,
  workflow: MOST_WORKFLOW_BYTES,
  org: MOST_ORG_BYTES,
}

const readers: Record<Kind, (path: string) => Promise<FileContent>> = {
  async automation(path) {
    const { slug, name, description, version, meta, readme, files, permissions } = await readAutomation(path)
    return { slug, name, description, version, meta: { ...meta }, readme, contents: { files, permissions } }
  },

  async workflow(path) {
    const { name, description, meta } = await readWorkflow(path)
    return { ...plain, name, description, meta, readme: description || null }
  },

  async org(path) {
    const { itemName, description, goal, meta } = describeOrg(readOrg(decodeUtf8(await readFile(path))))
    return { ...plain, name: itemName, description, meta, readme: goal || null }
  },
}

const plain = { slug: undefined, version: undefined, contents: undefined }

/** Reads a file of this kind; throws `too_large` or `invalid_artifact` with what is wrong with it. */
export async function readFileOf(kind: Kind, { path, size }: UploadedFile): Promise<FileContent> {
  if (size > mostBytes[kind]) throw new Problem('too_large', `file: is larger than ${mostBytes[kind]} bytes`)
  try {
    return await inTurn(() => readers[kind](path))
  } catch (error) {
    if (error instanceof Refusal) throw new Problem('invalid_artifact', error.message)
    throw error
  }
}

// One at a time: reading is work for the processor, and a workflow is in memory while it is read.
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}
