// `npm run admin -- import n8n`: workflows that n8n exported become workflow files in the folder of the command, or items of an account.
import { writeFile } from 'node:fs/promises'
import { oneLine } from '../contract/storable.ts'
import { convertN8n } from '../formats/imports/n8n.ts'
import { SourceError, type SourceFile } from '../formats/imports/record.ts'
import type { Call } from './command.ts'
import { type FolderItem, importItems } from './import-skills.ts'

/** Writes or publishes the workflows of some files. */
export async function importN8n(call: Call, files: readonly SourceFile[]): Promise<number> {
  if (files.length === 0) {
    call.output.complain('Name the files, or a folder with them')
    return 1
  }
  if (call.options['owner'] === undefined) return write(call, files)
  return importItems(call, workflowsIn(files), 'There is no workflow in the files.')
}

/** Workflow files in the folder of the command: who publishes them looks at them first. */
async function write({ output }: Call, files: readonly SourceFile[]): Promise<number> {
  const written: { file: string; leftOut: { what: string; count: number }[] }[] = []
  for await (const { name, text, leftOut } of convertN8n(files)) {
    const plain = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
    const file = `${plain || 'workflow'}-${written.length + 1}.json`
    await writeFile(file, text, { flag: 'wx' })
    written.push({ file, leftOut })
  }
  const lines = written.flatMap(({ file, leftOut }) => [
    file,
    ...leftOut.map(({ what, count }) => `  left out: ${count} ${oneLine(what)}`),
  ])
  output.result({ written }, [...lines, 'Look at them, and publish them with the command line of members.'].join('\n'))
  return 0
}

/** What is left out of a workflow is counted as hidden; a file that cannot be read is left out itself, and the others come. */
async function* workflowsIn(files: readonly SourceFile[]): AsyncIterable<FolderItem> {
  for (const file of files) {
    try {
      for await (const { text, leftOut } of convertN8n([file])) {
        const hidden = leftOut.reduce((sum, { count }) => sum + count, 0)
        yield { folder: file.name, hidden, kind: 'workflow', bytes: Buffer.from(text) }
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      yield { folder: file.name, hidden: 0, reason: error.message }
    }
  }
}
