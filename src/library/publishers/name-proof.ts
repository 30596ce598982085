// Whether the name of an MCP server was proven. `io.github.<owner>/*` is proven by a run of GitHub Actions in a repository of that owner, which
// published the version by trusted publishing: the ID token of the run says whose repository it is. Other names are proven by their domains,
// which is not kept with an item (library/name-domains).
import { GITHUB_ISSUER } from '../../contract/trusted-publishing.ts'
import type { Db } from '../../database/schema.ts'
import type { FileContent } from '../../formats/file-content.ts'
import type { CiRun } from '../../identity/ci-run.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { findStatement } from '../statements/queries.ts'
import { readPayload } from '../statements/statement.ts'
import { runOf } from './letting.ts'

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
