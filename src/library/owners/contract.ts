// Who owns and maintains an item: owners and maintainers, invitations, transfers, and the name of an item.
import { z } from 'zod'
import { Id, Timestamp, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { INVITATION_DAYS, MAX_PEOPLE, SLUG, SLUG_LENGTH } from '../holders/owner-rules.ts'
import { browse, read, write } from '../items/area.ts'
import { Item, TeamName, TeamSlug } from '../items/item-contract.ts'
import { itemActions } from '../items/subject.ts'
import { Account, Invitation, Username } from './invitation-contract.ts'

const Role = z.enum(['owner', 'maintainer']).meta({
  example: 'maintainer',
  description:
    'maintainer: publishes versions and changes what is said about the item; owner: also decides who sees it, manages people, renames and deletes it',
})
const Maintainer = z
  .object({
    account: Account,
    role: Role,
    since: Timestamp,
    holder: z.boolean().meta({
      description: 'Whether the item counts for the budget of this account, and belongs to it unless it is of a team',
    }),
  })
  .meta({ id: 'Maintainer' })

const byId = z.object({ id: Id })
const ofAccount = byId.extend({ accountId: Id })

export const owners = {
  maintainers: {
    summary: 'Who owns and maintains an item, and since when',
    synonyms: ['owners', 'list maintainers', 'who maintains'],
    description:
      'Its owners see open invitations too. Of an item of a team: the people of the team, its members as maintainers.',
    method: 'GET',
    path: '/library/items/{id}/maintainers',
    access: browse,
    input: byId,
    output: z.object({
      items: z.array(Maintainer),
      team: TeamName.optional(),
      invitations: z.array(Invitation).optional(),
    }),
    problems: ['not_found'],
  },
  addMaintainer: {
    summary: 'Invite an account to be an owner or a maintainer of an item',
    synonyms: ['add maintainer', 'add owner', 'add collaborator', 'share item with'],
    description: `For its owners; not of an item of a team, whose people are those of the team. The account accepts within ${INVITATION_DAYS} days. An item has at most ${MAX_PEOPLE} people beside its holder, with those who are invited.`,
    method: 'POST',
    kind: 'library',
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
    synonyms: ['make owner', 'change maintainer role'],
    method: 'PUT',
    kind: 'library',
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
    synonyms: ['remove maintainer', 'remove owner', 'stop maintaining'],
    description:
      'For its owners; everybody can leave. Where its holder leaves, the item goes to the owner of longest standing; the last owner cannot leave.',
    method: 'DELETE',
    kind: 'library',
    path: '/library/maintainers/{id}/{accountId}',
    access: write,
    budget: 'owners',
    audit: [itemActions.remove],
    input: ofAccount,
    output: byId,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  transfer: {
    summary: 'Offer an item to another account or to a team, which accepts it or not',
    synonyms: ['transfer ownership', 'give away item', 'hand over', 'change owner'],
    description: `For its owners; with either \`username\` or \`team\`. Within ${INVITATION_DAYS} days the account, or an owner of the team, can accept; then the item belongs to it, with all versions, and the former holder has no role on it. On an item of a team only the people of the team have one. One offer at a time.`,
    method: 'POST',
    kind: 'library',
    path: '/library/items/{id}/transfer',
    access: write,
    budget: 'owners',
    audit: [itemActions.invite],
    input: byId.extend({ username: Username.optional(), team: TeamSlug.optional() }),
    output: Invitation,
    status: 201,
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict'],
  },
  rename: {
    summary: 'Give an item another name in its address',
    synonyms: ['change slug', 'rename item'],
    description:
      'For its owners. Every former name leads to the item for ever: pages, this API, files and ranges. No other item gets it.',
    method: 'POST',
    kind: 'library',
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
    problems: ['not_found', 'gallery_org', 'forbidden', 'conflict', 'version_conflict'],
  },
  invitations: {
    summary: 'Invitations that wait for me: to own or maintain items, to take them over, and to teams',
    synonyms: ['my invitations', 'pending invitations'],
    method: 'GET',
    path: '/library/invitations',
    access: read,
    input: z.object({}),
    output: z.object({ items: z.array(Invitation) }),
  },
  acceptInvitation: {
    summary: 'Accept an invitation to an item, or take over what is offered to me or a team of mine',
    synonyms: ['accept invitation', 'take over item'],
    description: 'An invitation to a team: POST /teams/{slug}/join.',
    method: 'POST',
    kind: 'library',
    path: '/library/invitations/{id}/accept',
    access: write,
    budget: 'owners',
    audit: [itemActions.join, itemActions.transfer],
    input: byId,
    output: Item,
    problems: ['not_found', 'conflict'],
  },
  endInvitation: {
    summary: 'Decline an invitation, or withdraw one to an item or a team of mine',
    synonyms: ['reject invitation', 'cancel invitation'],
    method: 'DELETE',
    kind: 'library',
    path: '/library/invitations/{id}',
    access: write,
    budget: 'owners',
    input: byId,
    output: byId,
    problems: ['not_found'],
  },
} satisfies Contract
