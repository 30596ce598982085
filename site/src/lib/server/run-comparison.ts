// Two runs of an org, file by file: what both wrote under one name with its differences, and what only one of them wrote.
import type { Answer } from '#lib/api.ts'
import { diffOf, type Part } from '../../../../src/formats/text-diff.ts'

export type Run = Answer<'orgRuns.get'>
export type RunFile = Run['files'][number]

/** A file of both runs, or of one of them. `text` is that of its two columns: what left it or came is marked. */
export interface ComparedFile {
  filename: string
  files: readonly [RunFile | undefined, RunFile | undefined]
  /** `unread` is a file that is no Markdown or too long to be compared here. */
  state: 'same' | 'changed' | 'alone' | 'unread'
  columns?: readonly [Part[], Part[]]
}

/** Longer files are not compared: a page would show little of them. */
const MAX_COMPARED_BYTES = 40_000
/** Of all files of a page. */
const MAX_BYTES = 200_000

/** The files of two runs by their names, in the order of the first run, then of the second. */
export async function compareRuns(
  [first, second]: readonly [Run, Run],
  read: (file: RunFile) => Promise<string>,
): Promise<ComparedFile[]> {
  const names = [...new Set([...first.files, ...second.files].map(({ filename }) => filename))]
  const compared: ComparedFile[] = []
  let left = MAX_BYTES
  for (const filename of names) {
    const named = (file: RunFile) => file.filename === filename
    const files = [first.files.find(named), second.files.find(named)] as const
    const [before, after] = files
    if (!before || !after) {
      compared.push({ filename, files, state: 'alone' })
      continue
    }
    const size = before.sizeBytes + after.sizeBytes
    const isShort = Math.max(before.sizeBytes, after.sizeBytes) <= MAX_COMPARED_BYTES && size <= left
    if (before.fileType !== 'md' || after.fileType !== 'md' || !isShort) {
      compared.push({ filename, files, state: 'unread' })
      continue
    }
    left -= size
    compared.push({ filename, files, ...differenceOf(await read(before), await read(after)) })
  }
  return compared
}

function differenceOf(before: string, after: string): Pick<ComparedFile, 'state' | 'columns'> {
  const parts = diffOf(before, after)
  const state = before === after ? 'same' : 'changed'
  const without = (other: Part['kind']) => parts.filter(({ kind }) => kind !== other)
  return { state, columns: [without('added'), without('removed')] }
}
