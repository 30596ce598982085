// Who built a version, and who agreed to it, as its statement names them.
import type { Stated } from '../../client/src/verify-statement.ts'
import { line } from './text.ts'

export type BuildOrigin = Pick<Stated, 'run' | 'approver'>

const SHORT_COMMIT = 12

/** The run of a CI, and who agreed; empty where a person published it by hand, and no other one had to agree. */
export function builtWords({ run, approver }: BuildOrigin): string {
  const by =
    run &&
    `by ${line(run.repository)} at ${line(run.commit.slice(0, SHORT_COMMIT))}, ${line(run.workflow)} (${line(run.url)})`
  const agreed = approver && `approved by ${line(approver.username ?? approver.id)}`
  return [by, agreed].filter(Boolean).join('; ')
}
