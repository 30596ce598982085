// CI identities that publish without a stored secret (behaviour.md, section 4).
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { Id, line, Timestamp, textLike, UsernameOrNull } from '../../contract/fields.ts'
import type { Access, Contract } from '../../contract/operation.ts'
import { GITHUB_ISSUER } from '../../contract/own-clients.ts'
import { library, read, write } from '../items/area.ts'
import { KindName } from '../items/item-contract.ts'
import { MAX_OF_ACCOUNT, MAX_OF_ITEM } from './rules.ts'

/** What the audit log records of them. */
export const publisherActions = auditActions('trusted-publisher', {
  add: 'Let a CI publish',
  remove: 'Stopped a CI from publishing',
})

export const stagingActions = auditActions('item', { stage: 'Changed whether versions wait for a person' })

/** What takes a person, as a token could be stolen. */
const atTheSite = { area: library, credential: 'session' } as const satisfies Access

const Staging = z.object({
  only: z.boolean().meta({ description: 'Whether versions that programs publish wait' }),
  since: Timestamp.nullable(),
})

const example = { repository: 'mira/digest', workflow: '.github/workflows/publish.yml', ref: 'refs/heads/main' }

const Publisher = z
  .object({
    id: Id,
    item_id: Id.nullable().meta({ description: 'Null until there is an item of that name' }),
    kind: textLike('workflow'),
    slug: textLike('morning-digest'),
    issuer: textLike(GITHUB_ISSUER),
    repository: textLike(example.repository),
    workflow: textLike(example.workflow),
    ref: textLike(example.ref).nullable(),
    environment: textLike('release').nullable(),
    repository_id: textLike('1296269').nullable().meta({
      description: 'Of the repository at its issuer, since the first publication: another one of that name is refused',
    }),
    username: UsernameOrNull.meta({ description: 'The account that it publishes as' }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable(),
  })
  .meta({ id: 'TrustedPublisher' })

export const trustedPublishers = {
  list: {
    summary: 'CI identities that may publish: of an item, or all that I named',
    synonyms: ['trusted publishing', 'oidc publishers', 'github actions publishers', 'gitlab ci publishers'],
    description: 'Those of an item see its owners and maintainers.',
    method: 'GET',
    path: '/library/publishers',
    access: read,
    input: z.object({ item: Id.optional().meta({ description: 'The id of an item' }) }),
    output: z.object({ items: z.array(Publisher) }),
    problems: ['not_found', 'forbidden'],
  },
  add: {
    summary: 'Let a CI identity publish an item, or what will have a name',
    synonyms: ['add trusted publisher', 'publish from ci', 'publish from github actions', 'publish from gitlab'],
    description: `For owners of \`item\`, or with \`kind\` and \`slug\` of a name that is not taken. A run of that workflow, in that ref or environment (at least one of them), publishes it as this account, with a token of 15 minutes for its OIDC token (RFC 8693). At most ${MAX_OF_ITEM} an item and ${MAX_OF_ACCOUNT} an account. In a session it needs re-authentication. The account gets a mail.`,
    method: 'POST',
    kind: 'library',
    path: '/library/publishers',
    sampled: ['kind', 'slug', 'ref'],
    access: write,
    audit: [publisherActions.add],
    input: z.object({
      item: Id.optional().meta({ description: 'The id of an item that I own' }),
      kind: KindName.optional(),
      slug: z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]{0,59}$/, 'must be a name of lower-case letters, digits, dots and hyphens')
        .optional()
        .meta({ description: 'A name that is not taken', example: 'morning-digest' }),
      issuer: z
        .string()
        .max(510)
        .default(GITHUB_ISSUER)
        .meta({ description: 'One that the operator allows; GitHub Actions unless told', example: GITHUB_ISSUER }),
      repository: z
        .string()
        .trim()
        .max(300)
        .regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must be a path such as owner/name')
        .meta({ example: example.repository }),
      workflow: z
        .string()
        .trim()
        .max(300)
        .regex(/^[\w.-][\w./ -]*\.ya?ml$/, 'must be a file such as publish.yml')
        .meta({ description: 'The file in the repository', example: example.workflow }),
      ref: z
        .string()
        .trim()
        .max(300)
        .regex(/^[^\s*?[\\^~:]+\*?$/, 'must be a branch, or a ref such as refs/tags/v*')
        .optional()
        .meta({ description: 'A branch, or a full ref; `*` may stand at its end', example: example.ref }),
      environment: line(1, 255).optional().meta({ example: 'release' }),
    }),
    output: Publisher,
    status: 201,
    problems: ['not_found', 'forbidden', 'gallery_org', 'conflict', 'reauthentication_required', 'rate_limited'],
  },
  remove: {
    summary: 'Stop a CI identity from publishing; tokens that it has end',
    synonyms: ['remove trusted publisher', 'delete trusted publisher'],
    description: 'For owners of its item, and the account that named it.',
    method: 'DELETE',
    kind: 'library',
    path: '/library/publishers/{id}',
    access: write,
    budget: 'keys',
    audit: [publisherActions.remove],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
  staging: {
    summary: 'Whether versions of an item wait for a person when a program publishes them',
    synonyms: ['staged publishing', 'only staged'],
    description: 'For its owners and maintainers. What waits is in `pendingActs.list` with `item`.',
    method: 'GET',
    path: '/library/items/{id}/staging',
    access: read,
    input: z.object({ id: Id }),
    output: Staging,
    problems: ['not_found', 'forbidden'],
  },
  setStaging: {
    summary: 'Let versions of an item wait for a person when a program publishes them, or not',
    synonyms: ['require approval', 'require passkey to publish'],
    description:
      'For its owners, in a session with a passkey where the account has one. Then a version that is published with a token waits up to 7 days, until an owner or a maintainer agrees.',
    method: 'PUT',
    kind: 'library',
    path: '/library/items/{id}/staging',
    access: atTheSite,
    budget: 'keys',
    audit: [stagingActions.stage],
    input: z.object({ id: Id, only: z.boolean().meta({ description: 'Whether they wait' }) }),
    output: Staging,
    problems: ['not_found', 'forbidden', 'gallery_org', 'reauthentication_required'],
  },
} satisfies Contract
