// Which runs of a CI a publisher lets publish, without touching the world.

import { GITHUB_ISSUER } from '../../contract/own-clients.ts'
import type { TrustedPublisherTable } from '../../database/schema.ts'
import type { CiIdentity, CiRun } from '../../identity/ci-run.ts'

export const MAX_OF_ITEM = 10
export const MAX_OF_ACCOUNT = 50

type NamedIdentity = Pick<TrustedPublisherTable, 'issuer' | 'repository' | 'workflow' | 'ref' | 'environment'>

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Names of repositories and environments have no case at their issuers; refs and paths have. */
export const lets = (named: NamedIdentity, run: CiIdentity): boolean =>
  named.issuer === run.issuer &&
  same(named.repository, run.repository) &&
  named.workflow === run.workflow &&
  (named.ref === null || isRef(named.ref, run.ref)) &&
  (named.environment === null || (run.environment !== null && same(named.environment, run.environment)))

const isRef = (named: string, ref: string): boolean =>
  named.endsWith('*') ? ref.startsWith(named.slice(0, -1)) : named === ref

/** Whether a repository is the one that published first, by its ids at the issuer. */
export const isPinned = (
  { repositoryId, repositoryOwnerId }: Pick<TrustedPublisherTable, 'repositoryId' | 'repositoryOwnerId'>,
  run: Pick<CiRun, 'repositoryId' | 'repositoryOwnerId'>,
): boolean =>
  [null, run.repositoryId].includes(repositoryId) && [null, run.repositoryOwnerId].includes(repositoryOwnerId)

/** A branch by its name is a full ref. */
export const fullRef = (given: string | undefined): string | null =>
  given === undefined ? null : given.startsWith('refs/') ? given : `refs/heads/${given}`

/** A file of GitHub Actions by its name alone is in the folder of workflows. */
export const workflowPath = (issuer: string, given: string): string =>
  issuer === GITHUB_ISSUER && !given.includes('/') ? `.github/workflows/${given}` : given
