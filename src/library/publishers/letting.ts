// Which account lets a run of a CI publish an item, for the authorization server; and what a token of such a run may publish or prove.
import { GITHUB_ISSUER, PUBLISHING_CLIENT } from '../../contract/own-clients.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import type { FileContent } from '../../formats/file-content.ts'
import type { CiRun, TrustedPublishers } from '../../identity/ci-run.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Step } from '../changing/step.ts'
import { type Kind, kinds } from '../items/item-contract.ts'
import { findItem } from '../items/queries.ts'
import { isOwner } from '../items/rules.ts'
import { withRoles } from '../records/record.ts'
import { findStatement } from '../statements/queries.ts'
import { readPayload } from '../statements/statement.ts'
import {
  findPublishing,
  insertPublishingGrant,
  linkPublishers,
  listLetting,
  lockPublisher,
  type Publisher,
  updateUse,
} from './queries.ts'
import { isPinned, lets } from './rules.ts'

// Whether the name of an MCP server was proven. `io.github.<owner>/*` is proven by a run of GitHub Actions in a repository of that owner, which
// published the version by trusted publishing: the ID token of the run says whose repository it is. Other names are proven by their domains,
// which is not kept with an item (library/name-domains).

const GITHUB_NAME = /^io\.github\.([a-z\d](?:-?[a-z\d]){0,38})\/[^/]+$/i

type Repository = Pick<CiRun, 'issuer' | 'repositoryUrl'>

/** Whether a run of this repository proves a name. GitHub's own issuer alone speaks for accounts of github.com. */
export function provesName(name: string, { issuer, repositoryUrl }: Repository): boolean {
  const owner = GITHUB_NAME.exec(name)?.[1]
  if (owner === undefined || issuer !== GITHUB_ISSUER) return false
  return repositoryUrl.toLowerCase().startsWith(`https://github.com/${owner.toLowerCase()}/`)
}

/** The repository that a version was published from, by what was stated about it; undefined where that was no run. */
function repositoryIn(payload: string | null): Repository | undefined {
  const provenance = payload === null ? undefined : readPayload(payload).provenance
  if (!provenance) return undefined
  const { runDetails, buildDefinition } = provenance
  const { repository: repositoryUrl } = buildDefinition.externalParameters.workflow
  return { issuer: runDetails.builder.id, repositoryUrl }
}

/** Whether a version with this statement proves a name; null for one without a statement. */
export function isProvenName(name: string, payload: string | null): boolean {
  const repository = repositoryIn(payload)
  return repository !== undefined && provesName(name, repository)
}

type Meta = Record<string, unknown>

const proven = (meta: Meta, repository: Repository | undefined): Meta => {
  const name = meta['server_name']
  if (typeof name !== 'string' || !('verified' in meta)) return meta
  return { ...meta, verified: repository !== undefined && provesName(name, repository) }
}

/** What a file says that is being published, with `verified` where who publishes it proves its name. */
export async function withProof(
  { db, caller }: Pick<Context<Caller>, 'db' | 'caller'>,
  content: FileContent,
): Promise<FileContent> {
  return 'verified' in content.meta ? { ...content, meta: proven(content.meta, await runOf(db, caller)) } : content
}

/** The same for a version that was published before. */
export async function withStatedProof(
  db: Db,
  of: { itemId: string; version: string },
  content: FileContent,
): Promise<FileContent> {
  if (!('verified' in content.meta)) return content
  const statement = await findStatement(db, of)
  return { ...content, meta: proven(content.meta, repositoryIn(statement?.payload ?? null)) }
}

const isKind = (name: string): name is Kind => kinds.some((kind) => kind === name)

/** Those that may still be used: of an item those of accounts that publish it by themselves. */
async function listGood(db: Db, { kind, slug }: { kind: string; slug: string }): Promise<Publisher[]> {
  const item = isKind(kind) ? await findItem(db, { kind, slug }) : undefined
  if (!item) return listLetting(db, { kind, slug })
  if (item.gallery) return []
  const good: Publisher[] = []
  for (const publisher of await listLetting(db, { itemId: item.id })) {
    const account = { id: publisher.accountId }
    const [seen] = await withRoles<typeof item>(db, account, [item])
    if (seen && (isOwner(account, seen) || ('role' in seen && seen.role === 'maintainer'))) good.push(publisher)
  }
  return good
}

export const trustedPublishers: TrustedPublishers = {
  async find(db, { kind, slug, publisherId, run }) {
    const all = (await listGood(db, { kind, slug })).filter((publisher) => lets(publisher, run))
    const named = publisherId === undefined ? all : all.filter(({ id }) => id === publisherId)
    // A name that is not taken is of no account yet: another one can have named it too.
    if (named.some(({ itemId }) => itemId === null) && new Set(named.map(({ accountId }) => accountId)).size > 1)
      return 'several'
    return named.find((publisher) => isPinned(publisher, run)) ?? named[0]
  },

  async use(db, { id }, { grantId, run, now }) {
    if (!(await updateUse(db, id, { run, now }))) return false
    await insertPublishingGrant(db, { grantId, publisherId: id, run: JSON.stringify(run) })
    return true
  },
}

/** The grant of a caller whose token is of a run; undefined for every other caller. */
const grantOf = ({ via }: Caller): string | undefined =>
  'clientId' in via && via.clientId === PUBLISHING_CLIENT ? (via.grantId ?? '') : undefined

/** The run behind a caller; undefined for a person or another program. */
export async function runOf(db: Db, caller: Caller): Promise<CiRun | undefined> {
  const grantId = grantOf(caller)
  const found = grantId === undefined ? undefined : await findPublishing(db, grantId)
  return found && parseJson<CiRun>(found.run)
}

const another = ({ kind, slug }: Pick<Publisher, 'kind' | 'slug'>) =>
  new Problem('outside_bounds', `This token publishes ${kind}/${slug} alone`)

/**
 * A token of a run publishes its item alone: that of its publisher, or what gets the name that this one waits for. What an account publishes
 * under such a name by itself gets its publishers as well.
 */
export const publishesItsItem: Step = async ({ db, caller }, { kind, item }) => {
  const grantId = grantOf(caller)
  if (grantId === undefined) {
    return async (transaction, { item: { id: itemId, slug } }) => {
      if (!item) await linkPublishers(transaction, { accountId: caller.id, kind, slug, itemId })
    }
  }
  const seen = await findPublishing(db, grantId)
  if (!seen) throw new Problem('outside_bounds', 'The access of this run has ended')
  if (item ? seen.itemId !== item.id : seen.itemId !== null || seen.kind !== kind) throw another(seen)
  return async (transaction, { item: published }) => {
    const publisher = await lockPublisher(transaction, seen.id)
    if (!publisher) throw another(seen)
    if (publisher.itemId === published.id) return
    const isItsName = publisher.kind === published.kind && publisher.slug === published.slug
    if (publisher.itemId !== null || item || !isItsName) throw another(publisher)
    const { accountId, slug } = publisher
    await linkPublishers(transaction, { accountId, kind, slug, itemId: published.id })
  }
}
