// Invitations to sign up, for admins: where SIGN_UP is `invited`, or open to some domains only.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import { Email, ExpiresAt, Id, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { signUpActions } from '../../identity/audit-actions.ts'

export const INVITATION_DAYS = 14
export const MAX_INVITATIONS = 500

const SignUpInvitation = z
  .object({ id: Id, email: textLike('mira@example.com'), createdAt: Timestamp, expiresAt: ExpiresAt })
  .meta({ id: 'SignUpInvitation' })

export const invitations = {
  list: {
    summary: 'List the open invitations to sign up, newest first',
    description: 'One that was used or has expired is gone.',
    method: 'GET',
    path: '/community/admin/invitations',
    access: inspect,
    input: z.object({}),
    output: z.object({
      items: z.array(SignUpInvitation),
      signUp: z.enum(['open', 'invited', 'closed']).meta({ description: 'Who may sign up here', example: 'invited' }),
      domains: z
        .array(textLike('example.com'))
        .meta({ description: 'Where it is open: to these mail domains only; empty for all' }),
    }),
  },
  create: {
    summary: 'Invite an address to sign up',
    synonyms: ['invite person', 'send invitation mail'],
    description: `Mails it where to go; there a code that is mailed makes the account. It lasts ${INVITATION_DAYS} days; a second one replaces the first. At most ${MAX_INVITATIONS} are open, 200 are made a day by one admin, and 3 a day for one address.`,
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/invitations',
    access: administer,
    status: 201,
    audit: [signUpActions.invite],
    input: z.object({ email: Email }),
    output: SignUpInvitation,
    problems: ['conflict', 'rate_limited'],
  },
  remove: {
    summary: 'Take back an invitation to sign up',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/invitations/{id}',
    access: administer,
    audit: [signUpActions['take-back']],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
