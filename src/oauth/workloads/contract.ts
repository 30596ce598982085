// Workload identities: programs that show an ID token of their CI, cloud or SPIFFE issuer in the place of a secret. Only a session makes and removes
// them: a token lets nothing else in.
import { z } from 'zod'
import { GrantBounds } from '../../contract/bounds.ts'
import { Id, line, Timestamp, textLike, verbatim } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { signedIn } from '../../identity/area.ts'
import { workloadActions } from '../../identity/audit-actions.ts'
import { MAX_CLAIMS, MAX_WORKLOADS, workloadScopes } from './rules.ts'

const example = {
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'repo:mira/digest:ref:refs/heads/main',
}

const Claims = z
  .record(z.string().min(1).max(100), verbatim(1, 500))
  .refine((claims) => Object.keys(claims).length <= MAX_CLAIMS, `must be at most ${MAX_CLAIMS} claims`)

const Workload = z
  .object({
    id: Id,
    name: textLike('Nightly triage'),
    issuer: textLike(example.issuer),
    subject: textLike(example.subject),
    claims: z.record(z.string(), z.string()).meta({ example: { environment: 'production' } }),
    scopes: z.array(z.string()).meta({ example: ['community:read'] }),
    bounds: GrantBounds.nullable(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Workload' })

export const workloads = {
  list: {
    summary: 'My programs with a workload identity, newest first',
    method: 'GET',
    path: '/account/workloads',
    access: signedIn,
    input: z.object({}),
    output: z.object({ issuers: z.array(textLike(example.issuer)), items: z.array(Workload) }),
  },
  create: {
    summary: 'Let a program in by its workload identity',
    description: `For an ID token with exactly this subject and these claims it gets a token of 15 minutes (RFC 8693, with the id as \`workload\`). In a session it needs re-authentication. At most ${MAX_WORKLOADS}.`,
    method: 'POST',
    kind: 'account',
    path: '/account/workloads',
    access: signedIn,
    status: 201,
    audit: [workloadActions.create],
    input: z.object({
      name: line(1, 60).meta({ example: 'Nightly triage' }),
      issuer: z.string().max(510).meta({ example: example.issuer }),
      subject: verbatim(1, 1_000).meta({ example: example.subject }),
      claims: Claims.default({}),
      scopes: z.array(z.enum(workloadScopes)).min(1, 'must name at least one scope').max(20),
      bounds: GrantBounds.optional(),
    }),
    output: Workload,
    problems: ['conflict', 'invalid_request', 'rate_limited', 'reauthentication_required'],
  },
  remove: {
    summary: 'End what a workload identity lets in',
    method: 'DELETE',
    kind: 'account',
    path: '/account/workloads/{id}',
    access: signedIn,
    audit: [workloadActions.remove],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
