// What an uploaded archive says. It always runs in a thread of its own, so the server itself never loads the archive readers.
import { readAutomation } from '../../formats/automation.ts'
import { type FileContent, orRefused, type Refused } from './read-file.ts'

/** What an automation says, or what is wrong with it. */
export function readArchive(path: string): Promise<FileContent | Refused> {
  return orRefused(async () => {
    const { slug, name, description, version, meta, readme, files, permissions } = await readAutomation(path)
    return { slug, name, description, version, meta: { ...meta }, readme, contents: { files, permissions } }
  })
}
