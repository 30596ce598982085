// Administration: accounts, blocks, roles, the audit log (interface.md, section 4, Admin), and webhooks of the community and the library.
import { z } from 'zod'
import { administer, inspect, moderate } from '../../content/area.ts'
import { Reason } from '../../content/hiding/moderation-contract.ts'
import { creation, newWebhook, webhookList, webhookOperations } from '../../content/webhooks/contract.ts'
import {
  BoardSlug,
  Cursor,
  DeletionAt,
  DeletionContent,
  EXAMPLE_ID,
  HasMore,
  Id,
  NextCursor,
  PageNumber,
  pageEnd,
  pageInput,
  RoleName,
  SearchText,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { webhookEvents } from '../../contract/webhook-events.ts'
import { accountActions, roleActions, userActions } from '../../identity/audit-actions.ts'

const User = z
  .object({
    id: Id,
    email: textLike('mira@example.com'),
    username: UsernameOrNull,
    role: RoleName,
    blockedAt: Timestamp.nullable(),
    deletionAt: DeletionAt,
    createdAt: Timestamp,
  })
  .meta({ id: 'User' })

export const AuditTarget = z
  .object({
    title: textLike('The digest is sent twice').nullable(),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`).nullable(),
    href: Href.nullable(),
    removed: z
      .boolean()
      .meta({ description: 'Whether it is no longer there; its title is then as the entry recorded it' }),
  })
  .nullable()
  .meta({ description: 'What it was done to, as it is called now; null for what has no title, such as a session' })

const AuditEntry = z
  .object({
    id: Id,
    at: Timestamp,
    action: textLike('bug.delete'),
    actorId: Id.nullable().meta({ description: 'null for the operator at the command line' }),
    actorUsername: UsernameOrNull,
    actorEmail: textLike('mira@example.com').nullable(),
    targetType: textLike('bug'),
    targetId: textLike(EXAMPLE_ID),
    target: AuditTarget,
    detail: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ example: { title: 'The digest is sent twice' } }),
    names: z.record(z.string(), z.string()).meta({
      description: 'What the detail names by id, as it is called now; by id',
      example: { [EXAMPLE_ID]: 'mira' },
    }),
    reason: textLike('A duplicate').nullable(),
    address: textLike('203.0.113.7').nullable().meta({ description: 'The network address of the request' }),
  })
  .meta({ id: 'AuditEntry' })

const AdminReason = Reason.meta({ example: 'Agreed among the admins' })

const yesOrNo = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()

export const DEFAULT_PER_PAGE = 500

export const admin = {
  listUsers: {
    summary: 'Accounts, newest first',
    synonyms: ['list accounts', 'admin users', 'find account by email'],
    description:
      'Without parameters: the newest 500. Older ones are on the next pages; `q` looks in addresses, usernames and names.',
    method: 'GET',
    path: '/community/admin/users',
    access: inspect,
    input: z.object({
      q: SearchText,
      role: RoleName.optional().meta({ description: 'Only accounts with this role' }),
      blocked: yesOrNo.meta({ description: 'Only accounts that are blocked, or only those that are not' }),
      page: PageNumber,
      cursor: Cursor,
      per_page: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .default(DEFAULT_PER_PAGE)
        .meta({ description: 'Accounts a page' }),
    }),
    output: z.object({
      users: z.array(User),
      hasMore: HasMore.optional().meta({ description: 'Left out where everybody was asked for and is here' }),
      total: z.int().optional().meta({ example: 1, description: 'Left out where hasMore is' }),
      nextCursor: NextCursor,
    }),
  },
  block: {
    summary: 'Block an account or let it in again',
    synonyms: ['ban', 'unban', 'suspend user', 'unblock', 'lock out'],
    description:
      'A block ends every session and token of the account at once. A moderator cannot do this to an admin. The last admin cannot be blocked, and no one can block themselves.',
    method: 'PATCH',
    kind: 'moderation',
    path: '/community/admin/users/{id}/block',
    access: moderate,
    audit: [userActions.block, userActions.unblock],
    input: z.object({ id: Id, blocked: z.boolean(), reason: AdminReason }),
    output: z.object({ blockedAt: Timestamp.nullable() }),
    problems: ['not_found', 'conflict'],
  },
  setRole: {
    summary: 'Give an account a role',
    synonyms: ['make moderator', 'promote', 'make admin', 'demote'],
    description: 'The last admin stays one.',
    method: 'PATCH',
    kind: 'moderation',
    path: '/community/admin/users/{id}/role',
    access: administer,
    audit: [roleActions.change],
    input: z.object({ id: Id, role: RoleName.meta({ example: 'moderator' }), reason: AdminReason }),
    output: z.object({ role: RoleName.meta({ example: 'moderator' }) }),
    problems: ['not_found', 'conflict'],
  },
  deleteUser: {
    summary: 'Request the deletion of an account',
    synonyms: ['delete account', 'remove user', 'erase user'],
    description:
      'Ends every session and token of the account at once. It is erased after 14 days; until then an admin can cancel that. The reason is mailed to the account. The last admin cannot be deleted, and no one can delete themselves here.',
    method: 'PUT',
    kind: 'moderation',
    path: '/community/admin/users/{id}/deletion',
    access: administer,
    audit: [accountActions['request-deletion']],
    input: z.object({
      id: Id,
      content: DeletionContent,
      reason: text(1, 500).meta({ example: 'Agreed among the admins' }),
    }),
    output: z.object({ eraseAt: Timestamp }),
    problems: ['not_found', 'conflict'],
  },
  keepUser: {
    summary: 'Cancel the deletion of an account',
    synonyms: ['keep account', 'undo account deletion'],
    description: 'Also of one that its owner requested. Once the erasure has begun, it is too late: 409.',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/users/{id}/deletion',
    access: administer,
    audit: [accountActions['cancel-deletion']],
    input: z.object({ id: Id, reason: AdminReason }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'conflict'],
  },
  listAudit: {
    summary: 'Who did what to whom, when and from where; newest first',
    synonyms: ['audit log', 'security log'],
    method: 'GET',
    path: '/community/admin/audit',
    access: inspect,
    input: z.object({
      action: text(1, 100).optional().meta({ description: 'Only acts of this kind, such as bug.delete' }),
      actorId: Id.optional().meta({ description: 'Only acts of the account with this id' }),
      targetId: Id.optional().meta({ description: 'Only acts on the thing with this id' }),
      ...pageInput,
    }),
    output: z.object({ items: z.array(AuditEntry), ...pageEnd }),
  },
} satisfies Contract

const webhooksPath = '/community/admin/webhooks'

const ofWebhook = webhookOperations({
  path: webhooksPath,
  kind: 'moderation',
  read: inspect,
  write: administer,
  events: webhookEvents,
})

export const webhooks = {
  list: {
    summary: 'Webhooks of the community, of every admin',
    method: 'GET',
    path: webhooksPath,
    access: inspect,
    input: z.object({}),
    output: webhookList,
  },
  create: {
    ...creation,
    summary: 'Add a webhook for events of the community and the library',
    kind: 'moderation',
    path: webhooksPath,
    access: administer,
    input: newWebhook(webhookEvents).extend({ board: BoardSlug.optional() }),
    problems: ['not_found', 'conflict'],
  },
  ...ofWebhook,
  update: {
    ...ofWebhook.update,
    input: ofWebhook.update.input.extend({
      board: BoardSlug.nullable()
        .optional()
        .meta({ example: 'staff', description: 'The board whose events it gets; null for all' }),
    }),
  },
} satisfies Contract
