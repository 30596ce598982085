// Who owns and maintains an item: owners and maintainers, invitations, transfers, and the name of an item.
import { z } from 'zod'
import { ExpiresAt, Id, NameOrNull, Timestamp, text, textLike, UsernameOrNull } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse, read, write } from '../area.ts'
import { Item, kinds } from '../item-contract.ts'
import { itemActions } from '../subject.ts'
import { INVITATION_DAYS, MAX_PEOPLE, SLUG, SLUG_LENGTH } from './rules.ts'

const Role = z.enum(['owner', 'maintainer']).meta({
  example: 'maintainer',
  description:
    'maintainer: publishes versions and changes what is said about the item; owner: also decides who sees it, manages people, renames and deletes it',
})
const Account = z.object({ id: Id, username: UsernameOrNull, name: NameOrNull })
const Maintainer = z
  .object({
    account: Account,
    role: Role,
    since: Timestamp,
    holder: z.boolean().meta({ description: 'Whether the item belongs to this account, and counts for its budget' }),
  })
  .meta({ id: 'Maintainer' })

const Invitation = z
  .object({
    id: Id,
    role: z.enum(['owner', 'maintainer', 'transfer']).meta({ example: 'maintainer' }),
    item: z.object({ id: Id, kind: z.enum(kinds), slug: textLike('morning-digest'), name: textLike('Morning digest') }),
    account: Account.meta({ description: 'Who is invited' }),
    invited_by: Account,
    created_at: Timestamp,
    expires_at: ExpiresAt,
  })
  .meta({ id: 'Invitation' })

const byId = z.object({ id: Id })
const ofAccount = byId.extend({ accountId: Id })
const Username = text(3, 24).meta({ example: 'mira', description: 'The username of the account' })

export const owners = {
  maintainers: {
    summary: 'Who owns and maintains an item, and since when',
    description: 'Its owners see open invitations too.',
    method: 'GET',
    path: '/library/items/{id}/maintainers',
    access: browse,
    input: byId,
    output: z.object({ items: z.array(Maintainer), invitations: z.array(Invitation).optional() }),
    problems: ['not_found'],
  },
  addMaintainer: {
    summary: 'Invite an account to be an owner or a maintainer of an item',
    description: `For its owners. The account accepts within ${INVITATION_DAYS} days. An item has at most ${MAX_PEOPLE} people beside its holder, with those who are invited.`,
    method: 'POST',
    path: '/library/items/{id}/maintainers',
    access: write,
    budget: 'owners',
    audit: [itemActions.invite],
    input: byId.extend({ username: Username, role: Role.default('maintainer') }),
    output: Invitation,
    status: 201,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  setMaintainerRole: {
    summary: 'Change the role of an owner or a maintainer of an item',
    method: 'PUT',
    path: '/library/maintainers/{id}/{accountId}',
    access: write,
    budget: 'owners',
    audit: [itemActions.change_role],
    input: ofAccount.extend({ role: Role }),
    output: Maintainer,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  removeMaintainer: {
    summary: 'Remove an owner or a maintainer from an item, or leave it',
    description:
      'For its owners; everybody can leave. Where its holder leaves, the item goes to the owner of longest standing; the last owner cannot leave.',
    method: 'DELETE',
    path: '/library/maintainers/{id}/{accountId}',
    access: write,
    budget: 'owners',
    audit: [itemActions.remove],
    input: ofAccount,
    output: byId,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  transfer: {
    summary: 'Offer an item to another account, which accepts it or not',
    description: `For its owners. Within ${INVITATION_DAYS} days the account can accept; then the item belongs to it, with all versions, and the former holder has no role on it. One offer at a time.`,
    method: 'POST',
    path: '/library/items/{id}/transfer',
    access: write,
    budget: 'owners',
    audit: [itemActions.invite],
    input: byId.extend({ username: Username }),
    output: Invitation,
    status: 201,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  rename: {
    summary: 'Give an item another name in its address',
    description:
      'For its owners. Every former name leads to the item for ever: pages, this API, files and ranges. No other item gets it.',
    method: 'POST',
    path: '/library/items/{id}/rename',
    idempotent: true,
    access: write,
    budget: 'owners',
    audit: [itemActions.rename],
    input: byId.extend({
      slug: text(1, SLUG_LENGTH)
        .regex(SLUG, 'must be lower-case letters and digits, with single hyphens between them')
        .meta({ example: 'morning-digest' }),
    }),
    output: Item,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  invitations: {
    summary: 'Invitations that wait for me: to own or maintain items, and to take them over',
    method: 'GET',
    path: '/library/invitations',
    access: read,
    input: z.object({}),
    output: z.object({ items: z.array(Invitation) }),
  },
  acceptInvitation: {
    summary: 'Accept an invitation, or take over what is offered',
    method: 'POST',
    path: '/library/invitations/{id}/accept',
    access: write,
    budget: 'owners',
    audit: [itemActions.join, itemActions.transfer],
    input: byId,
    output: Item,
    problems: ['not_found', 'conflict'],
  },
  endInvitation: {
    summary: 'Decline an invitation, or withdraw one to an item of mine',
    method: 'DELETE',
    path: '/library/invitations/{id}',
    access: write,
    budget: 'owners',
    input: byId,
    output: byId,
    problems: ['not_found'],
  },
} satisfies Contract
