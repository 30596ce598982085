// Checks a copy that `mirror` made, without its server: that the log makes the tree of its checkpoint, and that every version in it is the
// file of its proof.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isCode } from '../../client/src/turns.ts'
import { type ProofBundle, verifyBundle } from '../../client/src/verify.ts'
import { VerifyError } from '../../client/src/verify-error.ts'
import { itemKinds, listNameOf } from '../../src/contract/item-kinds.ts'
import { isVersion } from '../../src/formats/version.ts'
import { hashOf } from './hash.ts'
import { type ItemName, keptName, nameText, readName } from './home.ts'
import { checkLogCopy, type LogState, readEntry } from './mirror-log.ts'

/** Something in a copy that is not what it should be. */
export interface Broken {
  /** `kind/slug`; undefined for the log. */
  name?: string
  version?: string
  reason: string
}

export interface CopyCheck {
  /** Versions that were looked at. */
  versions: number
  broken: Broken[]
}

interface Copy {
  folder: string
  log: LogState
}

/** The folder of an item in a copy. */
export const itemFolder = (folder: string, { kind, slug }: ItemName): string => join(folder, listNameOf(kind), slug)

/** The file of a version in a copy. What a server or a copy names becomes a path only if it is a version. */
export function versionFile(folder: string, name: ItemName, version: string): string {
  if (!isVersion(version)) throw new VerifyError('malformed', `A version of ${nameText(name)} is none`)
  return join(itemFolder(folder, name), version, keptName(name))
}

/** Looks at everything in a copy. */
export async function checkCopy(copy: Copy): Promise<CopyCheck> {
  const broken: Broken[] = []
  const look = async (what: Omit<Broken, 'reason'>, check: () => Promise<unknown>) => {
    const reason = await check().then(() => undefined, reasonOf)
    if (reason !== undefined) broken.push({ ...what, reason })
  }
  await look({}, () => checkLogCopy(copy.folder, copy.log))
  let versions = 0
  for (const item of await itemsIn(copy.folder)) {
    const name = nameText(item)
    let wanted: string[] = []
    await look({ name }, async () => {
      wanted = await versionsOf(copy.folder, item)
    })
    for (const version of wanted) {
      versions++
      await look({ name, version }, () => checkVersion(copy, item, version))
    }
  }
  return { versions, broken }
}

/** What is doubted, and what cannot be read, is broken; what is known of neither is an error. */
function reasonOf(error: unknown): string {
  if (error instanceof VerifyError || error instanceof SyntaxError || error instanceof TypeError) return error.message
  if (isCode(error, 'ENOENT')) return `${(error as NodeJS.ErrnoException).path} is not there`
  throw error
}

async function itemsIn(folder: string): Promise<ItemName[]> {
  const items: ItemName[] = []
  for (const kind of itemKinds) {
    const slugs = await readdir(join(folder, listNameOf(kind))).catch(() => [] as string[])
    for (const slug of slugs.sort()) {
      const name = readName(`${kind}/${slug}`)
      if (name) items.push(name)
    }
  }
  return items
}

/** Versions that the copy says it has, and those that are there. */
async function versionsOf(folder: string, item: ItemName): Promise<string[]> {
  const path = itemFolder(folder, item)
  const { versions } = JSON.parse(await readFile(join(path, 'item.json'), 'utf8')) as {
    versions: { version: string }[]
  }
  const folders = (await readdir(path, { withFileTypes: true })).filter((one) => one.isDirectory())
  return [...new Set([...versions.map(({ version }) => version), ...folders.map((one) => one.name)])].sort()
}

async function checkVersion({ folder, log }: Copy, item: ItemName, version: string): Promise<void> {
  const path = versionFile(folder, item, version)
  const bundle = JSON.parse(await readFile(join(path, '../proof.json'), 'utf8')) as ProofBundle
  const sha256 = await hashOf(path)
  if (sha256 === undefined) throw new VerifyError('artifact', `${path} is not there`)
  const { index } = await verifyBundle({ ...bundle, name: nameText(item), version }, { sha256, key: log.key })
  if (index < log.size && (await readEntry(folder, index)) !== bundle.entry)
    throw new VerifyError('inclusion', `The copy of the log has something else as entry ${index}`)
}
