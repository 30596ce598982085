// Links that invite: who has one may sign up, and gets its role. For admins.
import { z } from 'zod'
import { administer, inspect } from '../../content/area.ts'
import {
  BoardSlug,
  ExpiresAt,
  Id,
  NameOrNull,
  pageEnd,
  pageInput,
  Timestamp,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { signUpActions } from '../../identity/audit-actions.ts'
import { KEPT_LINK_DAYS } from '../../identity/rules.ts'

const MAX_LINK_DAYS = 90
const MAX_LINK_USES = 100
export const MAX_OPEN_LINKS = 50

const Role = z.enum(['member', 'moderator']).meta({ example: 'member' })
const Someone = z.object({ id: Id, username: UsernameOrNull, name: NameOrNull })
const InvitationLink = z
  .object({
    id: Id,
    role: Role,
    board: textLike('staff').nullable().meta({ description: 'The board that it invites to' }),
    createdAt: Timestamp,
    expiresAt: ExpiresAt,
    maxUses: z.int().meta({ example: 10 }),
    uses: z.int().meta({ example: 3 }),
    revokedAt: Timestamp.nullable(),
  })
  .meta({ id: 'InvitationLink' })

export const invitationLinks = {
  list: {
    summary: 'List links that invite, newest first, and who used them',
    description: `Also those that have ended, for ${KEPT_LINK_DAYS} days.`,
    method: 'GET',
    path: '/community/admin/invitation-links',
    access: inspect,
    input: z.object(pageInput),
    output: z.object({
      items: z.array(
        InvitationLink.extend({ createdBy: Someone, usedBy: z.array(Someone.extend({ usedAt: Timestamp })) }),
      ),
      ...pageEnd,
    }),
  },
  create: {
    summary: 'Create a link that invites',
    description: `Who has it may sign up with a proven address, and gets its role; an account that is there can use it too. It ends when its maker is no admin any more. The link is in this answer alone. At most ${MAX_OPEN_LINKS} are open.`,
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/invitation-links',
    access: administer,
    status: 201,
    shownOnce: true,
    audit: [signUpActions.link],
    input: z.object({
      role: Role.default('member'),
      board: BoardSlug.optional().meta({ description: 'Who uses it is one of those who are `invited` to this board' }),
      expiresInDays: z.int().min(1).max(MAX_LINK_DAYS).default(14),
      maxUses: z.int().min(1).max(MAX_LINK_USES).default(1),
    }),
    output: InvitationLink.extend({
      link: textLike('https://guild.example/join?key=ginvite_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs'),
    }),
    problems: ['not_found', 'conflict', 'rate_limited'],
  },
  revoke: {
    summary: 'Revoke a link that invites',
    description: 'Accounts that used it stay as they are.',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/invitation-links/{id}',
    access: administer,
    audit: [signUpActions['revoke-link']],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
} satisfies Contract
