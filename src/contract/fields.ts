// The fields that contracts share. Lengths count UTF-16 units after trimming (behaviour.md, section 0).
import { z } from 'zod'
import { LANGUAGE_TAG, LONGEST_TAG } from './languages.ts'
import { isStorable, NOT_STORABLE, oneLine } from './storable.ts'

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`

/** A string of `min` to `max` UTF-16 units: zod's own bounds count code points. */
const sized = (field: z.ZodString, min: number, max: number) =>
  field
    .refine((value) => value.length >= min, `must have at least ${characters(min)}`)
    .refine((value) => value.length <= max, `must have at most ${characters(max)}`)
    .meta({ minLength: min, maxLength: max })

/** Text a person wrote, trimmed, of `min` to `max` UTF-16 units. NUL and lone surrogates are refused: no database keeps them. */
export const text = (min: number, max: number) => sized(z.string().trim(), min, max).refine(isStorable, NOT_STORABLE)

/** NUL and halves of surrogate pairs are left for the refusal. */
const asLine = (value: string) => (isStorable(value) ? oneLine(value).trim() : value)

/** A name, a title or another text of one line, of `min` to `max` UTF-16 units after it was made one. */
export const line = (min: number, max: number) =>
  sized(z.string().overwrite(asLine), min, max).refine(isStorable, NOT_STORABLE)

/** A text in an answer, with what it may look like. */
export const textLike = (example: string) => z.string().meta({ example })

/** Text that is kept as it was typed, such as a password. */
export const verbatim = (min: number, max: number) => sized(z.string(), min, max).refine(isStorable, NOT_STORABLE)

/** The id of every thing in examples. */
export const EXAMPLE_ID = '01a1fb4e-bb9a-7544-87a4-2785318c8f22'

/** The id of a thing. Anything may be asked for; what does not exist is not found. */
export const Id = z
  .string()
  .max(200)
  .refine(isStorable, 'is not an id')
  .meta({ description: 'UUIDv7', example: EXAMPLE_ID })

/** What people cite a bug, a feature request or a post by: `#128`. */
export const ThingNumber = z.int().min(1).max(999_999_999).meta({
  description: 'Cited as #128; the site shows it at /community/<number>',
  example: 128,
})

export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-20T09:30:00.000Z' })
/** When a text was changed last. */
export const EditedAt = Timestamp.nullable().meta({ example: null })
/** The `editedAt` of what a caller changes, as they saw it. */
export const SeenEditedAt = Timestamp.nullable().optional().meta({
  example: null,
  description:
    'The `editedAt` of the text that the change was made of: 409 when it was edited since. Without it the edit is made in any case.',
})
export const ExpiresAt = Timestamp.meta({ example: '2026-12-20T09:30:00.000Z' })

/** When the account will be erased. */
export const DeletionAt = Timestamp.nullable().meta({
  example: null,
  description: 'When the account will be erased; null unless its deletion was requested',
})
/** A language of a server by its tag; which there are depends on the server. */
export const LanguageTag = z
  .string()
  .max(LONGEST_TAG)
  .regex(LANGUAGE_TAG)
  .meta({ example: 'de', description: 'A language of this server: en, de, or one that its operator added (BCP 47)' })
/** The language that an account chose. */
export const LanguageOrNull = LanguageTag.nullable().meta({
  example: 'de',
  description:
    'The language of its pages and mails: en, de, or one that the operator of the server added (BCP 47); null where none was chosen',
})
/** What becomes of what an account wrote when it is erased. */
export const DeletionContent = z.enum(['delete', 'anonymise']).meta({
  description:
    'delete: what the account wrote is deleted; of a bug or a feature request that others answered only the texts. anonymise: it stays, by "deleted user". Private items, votes and reactions are deleted either way.',
})

