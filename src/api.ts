// The whole API as data: every contract, under the name its operations are called by. Pure, so that a browser can load it.
import { accounts } from './accounts/contract.ts'
import { passkeys } from './accounts/passkeys/contract.ts'
import { reauthentication } from './accounts/reauthentication-contract.ts'
import { sessions } from './accounts/sessions-contract.ts'
import { usage } from './accounts/usage-contract.ts'
import { admin } from './community/admin/contract.ts'
import { blog } from './community/blog/contract.ts'
import { bugs } from './community/bugs/contract.ts'
import { features } from './community/features/contract.ts'
import { labels } from './community/labels/contract.ts'
import { orgs } from './community/orgs/contract.ts'
import { orgImages } from './community/orgs/images/contract.ts'
import { orgRuns } from './community/orgs/runs/contract.ts'
import { posts } from './community/posts/contract.ts'
import { avatars } from './community/profile/avatar-contract.ts'
import { profile } from './community/profile/contract.ts'
import { feed } from './content/feed/contract.ts'
import type { AuditAction } from './contract/audit.ts'
import type { Contract } from './contract/operation.ts'
import * as identityActions from './identity/audit-actions.ts'
import { library } from './library/contract.ts'
import { claims } from './oauth/claim/contract.ts'
import { signIns } from './oauth/sign-ins/contract.ts'

export const api = {
  accounts,
  passkeys,
  reauthentication,
  sessions,
  usage,
  claims,
  signIns,
  feed,
  bugs,
  labels,
  features,
  posts,
  blog,
  orgs,
  orgImages,
  orgRuns,
  profile,
  avatars,
  admin,
  library,
}
export type Api = typeof api

/** Every action of the audit log, by its name: those of operations, and those of endpoints and the command line. */
export const auditActions: ReadonlyMap<string, AuditAction> = new Map(
  [
    ...Object.values<Contract>(api).flatMap((contract) => Object.values(contract).flatMap(({ audit = [] }) => audit)),
    ...Object.values(identityActions).flatMap((actions) => Object.values<AuditAction>(actions)),
  ].map((action) => [action.name, action]),
)
