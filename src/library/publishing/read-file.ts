// What an uploaded text file says. Large files are read in a thread of their own: see file.ts. Archives: see read-archive.ts.
import { readFile, stat } from 'node:fs/promises'
import { FormatError } from '../../formats/format-error.ts'
import { namedItems } from '../../formats/named-items.ts'
import { describeOrg, readOrg } from '../../formats/org.ts'
import { decodeUtf8 } from '../../formats/text.ts'
import { MAX_WARNED_BYTES, warningsOf } from '../../formats/warnings.ts'
import { readWorkflow } from '../../formats/workflow.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Kind } from '../item-contract.ts'
import type { FileContent, Refusal } from './file-content.ts'

const plain = { slug: undefined, version: undefined, contents: undefined, changelog: null, license: null, names: [] }

export type TextKind = Exclude<Kind, 'automation'>

const readers: Record<TextKind, (path: string) => Promise<FileContent>> = {
  async workflow(path) {
    const { name, description, meta, stepNames, names } = await readWorkflow(path)
    const { size } = await stat(path)
    const warnings = size > MAX_WARNED_BYTES ? [] : warningsOf('workflow', parseJson(await readFile(path, 'utf8')))
    return { ...plain, name, description, meta, readme: description || null, warnings, stepNames, names }
  },

  async org(path) {
    const text = decodeUtf8(await readFile(path))
    const org = readOrg(text)
    const { itemName, description, goal, meta } = describeOrg(org)
    const warnings = warningsOf('org', parseJson(text))
    return { ...plain, name: itemName, description, meta, readme: goal || null, warnings, names: namedItems(org) }
  },
}

/** What a file says, or what is wrong with it. */
export function readContent({ kind, path }: { kind: TextKind; path: string }): Promise<FileContent | Refusal> {
  return orRefused(() => readers[kind](path))
}

/** A file that breaks its format is refused; anything else that goes wrong is thrown. */
export async function orRefused(read: () => Promise<FileContent>): Promise<FileContent | Refusal> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}
