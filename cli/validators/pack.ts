// Makes a package of a folder: a zip archive with CHECKSUMS, the same bytes for the same files.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { FormatError } from '../../src/formats/format-error.ts'
import { readSkill, SKILL_FILE } from '../../src/formats/kinds/skill/frontmatter.ts'
import { MANIFEST, readManifest } from '../../src/formats/manifest.ts'
import { decodeUtf8 } from '../../src/formats/text.ts'
import type { Packed } from '../src/linting.ts'

const CHECKSUMS = 'CHECKSUMS'
/** Beyond these no server takes it (docs/spec/formats.md), so the rest is not read. */
const MAX_FILES = 2_000
const MAX_BYTES = 50 * 1024 * 1024
/** The first moment that zip archives have. */
const EPOCH = new Date(1980, 0, 1)

/** The package of a folder with `automation.json`, or of one with `SKILL.md`. Files whose names begin with a dot, and other packages, are left out. */
export async function packFolder(folder: string): Promise<Packed> {
  const paths = (await filesIn(folder, '')).sort()
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const path of paths) {
    bytes += (await stat(join(folder, path))).size
    if (bytes > MAX_BYTES) throw new FormatError('expected at most 50 MiB of files')
    files.set(path, await readFile(join(folder, path)))
  }
  const filename = files.has(SKILL_FILE) ? skillName(folder, files) : automationName(files)
  const entries: Zippable = {}
  for (const [path, content] of files) entries[path] = [content, { mtime: EPOCH }]
  return { bytes: zipSync(entries, { level: 9 }), filename, files: [...files.keys()] }
}

/** With the checksums of what is in it. */
function automationName(files: Map<string, Buffer>): string {
  const manifest = files.get(MANIFEST)
  if (!manifest) throw new FormatError('expected in the folder', MANIFEST)
  const { id, version } = readManifest(manifest)
  files.set(CHECKSUMS, checksumsOf(files))
  return `${id}-${version}.mpkg`
}

/** The folder of a skill has its name (agentskills.io/specification). */
function skillName(folder: string, files: ReadonlyMap<string, Buffer>): string {
  const { name } = readSkill(decodeUtf8(files.get(SKILL_FILE) ?? Buffer.alloc(0)))
  const called = basename(resolve(folder))
  if (called !== name) throw new FormatError(`expected ${called}, the name of the folder`, 'name')
  return `${name}.zip`
}

function checksumsOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const lines = [...files].map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`)
  return Buffer.from(lines.join(''))
}

async function filesIn(folder: string, below: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name.endsWith('.mpkg') || path === CHECKSUMS) continue
    if (entry.isDirectory()) found.push(...(await filesIn(folder, path)))
    else if (entry.isFile()) found.push(path)
    else throw new FormatError('expected a plain file or folder, not a link or a device', path)
    if (found.length >= MAX_FILES) throw new FormatError('expected at most 2,000 files')
  }
  return found
}

/** Gives `work` the path of a file with these bytes, which is removed afterwards. */
export async function withTemporaryFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-'))
  try {
    const path = join(folder, 'package.mpkg')
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
