// `npm run admin -- import skills` and `import n8n --owner`: what lies in a folder becomes items of the library.
import { stat } from 'node:fs/promises'
import { oneLine } from '../contract/storable.ts'
import { type ItemFile, type ItemOutcome, importItem, publisherOf } from '../library/importing/importing.ts'
import { systemClock } from '../runtime/clock.ts'
import { openLog } from '../runtime/log.ts'
import { StorageHealth } from '../runtime/outage.ts'
import { PASSWORD_COST } from '../runtime/password-hash.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import type { Call } from './command.ts'
import { skillFoldersIn } from './skill-folders.ts'
import { type AccountParts, withAccounts } from './with-accounts.ts'

/** Something that is to be an item, or the reason why it cannot be one. */
export type FolderItem = { folder: string; hidden: number } & (ItemFile | { reason: string })
type Reported = Pick<FolderItem, 'folder' | 'hidden'> & ItemOutcome

/** Publishes each skill of a folder, or says what would be. */
export async function importSkills(call: Call): Promise<number> {
  const { parameters, options, output } = call
  const [, folder = ''] = parameters
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder || parameters.length !== 2 || typeof options['owner'] !== 'string') {
    output.complain('Name one folder with skills, and the account that is to own them: --owner NAME.')
    return 1
  }
  return importItems(call, skillsIn(folder), 'There is no SKILL.md in the folder.')
}

async function* skillsIn(root: string): AsyncIterable<FolderItem> {
  for await (const { path, hidden, ...one } of skillFoldersIn(root)) {
    yield { folder: path, hidden, ...('bytes' in one ? { kind: 'skill' as const, ...one } : one) }
  }
}

/** Publishes them as items of the account that the command names, or says what would be. */
export async function importItems(
  { options, settings, output }: Call,
  found: AsyncIterable<FolderItem>,
  none: string,
): Promise<number> {
  const isTried = options['dry-run'] === true
  const username = String(options['owner'])
  const items = await withAccounts(settings(), (parts) =>
    published(parts, { found, username, isTried, isPublic: options['public'] === true }),
  )
  output.result({ items, written: !isTried }, (items.length > 0 ? linesOf(items, isTried) : [none]).join('\n'))
  return 0
}

interface FolderRequest {
  found: AsyncIterable<FolderItem>
  username: string
  isTried: boolean
  isPublic: boolean
}

async function published(
  parts: AccountParts,
  { found, username, isTried, isPublic }: FolderRequest,
): Promise<Reported[]> {
  const log = openLog(parts.config.logLevel)
  const blobs = await openBlobs(parts.config.blobUrl)
  const more = { blobs, log, clock: systemClock, health: new StorageHealth(log), passwordCost: PASSWORD_COST }
  const dependencies = { ...parts, ...more }
  try {
    const owner = await publisherOf(dependencies, username)
    const visibility = isPublic ? ('public' as const) : ('private' as const)
    const wanted = { owner, isTried, visibility, names: new Set<string>() }
    const items: Reported[] = []
    for await (const { folder, hidden, ...one } of found) {
      const became: ItemOutcome =
        'bytes' in one ? await importItem(dependencies, one, wanted) : { outcome: 'left out', reason: one.reason }
      items.push({ folder, hidden, ...became })
    }
    return items
  } finally {
    blobs.close()
  }
}

function linesOf(items: readonly Reported[], isTried: boolean): string[] {
  const lines = items.map(({ folder, hidden, ...became }) => {
    const hiding = hidden > 0 ? `; ${hidden} hidden or of packages left out` : ''
    return `${became.outcome.padEnd(9)} ${oneLine(folder)}: ${wordsOf(became)}${hiding}`
  })
  return isTried ? [...lines, 'Nothing is written yet.'] : lines
}

const wordsOf = (became: ItemOutcome): string =>
  became.outcome === 'left out'
    ? oneLine(became.reason)
    : [became.name, became.version, ...('warnings' in became ? became.warnings : [])].filter(Boolean).join(' ')
