// All files of a skill, to be put into a folder that agents read.
import { contentOf } from '../../file-permissions.ts'
import { FormatError } from '../../format-error.ts'
import { openWithFolder } from '../../open-archive.ts'
import { readSkill, SKILL_FILE } from './frontmatter.ts'

/**
 * Reads a skill from disk.
 *
 * @returns its name, which is that of its folder, and the bytes of its files by their paths
 * @throws FormatError for what is no skill
 */
export async function readSkillFiles(path: string): Promise<{ name: string; files: Map<string, Uint8Array> }> {
  const { archive } = await openWithFolder(path)
  await using _ = archive
  const files = new Map<string, Uint8Array>()
  for (const entry of archive.entries) if (!entry.isFolder) files.set(entry.path, await contentOf(archive, entry))
  const text = files.get(SKILL_FILE)
  if (!text) throw new FormatError('expected in the archive', SKILL_FILE)
  return { name: readSkill(new TextDecoder().decode(text)).name, files }
}
