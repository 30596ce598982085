// What ID tokens of CIs say, by the two kinds of them: GitHub Actions and what follows it, and GitLab CI. Runs that others can start with
// their own code, such as those for pull requests of forks, publish nothing.
// GitHub: docs.github.com/actions/reference/openid-connect-reference; GitLab: docs.gitlab.com/ci/secrets/id_token_authentication
import { z } from 'zod'
import { GITHUB_ISSUER } from '../../contract/own-clients.ts'
import type { CiRun } from '../../identity/ci-run.ts'

/** Longer than any of a real token. */
const MAX_CLAIM = 1_000
const text = z.string().min(1).max(MAX_CLAIM)
/** Ids are texts at GitHub and GitLab, and numbers in older versions of others. */
const id = z.union([text, z.int().transform(String)])

const GitHubClaims = z.object({
  repository: text,
  repository_id: id,
  repository_owner_id: id,
  ref: text,
  sha: text,
  /** `owner/name/.github/workflows/file.yml@ref`: the workflow that was started, not one that it calls. */
  workflow_ref: text,
  event_name: text,
  run_id: id,
  run_attempt: id.optional(),
  environment: text.optional(),
})

const GitLabClaims = z.object({
  project_path: text,
  project_id: id,
  namespace_id: id,
  ref_path: text,
  sha: text,
  /** `gitlab.com/group/project//.gitlab-ci.yml@refs/heads/main` */
  ci_config_ref_uri: text,
  pipeline_source: text,
  pipeline_id: id,
  job_id: id,
  environment: text.optional(),
})

/** A token that is genuine and says something that is not let. */
export class RunRefusal extends Error {}

/**
 * What starts a run with what is in the repository itself. `pull_request_target` and `workflow_run` run there too, and are started by
 * anybody who forks it: what they check out may be theirs.
 */
const GITHUB_EVENTS: readonly string[] = [
  ...['push', 'release', 'create', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'deployment', 'merge_group'],
]
const GITLAB_SOURCES: readonly string[] = ['push', 'web', 'schedule', 'api', 'trigger', 'pipeline', 'chat']

function requireOwn(name: string, event: string, own: readonly string[]): void {
  if (own.includes(event)) return
  throw new RunRefusal(`a run that was started by ${event} publishes nothing (${name}); use one of ${own.join(', ')}`)
}

/** Where people look at what an issuer names. */
const siteOf = (issuer: string): string => (issuer === GITHUB_ISSUER ? 'https://github.com' : new URL(issuer).origin)

/** The path and the ref of `prefix` + `path@ref`; throws for another one. */
function fileIn(name: string, value: string, prefix: string): { workflow: string; ref: string } {
  const at = value.lastIndexOf('@')
  if (!value.toLowerCase().startsWith(prefix.toLowerCase()) || at <= prefix.length)
    throw new RunRefusal(`${name} is ${value}, which is no file of ${prefix}`)
  return { workflow: value.slice(prefix.length, at), ref: value.slice(at + 1) }
}

function gitHubRun(issuer: string, given: unknown): CiRun {
  const claims = GitHubClaims.parse(given)
  requireOwn('event_name', claims.event_name, GITHUB_EVENTS)
  const { repository, ref } = claims
  const file = fileIn('workflow_ref', claims.workflow_ref, `${repository}/`)
  if (file.ref !== ref) throw new RunRefusal(`workflow_ref is of ${file.ref}, and the run of ${ref}`)
  const repositoryUrl = `${siteOf(issuer)}/${repository}`
  const attempt = claims.run_attempt === undefined ? '' : `/attempts/${claims.run_attempt}`
  return {
    ...{ issuer, repository, workflow: file.workflow, ref, environment: claims.environment ?? null },
    ...{ repositoryId: claims.repository_id, repositoryOwnerId: claims.repository_owner_id, commit: claims.sha },
    ...{ repositoryUrl, runUrl: `${repositoryUrl}/actions/runs/${claims.run_id}${attempt}` },
  }
}

function gitLabRun(issuer: string, given: unknown): CiRun {
  const claims = GitLabClaims.parse(given)
  requireOwn('pipeline_source', claims.pipeline_source, GITLAB_SOURCES)
  const { project_path: repository, ref_path: ref } = claims
  const file = fileIn('ci_config_ref_uri', claims.ci_config_ref_uri, `${new URL(issuer).host}/${repository}//`)
  if (file.ref !== ref) throw new RunRefusal(`ci_config_ref_uri is of ${file.ref}, and the run of ${ref}`)
  const repositoryUrl = `${siteOf(issuer)}/${repository}`
  return {
    ...{ issuer, repository, workflow: file.workflow, ref, environment: claims.environment ?? null },
    ...{ repositoryId: claims.project_id, repositoryOwnerId: claims.namespace_id, commit: claims.sha },
    ...{ repositoryUrl, runUrl: `${repositoryUrl}/-/jobs/${claims.job_id}` },
  }
}

/** The run that the claims of a verified token describe; throws `RunRefusal` for one that publishes nothing. */
export function runOf(issuer: string, claims: Readonly<Record<string, unknown>>): CiRun {
  try {
    return (issuer !== GITHUB_ISSUER && 'project_path' in claims ? gitLabRun : gitHubRun)(issuer, claims)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new RunRefusal(
      `the token lacks what it must say: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`,
    )
  }
}
