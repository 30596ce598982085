// Where a version was built: what a statement says of the run of a CI that published it, as SLSA Provenance v1 has it
// (slsa.dev/spec/v1.0/provenance). The server vouches for what the ID token of the run said, and not for how the file was made.
import type { CiRun } from '../../identity/ci-run.ts'

/** What the parameters below are (behaviour.md, section 4). */
export const BUILD_TYPE = 'urn:guildhall:ci-run:v1'

export interface Provenance {
  buildDefinition: {
    buildType: string
    externalParameters: { workflow: { repository: string; path: string; ref: string; environment?: string } }
    internalParameters: { repositoryId: string; repositoryOwnerId: string }
    resolvedDependencies: { uri: string; digest: { gitCommit: string } }[]
  }
  runDetails: { builder: { id: string }; metadata: { invocationId: string } }
}

/** The fields in one order, as the statement is signed. */
export function provenanceOf(run: CiRun): Provenance {
  const { repositoryUrl: repository, workflow: path, ref, environment, commit: gitCommit } = run
  const { repositoryId, repositoryOwnerId } = run
  return {
    buildDefinition: {
      buildType: BUILD_TYPE,
      externalParameters: { workflow: { repository, path, ref, ...(environment !== null && { environment }) } },
      internalParameters: { repositoryId, repositoryOwnerId },
      resolvedDependencies: [{ uri: `git+${repository}@${ref}`, digest: { gitCommit } }],
    },
    runDetails: { builder: { id: run.issuer }, metadata: { invocationId: run.runUrl } },
  }
}
