// Where else an installed item goes beside its file: the folders that agents read skills from, and their configuration. What is put there is what the file has in it;
// guildhall.lock says where, so that `update` and `remove` find it.
import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Context } from './command.ts'
import { isProject } from './home.ts'
import { itemFiles } from './item-files.ts'
import { mcpPlaces, mcpRemovals } from './mcp-places.ts'
import { nowhere, type Place, type PlaceRequest, type PlaceStep, type Places, skillFolders } from './places.ts'
import { UsageError } from './usage.ts'

/** The folder that places are below. */
const baseOf = ({ environment }: Context, home: string): string =>
  isProject(home) ? home : (environment['HOME'] ?? homedir())

/** Where a version goes, and what is there now. Nothing is changed yet. */
export async function placesOf(
  context: Context,
  step: PlaceStep,
  { home, asked }: { home: string; asked: PlaceRequest },
): Promise<Places> {
  const base = baseOf(context, home)
  if (step.target.kind === 'mcp-server') return mcpPlaces(context, step, { base, asked })
  if (step.target.kind !== 'skill') return nowhere
  const { readSkillFiles } = await itemFiles()
  const skill = await readSkillFiles(step.file)
  const former = step.before === undefined ? undefined : await readSkillFiles(step.before)
  const folders = askedFolders(context, base, asked)?.map((folder) => `${folder}/${skill.name}`)
  const kept = step.entry?.folders ?? []
  const wanted = folders ? [...new Set([...kept, ...folders])] : kept.length > 0 ? kept : await usual(base, skill.name)
  const list = wanted.map(async (folder): Promise<Place> => {
    const path = join(base, folder)
    const isSame = await hasExactly(path, skill.files)
    const isOurs = isSame || (former !== undefined && kept.includes(folder) && (await hasExactly(path, former.files)))
    const lost = isOurs || !(await isThere(path)) ? [] : [path]
    return { lost, change: async () => void (isSame || (await put(path, skill.files))) }
  })
  return { list: await Promise.all(list), locked: { folders: [...wanted].sort() } }
}

/** What an item has beside its file, as the lock has it: to be taken away. */
export async function placedBy(
  context: Context,
  { target, entry, before }: Omit<PlaceStep, 'file'>,
  home: string,
): Promise<Place[]> {
  const base = baseOf(context, home)
  if (target.kind === 'mcp-server') return mcpRemovals(context, { target, entry, before }, base)
  if (target.kind !== 'skill' || !entry?.folders) return []
  const { readSkillFiles } = await itemFiles()
  const former = before === undefined ? undefined : await readSkillFiles(before)
  return Promise.all(
    entry.folders.map(async (folder) => {
      const path = join(base, folder)
      const isOurs = !(await isThere(path)) || (former !== undefined && (await hasExactly(path, former.files)))
      return { lost: isOurs ? [] : [path], change: () => takeAway(path) }
    }),
  )
}

/** Below the base, with `/`; undefined where nothing is asked for. */
function askedFolders(context: Context, base: string, { agents: named, dir }: PlaceRequest): string[] | undefined {
  if (named === undefined && dir === undefined) return undefined
  const folders: string[] = (named ?? []).map((agent) => skillFolders[agent])
  if (dir !== undefined) {
    const below = relative(base, resolve(context.folder, dir))
    if (below.startsWith('..') || isAbsolute(below)) throw new UsageError(`--dir is a folder in ${base}`)
    folders.push(below.split(sep).join('/') || '.')
  }
  return folders
}

/** The folders of agents that are used here; without any, that of the first one. */
async function usual(base: string, name: string): Promise<string[]> {
  const used: string[] = []
  for (const folder of Object.values(skillFolders))
    if (await isThere(join(base, folder))) used.push(`${folder}/${name}`)
  return used.length > 0 ? used : [`${skillFolders.claude}/${name}`]
}

const isThere = async (path: string) => (await lstat(path).catch(() => undefined)) !== undefined

type Files = ReadonlyMap<string, Uint8Array>

/** Whether a folder has these files and nothing else. */
async function hasExactly(folder: string, files: Files): Promise<boolean> {
  const found = await filesIn(folder)
  if (!found || found.length !== files.size) return false
  for (const path of found) {
    const wanted = files.get(path)
    if (!wanted || !(await readFile(join(folder, path))).equals(wanted)) return false
  }
  return true
}

/** The paths of the files in a folder; undefined for what is no folder, or has anything else in it. */
async function filesIn(folder: string, below = ''): Promise<string[] | undefined> {
  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return undefined
  const found: string[] = []
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (!entry.isFile() && !entry.isDirectory()) return undefined
    const inner = entry.isDirectory() ? await filesIn(folder, path) : [path]
    if (!inner) return undefined
    found.push(...inner)
  }
  return found
}

/** A whole folder takes the place of what is there: nobody sees a part of it. */
async function put(path: string, files: Files): Promise<void> {
  const draft = join(dirname(path), `.${randomUUID()}.new`)
  try {
    for (const [name, bytes] of files) {
      const file = join(draft, name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, bytes, { flag: 'wx' })
      // A script that says what runs it.
      if (bytes[0] === 0x23 && bytes[1] === 0x21) await chmod(file, 0o755)
    }
    await takeAway(path)
    await mkdir(dirname(path), { recursive: true })
    await rename(draft, path)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function takeAway(path: string): Promise<void> {
  const former = join(dirname(path), `.${randomUUID()}.old`)
  if (await isThere(path)) {
    await rename(path, former)
    await rm(former, { recursive: true, force: true })
  }
  // Only an empty folder goes.
  await rmdir(dirname(path)).catch(() => undefined)
}
