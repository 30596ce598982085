// What an uploaded archive says. It always runs in a thread of its own, so the server itself never loads the archive readers.
import { readAutomation } from '../../formats/automation.ts'
import { warningsOf } from '../../formats/warnings.ts'
import type { FileContent, Refusal } from './file-content.ts'
import { orRefused } from './read-file.ts'

/** What an automation says, or what is wrong with it. */
export function readArchive(path: string): Promise<FileContent | Refusal> {
  return orRefused(async () => {
    const { manifest, files, permissions, meta, filename: _name, ...automation } = await readAutomation(path)
    const paths = files.map((file) => file.path)
    const warnings = warningsOf('automation', manifest, paths)
    return { ...automation, meta: { ...meta }, contents: { files, permissions }, warnings }
  })
}
