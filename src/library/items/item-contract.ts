// The fields of library items: what they may hold, and how they are written in requests.
import { z } from 'zod'
import { StateField } from '../../content/hiding/moderation-contract.ts'
import { canSchema } from '../../content/subject.ts'
import {
  EXAMPLE_ID,
  Id,
  line,
  MyVote,
  NameOrNull,
  Sha256,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
  VersionText,
  Via,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { contractKinds, type ItemKind, itemKinds, kindsInWords } from '../../contract/item-kinds.ts'
import { MAX_CHANGELOG } from '../../contract/sizes.ts'
import { item } from './subject.ts'

export { VersionText }

export const kinds = itemKinds
export type Kind = ItemKind

/** A field of a form or a query that is there but empty was left out. */
export const orEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema)
    .optional()

/** Singular or plural, any case (behaviour.md, section 4). */
export const KindName = z
  .string()
  .trim()
  .toLowerCase()
  .transform((name) => name.replace(/s$/, ''))
  .pipe(z.enum(kinds))
  .meta({ description: `${kindsInWords(kinds)}; singular or plural, any case`, example: 'workflow' })

/** Where a list asks for kinds: one of them, or all of them; without it those that the contract has. */
export const ListedKind = orEmpty(z.union([z.string().trim().toLowerCase().pipe(z.literal('all')), KindName])).meta({
  description: `Only items of this kind: ${kindsInWords(kinds)}; all: every kind. Without it: ${kindsInWords(contractKinds)}`,
})

/** What a segment of a path looks like when it is the name of a kind; one group, or the router would find a kind anywhere in the path. */
export const KIND_SEGMENT = `(?:${kinds.map((kind) => `(?:${anyCase(kind)}[sS]?)`).join('|')})`

function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

export const Visibility = z.enum(['private', 'public', 'official']).meta({ example: 'public' })

const example = {
  name: 'Morning digest',
  description: 'Sends a summary of the night at seven.',
  tags: ['mail', 'digest'],
}

export const ItemName = line(1, 100).meta({ example: example.name })
export const Description = text(0, 2000).meta({ example: example.description })

const MAX_TAGS = 10
const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and hyphens')

const tagList = (given: readonly string[]) => [...new Set(given.map((tag) => tag.trim().toLowerCase()).filter(Boolean))]
const Tags = z.array(Tag).max(MAX_TAGS)

/** With commas between them. */
export const TagText = z
  .string()
  .transform((given) => tagList(given.split(',')))
  .pipe(Tags)
  .meta({ description: 'Up to 10 tags with commas between them', example: 'mail,digest' })

export const TagsGiven = z
  .union([z.array(z.string()).max(1000).transform(tagList).pipe(Tags), TagText], 'must be a list of at most 10 tags')
  .meta({ description: 'A list of up to 10 tags, or one text with commas between them', example: example.tags })

/** An item by its name, with the kind in the singular. */
export const Successor = z
  .string()
  .trim()
  .max(200)
  .transform((given, context) => {
    const [kind = '', slug = '', ...rest] = given.split('/')
    const parsed = KindName.safeParse(kind)
    if (parsed.success && SLUG.test(slug) && rest.length === 0) return `${parsed.data}/${slug}`
    context.addIssue('must be a kind and a slug, such as workflow/morning-digest')
    return z.NEVER
  })
  .meta({
    description: 'What to use instead: kind/slug of an item that everybody sees',
    example: 'workflow/evening-digest',
  })
const SLUG = /^[a-z0-9][a-z0-9._-]*$/

/** Of one version. */
export const Changelog = text(0, MAX_CHANGELOG).meta({
  description: 'What is new in this version, in Markdown; from CHANGELOG.md in a package unless given',
  example: '- Sends the digest once when the clock changes',
})

/** An item by its slug, of today or from before. */
export const ItemSlug = z.string().max(200).meta({ description: 'The slug of the item', example: 'morning-digest' })

/** A team by its slug, of today or from before. */
export const TeamSlug = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .meta({ description: 'The slug of a team', example: 'night-shift' })

/** The team that holds an item. */
export const TeamName = z.object({ slug: textLike('night-shift'), name: textLike('Night shift') })

/** What agents can read again, by MCP. */
export const RESOURCE = 'Library item'

const sha256 = Sha256.meta({ description: 'SHA-256 of the artifact, in hex' })
const size = z.int().meta({ example: 2048, description: 'Bytes of the artifact' })

const version = textLike('1.2.0')
const artifact_url = textLike(`https://guildhall.example/api/library/items/${EXAMPLE_ID}/artifact`)

export const errorClasses = [
  ...['install', 'start', 'permission', 'network'],
  ...['input', 'timeout', 'crash', 'other'],
] as const

