// Names instead of ids: the file of an item by kind, slug and version, and what many names mean.
import { z } from 'zod'
import { Id, Sha256, textLike } from '../../contract/fields.ts'
import { file, Redirect } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse } from '../items/area.ts'
import { ItemSlug, KIND_SEGMENT, KindName, kinds } from '../items/item-contract.ts'

export const MAX_NAMES = 50
/** The longest kind, a slash and the longest slug. */
const MAX_NAME_CHARACTERS = 220
const MAX_VERSION_CHARACTERS = 256

const VersionSelector = z.string().max(MAX_VERSION_CHARACTERS)
const ranges = 'a version, a range as npm reads it (`^1.2`, `~1.2.3`, `>=1 <3`), or `latest`'

const Deprecated = z
  .object({
    message: textLike('Use the digest of the team.'),
    successor: textLike('workflow/team-digest').nullable(),
  })
  .meta({ description: 'Where its owner deprecated the item: what to do instead' })

const Resolved = z.object({
  name: textLike('workflow/morning-digest').meta({ description: 'As it was asked' }),
  found: z.literal(true),
  id: Id,
  kind: z.enum(kinds),
  slug: textLike('morning-digest'),
  version: textLike('1.2.0'),
  sha256: Sha256.meta({ description: 'SHA-256 of the file, in hex' }),
  size: z.int().meta({ example: 2048, description: 'Bytes of the file' }),
  file_url: textLike('https://guildhall.example/api/library/workflow/morning-digest/1.2.0/file'),
  deprecated: Deprecated.optional(),
  yanked: z
    .boolean()
    .meta({ example: false, description: 'Its owner yanked this version: only its exact number finds it' }),
})

const NotResolved = z.object({
  name: textLike('workflow/morning-digest').meta({ description: 'As it was asked' }),
  found: z.literal(false),
  reason: z.enum(['invalid_name', 'invalid_version', 'not_found', 'no_version']).meta({
    description:
      'invalid_name: not `kind/slug`; invalid_version: neither version nor range; not_found: no such item that the caller sees; no_version: the item has no such version',
  }),
})

export const naming = {
  file: {
    summary: 'The file of an item by its name and version',
    description: `The version is ${ranges}, percent-encoded. Public items need no credential unless the operator says so (PUBLIC_DOWNLOADS). The file of an exact version never changes and can be cached for ever; others are checked by their ETag. X-Library-Version says which version it is; compare X-Content-SHA256 with what arrived before installing it.`,
    method: 'GET',
    path: '/library/{kind}/{slug}/{version}/file',
    segments: { kind: KIND_SEGMENT },
    access: browse,
    input: z.object({
      kind: KindName,
      slug: ItemSlug,
      version: VersionSelector.meta({ description: `Which one: ${ranges}`, example: '^1.2' }),
      redirect: Redirect,
    }),
    output: file('application/zip', 'application/json'),
    problems: ['unauthorized', 'insufficient_scope', 'not_found'],
  },
  resolve: {
    summary: 'Which versions names mean, for up to 50 names',
    synonyms: ['resolve version range', 'latest version of'],
    description: `Each name is \`kind/slug\` with ${ranges}; the latest unless told. A prerelease is meant only by a range that names one of the same version, and is the latest only where there is no release. Versions that their owners yanked are found by their exact numbers alone. The order is that of the names.`,
    method: 'POST',
    kind: 'library',
    path: '/library/resolve',
    idempotent: true,
    access: browse,
    input: z.object({
      items: z
        .array(
          z.object({
            name: z.string().max(MAX_NAME_CHARACTERS).meta({
              description: 'Kind, singular or plural, and slug',
              example: 'workflow/morning-digest',
            }),
            version: VersionSelector.optional().meta({ example: '^1.2' }),
          }),
        )
        .min(1)
        .max(MAX_NAMES),
    }),
    output: z.object({ items: z.array(z.discriminatedUnion('found', [Resolved, NotResolved])) }),
  },
} satisfies Contract

export type Resolution = z.output<typeof naming.resolve.output>['items'][number]