/** A username in an answer; null until the account has chosen one. */
export const UsernameOrNull = textLike('mira').nullable()
/** An account by its name. */
export const Person = z.object({ id: Id, username: UsernameOrNull }).meta({ id: 'Person' })
/** The name of an account in an answer. */
export const NameOrNull = textLike('Mira').nullable()
/** The address of an account's picture. */
export const AvatarUrlOrNull = textLike(`/api/images/avatar/avatars/${EXAMPLE_ID}?v=1`).nullable()

export const RoleName = z.enum(['member', 'moderator', 'admin'])

export const Sha256 = textLike('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')

const orNull = (field: z.ZodString) => field.nullish().transform((value) => value || null)

/** A text without content is the same as none: both are stored as null. */
export const optionalText = (max: number) => orNull(text(0, max))

/** The same for a text of one line. In inputs: the record has `line(0, max).nullable()`, from which forms take their limits. */
export const optionalLine = (max: number) => orNull(line(0, max))

const cleared = (field: z.ZodString) =>
  field
    .transform((value) => value || null)
    .nullable()
    .optional()

/** An empty text is stored as null (interface.md, section 2); an absent one stays as it is. */
export const clearable = (max: number) => cleared(text(0, max))

/** The same for a text of one line. */
export const clearableLine = (max: number) => cleared(line(0, max))

/** Past the end of every list. */
const MAX_PAGES = 1_000_000_000

/** 0-indexed; below 0 or not an integer is 0 (behaviour.md, section 2). */
export const PageNumber = z.coerce
  .number()
  .transform((page) => (Number.isInteger(page) ? Math.min(page, MAX_PAGES) : page))
  .pipe(z.int().min(0))
  .catch(0)
  .default(0)
  .meta({ description: 'From 0; anything that is no whole number counts as 0' })

const sorts = z.enum(['latest', 'popular'])

export const Sort = sorts.default('latest').meta({ description: 'Newest first, or most voted first' })
export type Sort = z.infer<typeof Sort>

/** The same, and by what happened last: a comment, or a change. */
export const ActiveSort = z
  .enum(['latest', 'popular', 'active'])
  .default('latest')
  .meta({ description: 'Newest, most voted or last active first' })
export type ActiveSort = z.infer<typeof ActiveSort>

/** The same, and by what is known of how well things work (library/outcome-figures/rules.ts). */
export const BestSort = z
  .enum(['latest', 'popular', 'best'])
  .default('latest')
  .meta({ description: 'Last updated first, most voted first, or what works best first' })
export type BestSort = z.infer<typeof BestSort>

/** Every order of a list. */
export type AnySort = BestSort | ActiveSort

/** The same for the feed: anything else than `popular` is `latest` (behaviour.md, section 2). */
export const FeedSort = sorts
  .catch('latest')
  .default('latest')
  .meta({ description: 'Newest first, or most voted first; any other value counts as latest' })

/** Several values in a query, at most `max` characters: with commas between them, or a parameter each. */
export const commaList = (max: number) =>
  z
    .string()
    .or(z.array(z.string()))
    .transform((given) => [given].flat().join(','))
    .pipe(z.string().max(max))

export const PageSize = z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Entries a page' })

/** A filter of lists: things by one account. */
export const AuthorFilter = Id.optional().meta({ description: 'By the account with this id' })

/** A board by its part of addresses (content/board-access/contract.ts). Short, as agents pay for each word. */
export const BoardSlug = z
  .string()
  .max(60)
  .refine(isStorable, 'is not a board')
  .meta({ example: 'staff', description: 'A board' })

/** A day, YYYY-MM-DD. */
export const Day = z.iso.date().meta({ id: 'Day', example: '2026-12-01' })

/** Filters of lists by what is decided about things (content/threads/contract.ts). */
export const PinnedOnly = z.literal('true').optional().meta({ description: 'Only pinned things' })
export const AssigneeFilter = Id.optional().meta({
  example: 'mira',
  description: 'The id or the username of an account: only what is assigned to it',
})
export const ActiveSince = Timestamp.optional().meta({
  description: 'Only what something happened to after this',
})
export const DueFilter = Day.optional().meta({ description: 'Only what is due on this day or before' })

