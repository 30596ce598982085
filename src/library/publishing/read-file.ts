// What an uploaded file says, whatever its kind. Runs in a thread of its own for all but small files: see file.ts.
import { readFile } from 'node:fs/promises'
import { readAutomation } from '../../formats/automation.ts'
import { FormatError } from '../../formats/format-error.ts'
import { describeOrg, readOrg } from '../../formats/org.ts'
import { decodeUtf8 } from '../../formats/text.ts'
import { readWorkflow } from '../../formats/workflow.ts'
import type { Kind } from '../choices.ts'
import type { StoredContents } from '../finding/handlers.ts'

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

const plain = { slug: undefined, version: undefined, contents: undefined }

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

/** What a file says, or what is wrong with it. */
export async function readContent({ kind, path }: { kind: Kind; path: string }): Promise<FileContent | Refused> {
  try {
    return await readers[kind](path)
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}

export interface Refused {
  refused: string
}
