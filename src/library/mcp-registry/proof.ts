// Whether the name of an MCP server was proven. `io.github.<owner>/*` is proven by a run of GitHub Actions in a repository of that owner, which
// published the version by trusted publishing: the ID token of the run says whose repository it is.
import { GITHUB_ISSUER } from '../../contract/trusted-publishing.ts'
import type { CiRun } from '../../identity/ci-run.ts'
import { readPayload } from '../statements/statement.ts'

const GITHUB_NAME = /^io\.github\.([a-z\d](?:-?[a-z\d]){0,38})\/[^/]+$/i

type Repository = Pick<CiRun, 'issuer' | 'repositoryUrl'>

/** Whether a run of this repository proves a name. GitHub's own issuer alone speaks for accounts of github.com. */
export function provesName(name: string, { issuer, repositoryUrl }: Repository): boolean {
  const owner = GITHUB_NAME.exec(name)?.[1]
  if (owner === undefined || issuer !== GITHUB_ISSUER) return false
  return repositoryUrl.toLowerCase().startsWith(`https://github.com/${owner.toLowerCase()}/`)
}

/** The same by what was stated about a version when it was published; null for one without a statement. */
export function isProvenName(name: string, payload: string | null): boolean {
  const provenance = payload === null ? undefined : readPayload(payload).provenance
  if (!provenance) return false
  const { runDetails, buildDefinition } = provenance
  const { repository } = buildDefinition.externalParameters.workflow
  return provesName(name, { issuer: runDetails.builder.id, repositoryUrl: repository })
}