/** What the reports of a version come to (outcomes/rules.ts). */
export const Outcomes = z
  .object({
    worked: z.int().meta({ example: 312 }),
    failed: z.int().meta({ example: 8 }),
    rate: z.number().meta({ example: 0.97, description: 'How many worked, weighted by account and network; 0 to 1' }),
    lower_bound: z.number().meta({ example: 0.95, description: 'Of the rate, at 95 % (Wilson)' }),
    errors: z.array(z.object({ error: z.enum(errorClasses), reports: z.int().meta({ example: 6 }) })),
  })
  .meta({ id: 'Outcomes', description: 'What accounts reported; absent below 5 accounts' })
export type Outcomes = z.infer<typeof Outcomes>

export const Item = z
  .object({
    id: Id,
    kind: z.enum(kinds),
    slug: textLike('morning-digest'),
    name: textLike(example.name),
    description: textLike(example.description),
    version,
    visibility: Visibility,
    tags: z.array(z.string()).meta({ example: example.tags }),
    owner: z.object({ id: Id, username: UsernameOrNull, name: NameOrNull }),
    via: Via,
    team: TeamName.optional(),
    sha256,
    size,
    meta: z
      .looseObject({
        truncated: z.literal(true).optional().meta({ description: 'Something was left out' }),
      })
      .meta({
        example: {
          node_types: ['action.mail', 'trigger.cron'],
          trigger_types: ['trigger.cron'],
          required_automations: [],
        },
        description: 'Read from the file, by kind; in lists cut',
      }),
    score: z.int(),
    my_vote: MyVote,
    comment_count: z.int().meta({ example: 2 }),
    /** Of orgs of the gallery. */
    run_count: z.int().optional(),
    banner_url: textLike('/api/images/org/x').optional(),
    created_at: Timestamp,
    updated_at: Timestamp,
    url: textLike('https://guildhall.example/library/workflows/morning-digest').meta({
      description: 'Where the site shows it',
    }),
    href: Href,
    artifact_url,
    yanked: z.literal(true).optional().meta({ description: 'Every version is' }),
    license: textLike('MIT').optional(),
    downloads: z.object({ total: z.int().meta({ example: 128 }), week: z.int().meta({ example: 12 }) }).optional(),
    outcomes: Outcomes.optional(),
    deprecated: z
      .object({ message: textLike('No longer maintained'), successor: textLike('workflow/evening-digest').nullable() })
      .optional(),
    state: StateField,
    can: canSchema(item),
  })
  .meta({ id: 'Item' })
export type Item = z.input<typeof Item>

export const ItemVersion = z
  .object({
    version,
    sha256,
    size,
    created_at: Timestamp,
    artifact_url,
    yanked_at: Timestamp.optional().meta({
      description: 'Since when it is yanked: not chosen by "latest" and by ranges',
    }),
    yank_reason: textLike('It sends every mail twice').optional(),
    changelog: textLike('- Sends the digest once when the clock changes').optional().meta({
      description: 'What is new, in Markdown; in lists the first 1,000 characters, and `…` where there is more',
    }),
    downloads: z.int().optional().meta({ example: 12 }),
    outcomes: Outcomes.optional(),
    via: Via.optional(),
    license: textLike('MIT')
      .optional()
      .meta({ description: 'An SPDX expression where it is clear which licence the file means' }),
  })
  .meta({ id: 'ItemVersion' })
export type ItemVersion = z.infer<typeof ItemVersion>

/** What a version may do or use; `any <type>` is all of a type. */
export const Permission = z
  .object({
    type: z.enum(['connector', 'download', 'model', 'schedule', 'script', 'secret', 'site', 'step']),
    name: textLike('example.com').meta({ description: '`any site` and its like mean all of a type' }),
  })
  .meta({ id: 'Permission' })

export const Contents = z
  .object({
    version,
    files: z
      .array(
        z.object({
          path: textLike('manifest.json'),
          size: z.int().meta({ example: 2048 }),
          sha256: Sha256.optional().meta({ description: 'SHA-256 of the file, in hex; of skills' }),
        }),
      )
      .meta({ description: 'Sizes in bytes, unpacked' }),
    frontmatter: z
      .looseObject({})
      .optional()
      .meta({ description: 'What SKILL.md says at its top; of skills', example: { name: 'pdf-tools' } }),
    permissions: z
      .object({
        steps: z.array(textLike('http.get')),
        scripts: z.array(textLike('scripts/fetch.js')),
        downloads: z.boolean(),
        domains: z.array(textLike('example.com')),
      })
      .nullable()
      .meta({ description: 'What an automation asks to be allowed; null for other kinds' }),
    may_do: z.array(Permission).meta({
      description: 'Everything that the version may do, of any kind, as its file shows it; sorted by type and name',
    }),
    may_do_more: z
      .object({ than: version, permissions: z.array(Permission) })
      .nullable()
      .meta({
        description: 'What the version before may not do; null when there is nothing, and for the first version',
      }),
  })
  .meta({ id: 'ItemContents' })
