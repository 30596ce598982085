// Skills: a folder with SKILL.md, as .zip or .tar.gz (behaviour.md, section 4).
import type { ArchiveEntry, ArchiveFile } from '../../archive-entry.ts'
import { archiveParts } from '../../archive-parts.ts'
import { changelogOf } from '../../changelog.ts'
import { textsOf } from '../../file-permissions.ts'
import { FormatError } from '../../format-error.ts'
import { assertMetaSize } from '../../item-text.ts'
import { isLicenseFile, LICENSE_TITLE_BYTES, licenseOf, licenseOfFile } from '../../license.ts'
import { namedItems } from '../../named-items.ts'
import { openWithFolder } from '../../open-archive.ts'
import { WantedTexts } from '../../permissions.ts'
import { decodeUtf8 } from '../../text.ts'
import { isVersion } from '../../version.ts'
import { Findings, type Warning } from '../../warning.ts'
import type { KindFormat } from '../kind-format.ts'
import { MAX_SKILL_BYTES, readSkill, SKILL_FILE, type Skill } from './frontmatter.ts'
import { isRead, PLAIN, skillPermissions } from './permissions.ts'
import { Digests, frontmatterValues, isServable } from './served.ts'

const CHANGELOG = 'CHANGELOG.md'
const MAX_CHANGELOG_BYTES = 1024 * 1024
/** What the specification recommends for SKILL.md. */
const RECOMMENDED_LINES = 500
/** So many scripts are in `meta`. */
const MAX_SCRIPTS = 200

const wanted = () => new WantedTexts((path) => !isRead(path))

export const format: KindFormat = {
  async read(path) {
    const { archive, packing, folder } = await openWithFolder(path)
    await using _ = archive
    const files = archive.entries.filter((entry) => !entry.isFolder)
    assertSizes(files)
    const digests = isServable(files) ? new Digests() : undefined
    const texts = await textsIn(archive, digests)
    const text = decodeUtf8(texts.get(SKILL_FILE) ?? Buffer.alloc(0))
    const skill = readSkill(text)
    const frontmatter = digests && frontmatterValues(text, skill)
    if (folder !== undefined && folder !== skill.name)
      throw new FormatError(`expected ${folder}, the name of the folder`, 'name')
    const version = versionOf(skill)
    const changelog = texts.get(CHANGELOG)?.toString('utf8')
    const meta = metaOf(skill, { packing, files, folder })
    assertMetaSize(meta)
    return {
      ...{ slug: skill.name, name: skill.name, description: skill.description, version, meta },
      readme: skill.body.trim() || null,
      contents: {
        files: files.map(({ path, size }) => ({ path, size, ...(digests && { sha256: digests.of(path) }) })),
        ...{ packing, permissions: null },
        ...(frontmatter && { frontmatter }),
      },
      warnings: warningsOf(skill, { files, folder, isServed: frontmatter !== undefined }),
      changelog: changelog === undefined || version === undefined ? null : changelogOf(changelog, version),
      license: licenseIn(skill, texts),
      names: namedItems(skill.metadata),
    }
  },
  async permissions(path) {
    const { archive } = await openWithFolder(path)
    await using _ = archive
    return skillPermissions(await textsOf(archive, wanted()))
  },
  async parts(path) {
    const { archive } = await openWithFolder(path)
    await using _ = archive
    return archiveParts(archive, skillPermissions, wanted())
  },
}

function assertSizes(files: readonly ArchiveEntry[]): void {
  const skill = files.find(({ path }) => path === SKILL_FILE)
  if (!skill) throw new FormatError('expected at the root of the archive, or of the one folder in it', SKILL_FILE)
  if (skill.size > MAX_SKILL_BYTES) throw new FormatError('expected at most 1 MiB', SKILL_FILE)
}

/** Reads all of the archive, hashes it, and keeps the few files that are read here. */
async function textsIn(archive: ArchiveFile, digests: Digests | undefined): Promise<Map<string, Buffer>> {
  const kept = new Map<string, Buffer[]>()
  await archive.inflate(({ path, size }) => {
    const isKept = path === SKILL_FILE || path === CHANGELOG || isLicenseFile(path)
    let room = isLicenseFile(path) ? LICENSE_TITLE_BYTES : Math.min(size, MAX_CHANGELOG_BYTES)
    const chunks: Buffer[] = []
    if (isKept) kept.set(path, chunks)
    return (chunk) => {
      digests?.add(path, chunk)
      if (!isKept || room <= 0) return
      chunks.push(Buffer.from(chunk.subarray(0, room)))
      room -= chunk.length
    }
  })
  return new Map([...kept].map(([path, chunks]) => [path, Buffer.concat(chunks)]))
}

/** `metadata.version`, where it is a semantic version. */
function versionOf({ metadata }: Skill): string | undefined {
  const version = metadata['version']
  return version !== undefined && isVersion(version) ? version : undefined
}

interface Packaging {
  files: readonly ArchiveEntry[]
  /** Around everything; installers that expect SKILL.md at the root take no such archive. */
  folder: string | undefined
}

const metaOf = (skill: Skill, { packing, files, folder }: Packaging & { packing: string }) => ({
  skill_name: skill.name,
  packing,
  ...(folder !== undefined && { folder }),
  allowed_tools: skill.allowedTools,
  scripts: files
    .map(({ path }) => path)
    .filter((path) => !PLAIN.test(path))
    .slice(0, MAX_SCRIPTS),
  compatibility: skill.compatibility ?? null,
  metadata: skill.metadata,
})

/** What the frontmatter says, or else what the first licence file that is clear says. */
function licenseIn({ license }: Skill, texts: ReadonlyMap<string, Buffer>): string | null {
  const said = licenseOf(license)
  if (said !== null && !/\.(?:txt|md)\b/i.test(said)) return said
  for (const [path, bytes] of texts) {
    const found = isLicenseFile(path) ? licenseOfFile(path, bytes.toString('utf8')) : null
    if (found) return found
  }
  return said
}

/** Fields that no agent has to read, too much text for one, and links to files that are not there. */
function warningsOf(
  { unknown, body }: Skill,
  { files, folder, isServed }: Packaging & { isServed: boolean },
): Warning[] {
  const findings = new Findings()
  if (!isServed)
    findings.add(
      [SKILL_FILE],
      'is not listed over MCP: hosts take at most 512 files, 16 MiB together and 4 MiB each, and only text in metadata ("1.2", not 1.2)',
    )
  if (folder !== undefined)
    findings.add(
      [SKILL_FILE],
      'is in a folder of the archive: pack what is in the folder, or `npx skills` leaves it out',
    )
  for (const field of unknown) findings.add([field], 'is no field of the format, so other agents do not read it')
  if (body.split('\n').length > RECOMMENDED_LINES)
    findings.add([SKILL_FILE], `has more than ${RECOMMENDED_LINES} lines: put details into files of references/`)
  const there = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]))
  for (const [, link = ''] of body.matchAll(/\]\(([\w./-]+)(?:#[^)\s]*)?\)/g)) {
    const path = link.replace(/^\.\/|\/$/g, '')
    if (!there.has(path)) findings.add([SKILL_FILE], `links to ${path}, which is not there`)
  }
  return findings.list
}

/** `a`, `a/b` of `a/b/c`. */
const foldersOf = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, at, folders) => folders.slice(0, at + 1).join('/'))