/** Where a page begins, instead of its number (behaviour.md, section 3). */
export const Cursor = z
  .string()
  .max(1_000)
  .optional()
  .meta({ description: 'Empty for the first page, then `nextCursor` of the one before' })

/** The pages of a list. */
export const pageInput = { page: PageNumber, cursor: Cursor, per_page: PageSize }

/** What every list takes (behaviour.md, section 3). */
export const listInput = z.object({ sort: Sort, ...pageInput })
export type ListInput = z.infer<typeof listInput>

export const HasMore = z.boolean().meta({ example: false })
/** What a list answers to a cursor; to a page it answers as it did before there were cursors. */
export const NextCursor = z
  .string()
  .nullable()
  .optional()
  .meta({ example: null, description: 'The `cursor` of the next page; null at the end' })
/** How a page ends. */
export const pageEnd = { hasMore: HasMore, nextCursor: NextCursor }
const Total = z.int().meta({ example: 1 })

/** What every list answers (behaviour.md, section 3). */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), ...pageEnd, total: Total })

/** Longer queries of the search are cut: an error message is not longer. */
export const MAX_QUERY = 1_000

/** A query as a person types it; empty is none. */
export const SearchText = text(0, 200).optional().meta({
  description:
    'Part of a text, in any case. A search goes through the newest 300 things that have it; one for one or two characters looks at the newest 300 things.',
})

/** The same for lists of things that were written: all its words must be there. */
export const SearchWords = SearchText.meta({
  description:
    'Words in any order and case: all must be there, also within longer ones. Of the newest 300 that have them; for one or two characters of the newest 300.',
})

/** Semantic Versioning 2.0.0. Looked at by the library, so that every way in says the same. */
export const VersionText = z.string().trim().max(256).meta({ description: 'A semantic version', example: '1.2.0' })

/** An item of the library: an id, or a kind, a slash and a slug. */
export const ItemName = line(1, 220).meta({ description: 'Id or kind/slug', example: 'workflow/morning-digest' })

export const Color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour in the form #rrggbb')
  .meta({ example: '#b4552d' })

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an email address'))
  .meta({ example: 'mira@example.com' })

/** A vote as it is sent: up, down, or 0 to take it back (interface.md, section 2). */
export const VoteValue = z.union([z.literal(1), z.literal(-1), z.literal(0)], 'must be the number 1, -1 or 0').meta({
  example: 1,
})
export const MyVote = VoteValue.meta({ description: "The caller's vote; 0 for none" })

/** A client's id is a UUID, a name of the operator's, or the URL of its document. */
export const ClientId = textLike('https://agent.example/client.json')

/** The agent that wrote something; null for what a person wrote in a browser. */
export const Via = z
  .object({
    clientId: ClientId,
    name: textLike('Night Clerk').nullable(),
    verified: z.boolean().meta({
      description: "Whether the name is its own: of the operator's agent, or of the site that its id is an address of",
    }),
    helpers: z
      .array(z.string().nullable())
      .optional()
      .meta({ description: 'By whom it came; the last one wrote it', example: ['Reader'] }),
    signedBy: z.string().optional().meta({
      description:
        'The host whose keys its request was signed with (Web Bot Auth), and verified; of no other it is said',
      example: 'agent.example',
    }),
  })
  .nullable()
  .meta({ id: 'Via', description: 'The agent that wrote it; null for a person', example: null })
export type Via = z.infer<typeof Via>

export const writers = ['people', 'agents'] as const
/** Who wrote what is listed. */
export type Writers = (typeof writers)[number]

/** The filter of a list; its name and values say all, to agents who pay for each word. */
export const WrittenBy = z.enum(writers).optional().meta({ description: 'Who wrote it' })
