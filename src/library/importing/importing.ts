// Files of a folder as items of the library, for the operator: by the way of every publication, with its checks and its scan, but without the
// budgets of an account, and no one gets a notification.
import { workerFor } from '../../budgets/work.ts'
import { noBudget } from '../../budgets/writes.ts'
import { slugOf } from '../../content/slug-queries.ts'
import type { UploadedFile } from '../../contract/files.ts'
import { Problem } from '../../contract/problem.ts'
import { findUserByUsername } from '../../identity/account-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import type { Caller, Context, Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { addItem, changeItem } from '../changing/changes.ts'
import { closingBy } from '../closing/closing.ts'
import { newPermissionsOf } from '../comparing/permissions.ts'
import { readFileOf } from '../files/file.ts'
import { holding } from '../holders/holding.ts'
import { findItem } from '../items/queries.ts'
import { findVersionOf } from '../items/version-queries.ts'
import { showing } from '../listing/showing.ts'
import { publishingHandlers } from '../publishing/handlers.ts'
import { prepareSteps } from '../publishing/steps.ts'
import { findOwn } from './queries.ts'

const LOCAL = '127.0.0.1'

/** What is published: a packed skill, or a workflow. */
export interface ItemFile {
  kind: 'skill' | 'workflow'
  bytes: Uint8Array
}

export interface ItemImport {
  owner: Caller
  visibility: 'private' | 'public'
  /** Nothing is published. */
  isTried: boolean
  /** Names of this run: what says no name that is its own may come twice. */
  names: Set<string>
}

/** What became, or would become, of one file. */
export type ItemOutcome =
  | { outcome: 'new' | 'next'; name: string; version?: string; warnings: readonly string[] }
  | { outcome: 'same'; name: string; version: string }
  | { outcome: 'left out'; reason: string }

const nothing = async () => {}

/** Publishing as everybody does, but that no one hears of it and no upload is counted. */
const quiet = publishingHandlers({
  ...{ readFile: readFileOf, prepareSteps, addItem, changeItem, newPermissionsOf, teams: holding },
  closing: closingBy([]),
  showing: {
    ...showing,
    tellingOf: (context, db, texts) => showing.tellingOf(context, db, { ...texts, tell: nothing }),
  },
  tellVersion: nothing,
  uploads: { assertRoom: async () => undefined, countUpload: nothing },
})

/** The account that items are published as; throws `not_found`, or `blocked` where it may publish nothing. */
export async function publisherOf({ db }: Pick<Dependencies, 'db'>, username: string): Promise<Caller> {
  const user = await findUserByUsername(db, username)
  if (!user) throw new Problem('not_found', `There is no account ${username}`)
  if (user.blockedAt !== null || user.deletionAt !== null) throw new Problem('blocked', 'This account is blocked')
  return callerOf({ ...user, externalGroups: null }, { session: '' })
}

const filed = {
  skill: { filename: 'skill.zip', mimeType: 'application/zip' },
  workflow: { filename: 'workflow.json', mimeType: 'application/json' },
} as const

/** Publishes a file as an item of its owner, or as the next version of that item; what is the same stays as it is. */
export async function importItem(
  dependencies: Dependencies,
  { kind, bytes }: ItemFile,
  wanted: ItemImport,
): Promise<ItemOutcome> {
  const { artifacts } = dependencies.blobs
  const staged = await artifacts.stage(piecesOf(bytes), { maxBytes: bytes.length })
  try {
    return await importFile(
      contextFor(dependencies, wanted.owner),
      { kind, file: { ...staged, ...filed[kind] } },
      wanted,
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { outcome: 'left out', reason: error.message }
  } finally {
    await artifacts.discard(staged)
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

interface StagedItem {
  kind: ItemFile['kind']
  file: UploadedFile
}

async function importFile(
  context: Context<Caller>,
  { kind, file }: StagedItem,
  { owner, visibility, isTried, names }: ItemImport,
): Promise<ItemOutcome> {
  const { db } = context
  const { slug, name: title } = await readFileOf(kind, file, context.worker())
  const name = slug ?? slugOf(title)
  if (names.has(name)) return { outcome: 'left out', reason: `the name ${name} is there twice` }
  names.add(name)
  const found =
    slug === undefined ? await findOwn(db, { kind, base: name, ownerId: owner.id }) : await findItem(db, { kind, slug })
  if (found && slug !== undefined && (found.slug !== slug || found.ownerId !== owner.id))
    return { outcome: 'left out', reason: `the name ${name} belongs to another item` }
  const same = found && (await findVersionOf(db, { itemId: found.id, sha256: file.sha256 }))
  if (same) return { outcome: 'same', name, version: same.version }
  const outcome = found ? 'next' : 'new'
  if (isTried) return { outcome, name, warnings: [] }
  const files = { file: [file] as [UploadedFile] }
  const published = found
    ? await quiet.publishVersion(context, { id: found.id }, async () => ({ fields: {}, files }))
    : await quiet.publish(context, {}, async () => ({ fields: { kind, visibility }, files }))
  return {
    outcome,
    name,
    version: published.version,
    warnings: (published.warnings ?? []).map(({ message }) => message),
  }
}

/** A call of the owner that no transport brought. */
function contextFor(dependencies: Dependencies, caller: Caller): Context<Caller> {
  const { db, clock, config } = dependencies
  const now = timestamp(clock.now())
  const request = { method: 'POST', url: `${config.baseUrl}/api/library/items`, headers: new Headers() }
  return {
    ...dependencies,
    ...{ caller, now, sentAt: now, isAgreedTo: true, address: LOCAL, budget: noBudget, apart: db, always: db },
    worker: workerFor({ config: { ...config, rateLimits: false }, db }, { caller, address: LOCAL, now }),
    afterCommit: async (work) => void (await work()),
    ...{ request, reply: new Headers(), sessionToken: undefined },
    userAgent: () => null,
    cookie: () => undefined,
    requireCaller: () => caller,
    mayGoOn: async () => true,
  }
}
