// Teams: groups of members that own library items, their people, and what they are called.
import { z } from 'zod'
import { Reason, StateField } from '../../content/hiding/moderation-contract.ts'
import { auditActions } from '../../contract/audit.ts'
import { withCommas } from '../../contract/explain.ts'
import { Id, line, listInput, pageEnd, Timestamp, text, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { INVITATION_DAYS, MAX_PEOPLE, SLUG } from '../holders/owner-rules.ts'
import { MAX_ITEMS, MAX_SLUGS, MAX_TEAMS, SLUG_LENGTH } from '../holders/rules.ts'
import { browse, read, write } from '../items/area.ts'
import { TeamSlug } from '../items/item-contract.ts'
import { Account, Invitation, Username } from '../owners/invitation-contract.ts'

/** What the audit log records of teams. */
export const teamActions = auditActions('team', {
  create: 'Made a team',
  update: 'Changed a team',
  delete: 'Deleted a team',
  invite: 'Invited to a team',
  join: 'Joined a team',
  change_role: 'Changed a role in a team',
  remove: 'Removed from a team',
})

const Role = z.enum(['owner', 'member']).meta({
  example: 'member',
  description:
    'member: publishes items and versions, and changes what is said about them; owner: also manages people and settings, decides who sees an item, transfers and deletes it',
})

const NewSlug = text(SLUG_LENGTH.min, SLUG_LENGTH.max)
  .toLowerCase()
  .regex(SLUG, 'must be letters and digits, with single hyphens between them')
  .meta({ example: 'night-shift', description: 'Its part of addresses; stored in lower case' })
const Name = line(1, 60).meta({ example: 'Night shift' })
const Description = text(0, 500).meta({ example: 'We keep the morning quiet.' })

const Team = z
  .object({
    id: Id,
    slug: textLike('night-shift'),
    name: textLike('Night shift'),
    description: textLike('We keep the morning quiet.'),
    created_at: Timestamp,
    member_count: z.int().meta({ example: 3 }),
    item_count: z.int().meta({ example: 7, description: 'Items that the caller sees' }),
    url: textLike('https://guildhall.example/teams/night-shift').meta({ description: 'Where the site shows it' }),
    href: Href,
    role: Role.optional().meta({ description: 'What the caller is in it' }),
    shown: z.boolean().optional().meta({ example: true, description: 'Whether the profile of the caller names it' }),
    can: z
      .object({ publish: z.boolean(), edit: z.boolean(), delete: z.boolean(), manage: z.boolean() })
      .meta({ description: 'What the caller may do with it' }),
    state: StateField,
  })
  .meta({ id: 'Team' })

const TeamMember = z
  .object({
    account: Account,
    role: Role,
    since: Timestamp,
  })
  .meta({ id: 'TeamMember' })

const bySlug = z.object({ slug: TeamSlug })
const ofAccount = bySlug.extend({ accountId: Id })

export const teams = {
  mine: {
    summary: 'The teams that I belong to',
    synonyms: ['my teams'],
    method: 'GET',
    path: '/teams',
    access: read,
    input: z.object({}),
    output: z.object({ items: z.array(Team) }),
  },
  list: {
    summary: 'Teams that everybody sees, newest first',
    description: 'With `username` those that this member shows on their profile, by name.',
    method: 'GET',
    path: '/library/teams',
    access: browse,
    input: listInput.omit({ sort: true }).extend({ username: Username.optional() }),
    output: z.object({ items: z.array(Team), ...pageEnd }),
    problems: ['not_found'],
  },
  create: {
    summary: 'Create a team, and be its first owner',
    synonyms: ['create team', 'new organization', 'start team'],
    description: `For accounts with a verified email. An account belongs to at most ${MAX_TEAMS} teams, and a team has at most ${withCommas(MAX_ITEMS)} items. Its slug is never given to another team, also when it is renamed or deleted.`,
    method: 'POST',
    kind: 'teams',
    path: '/teams',
    access: write,
    budget: 'teams',
    audit: [teamActions.create],
    input: z.object({ slug: NewSlug, name: Name, description: Description.default('') }),
    output: Team,
    status: 201,
    problems: ['forbidden', 'conflict'],
  },
  get: {
    summary: 'A team',
    description: 'A former slug leads to it too. Its items: GET /library/items?team=<slug>.',
    method: 'GET',
    path: '/teams/{slug}',
    access: browse,
    input: bySlug,
    output: Team,
    problems: ['not_found'],
  },
  update: {
    summary: 'Change what a team is called, and what it says about itself',
    synonyms: ['rename team', 'edit team'],
    description: `For its owners, and for moderators. A former slug leads to the team for ever; a team has at most ${MAX_SLUGS}.`,
    method: 'PATCH',
    kind: 'teams',
    path: '/teams/{slug}',
    access: write,
    budget: 'owners',
    audit: [teamActions.update],
    input: bySlug,
    deferredBody: z.object({
      new_slug: NewSlug.optional(),
      name: Name.optional(),
      description: Description.optional(),
      reason: Reason,
    }),
    output: Team,
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  delete: {
    summary: 'Delete a team',
    synonyms: ['remove team', 'disband'],
    description:
      'Its owners delete a team without items. Moderators delete any; then each of its items belongs to the account that published it.',
    method: 'DELETE',
    kind: 'teams',
    path: '/teams/{slug}',
    access: write,
    audit: [teamActions.delete],
    input: bySlug.extend({ reason: Reason }),
    output: z.object({ id: Id, deleted: z.literal(true) }),
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  members: {
    summary: 'Who belongs to a team, and since when',
    synonyms: ['team members', 'list members of team'],
    description: 'Its owners see open invitations too.',
    method: 'GET',
    path: '/teams/{slug}/members',
    access: browse,
    input: bySlug,
    output: z.object({ items: z.array(TeamMember), invitations: z.array(Invitation).optional() }),
    problems: ['not_found'],
  },
  invite: {
    summary: 'Invite an account to a team',
    synonyms: ['add to team', 'add team member'],
    description: `For its owners. The account accepts within ${INVITATION_DAYS} days. A team has at most ${MAX_PEOPLE} people, with those who are invited.`,
    method: 'POST',
    kind: 'teams',
    path: '/teams/{slug}/members',
    access: write,
    budget: 'owners',
    audit: [teamActions.invite],
    input: bySlug.extend({ username: Username, role: Role.default('member') }),
    output: Invitation,
    status: 201,
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  join: {
    summary: 'Accept the invitation to a team',
    synonyms: ['join team'],
    description: 'To decline it: DELETE /library/invitations/{id}.',
    method: 'POST',
    kind: 'teams',
    path: '/teams/{slug}/join',
    access: write,
    budget: 'owners',
    audit: [teamActions.join],
    input: bySlug,
    output: Team,
    problems: ['not_found', 'conflict'],
  },
  setRole: {
    summary: 'Change the role of an account in a team',
    description: 'For its owners. The last owner stays one.',
    method: 'PUT',
    kind: 'teams',
    path: '/teams/{slug}/members/{accountId}',
    access: write,
    budget: 'owners',
    audit: [teamActions.change_role],
    input: ofAccount.extend({ role: Role }),
    output: TeamMember,
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  setShown: {
    summary: 'Show a team on my profile, or not',
    description: 'It is shown from the start. The page of the team names its people in any case.',
    method: 'PUT',
    kind: 'teams',
    path: '/teams/{slug}/shown',
    access: write,
    budget: 'owners',
    input: bySlug.extend({ shown: z.boolean().meta({ example: true }) }),
    output: z.object({ shown: z.boolean().meta({ example: true }) }),
    problems: ['not_found'],
  },
  remove: {
    summary: 'Remove an account from a team, or leave it',
    synonyms: ['leave team', 'kick from team', 'remove team member'],
    description:
      'For its owners; everyone can leave but the last owner. What the account published for the team goes to the owner of longest standing.',
    method: 'DELETE',
    kind: 'teams',
    path: '/teams/{slug}/members/{accountId}',
    access: write,
    budget: 'owners',
    audit: [teamActions.remove],
    input: ofAccount,
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden', 'conflict'],
  },
} satisfies Contract
