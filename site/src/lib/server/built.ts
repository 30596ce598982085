// Who built a version and who agreed to it, as its statement names them.
import { orRefusal } from './answers.ts'

export interface BuildOrigin {
  /** The run of a CI that published it; undefined where a person or another program did. */
  run?: { repository: string; name: string; commit: string; url: string } | undefined
  /** The username of who agreed to it. */
  approver?: string | undefined
}

interface Payload {
  predicate: {
    provenance?: {
      buildDefinition: {
        externalParameters: { workflow: { repository: string } }
        resolvedDependencies: { digest: { gitCommit: string } }[]
      }
      runDetails: { metadata: { invocationId: string } }
    }
    approver?: { username: string | null } | null
  }
}

/** Undefined where the statement names neither, and where there is none. */
export async function builtOf(
  locals: App.Locals,
  of: { id: string; version: string },
): Promise<BuildOrigin | undefined> {
  const answer = await orRefusal(locals.api.transparency.statement(of))
  if (answer.refusal) return undefined
  const { predicate } = JSON.parse(Buffer.from(answer.value.payload, 'base64').toString()) as Payload
  const { provenance, approver } = predicate
  if (!provenance && !approver) return undefined
  return { run: provenance && runIn(provenance), approver: approver?.username ?? undefined }
}

function runIn({ buildDefinition, runDetails }: NonNullable<Payload['predicate']['provenance']>): BuildOrigin['run'] {
  const { repository } = buildDefinition.externalParameters.workflow
  const commit = buildDefinition.resolvedDependencies[0]?.digest.gitCommit ?? ''
  return {
    repository,
    name: repository.replace(/^https:\/\/[^/]+\//, ''),
    commit,
    url: runDetails.metadata.invocationId,
  }
}
