// The search over everything that everyone may see.
import { z } from 'zod'
import {
  BoardSlug,
  commaList,
  EXAMPLE_ID,
  Id,
  MAX_QUERY,
  NameOrNull,
  pageEnd,
  pageInput,
  ThingNumber,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
  Via,
  WrittenBy,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { feedKinds, searchTypes } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { open } from '../area.ts'

const SearchType = z.enum(searchTypes).meta({ example: 'bug' })

const Parts = z
  .array(z.object({ text: textLike('digest'), match: z.boolean().meta({ example: true }) }))
  .meta({ description: 'A text in its parts; `match` marks what was searched for' })

const SearchHit = z
  .object({
    type: SearchType,
    id: Id,
    title: Parts.meta({ description: 'Of a comment: of what it is on' }),
    text: Parts.meta({ description: 'Where the words are in its text, or its beginning' }),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`).meta({ description: 'Where the site shows it' }),
    href: Href,
    authorUsername: UsernameOrNull,
    via: Via,
    createdAt: Timestamp.nullable().meta({ description: 'null for labels and tags' }),
    updatedAt: Timestamp.nullable().meta({ description: 'Of its last change' }),
    score: z.int().meta({ description: '0 for what cannot be voted on' }),
  })
  .meta({ id: 'SearchHit' })

/** So many are shown beside a form. */
export const MAX_SIMILAR = 5

const Similar = z
  .object({
    type: z.enum(feedKinds).meta({ example: 'bug' }),
    id: Id,
    number: ThingNumber.nullable(),
    title: textLike('The digest is sent twice when the clock changes'),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`).meta({ description: 'Where the site shows it' }),
    href: Href,
    score: z.int(),
    commentCount: z.int().meta({ example: 2 }),
    likely: z.boolean().meta({ example: true, description: 'Most of the words are in its title and text' }),
    foundBy: z.literal('machine').optional().meta({ description: 'A machine found it, by what it means' }),
  })
  .meta({ id: 'SimilarThing' })

const Types = commaList(200)
  .transform((names) => [...new Set(names.trim().split(',').filter(Boolean))])
  .pipe(z.array(SearchType))
  .optional()
  .meta({ description: `Only these types, with commas between them: ${searchTypes.join(', ')}`, example: 'bug,post' })

const SuggestedMember = z.object({ username: textLike('mira'), name: NameOrNull })

/** So many of each kind are suggested. */
export const MAX_SUGGESTED = 8

export const search = {
  find: {
    summary: 'Search everything: community, library, people, labels and tags',
    description:
      'All words must be there, in any order and form; the last one may be the beginning of a word. Where that finds little, typing errors are corrected and most of the words are enough; of a sentence or an error message some: rare words count more. The best 300 hits can be paged through. Hits are counted by type, up to 1,000 each.',
    method: 'GET',
    path: '/search',
    tool: { name: 'search', title: 'Search' },
    access: open,
    input: z.object({
      q: text(0, MAX_QUERY).default('').meta({
        description: 'Words or a sentence; the first 32 words that say something count',
        example: 'morning digest',
      }),
      type: Types,
      by: WrittenBy,
      sort: z
        .enum(['best', 'newest'])
        .default('best')
        .meta({ description: '`newest` is for following a search: labels and tags, which have no date, come last' }),
      board: BoardSlug.optional(),
      ...pageInput,
    }),
    problems: ['not_found'],
    output: z.object({
      items: z.array(SearchHit),
      ...pageEnd,
      total: z.int().meta({ example: 1, description: 'Hits of these types, at most 300' }),
      counts: z
        .array(
          z.object({
            type: SearchType,
            count: z.int().meta({ example: 1 }),
            more: z.boolean().meta({ example: false, description: 'Maybe more' }),
          }),
        )
        .meta({ description: 'Hits of every type, also of those not asked for' }),
      corrected: z
        .array(z.object({ word: textLike('digset'), to: textLike('digest') }))
        .meta({ description: 'Words that are nowhere, and what was searched for instead' }),
    }),
  },
  similar: {
    summary: 'Things with a similar title, before a new one is written',
    synonyms: ['find duplicates', 'is it already reported', 'already exists'],
    description: `At most ${MAX_SIMILAR}, the most similar first: words of the title in titles, and in the texts of what has some in its title; the last may begin one. Where the operator has a machine for it, members get things of similar meaning too.`,
    method: 'GET',
    path: '/search/similar',
    widget: true,
    access: open,
    input: z.object({
      title: text(0, 100)
        .default('')
        .meta({ description: 'As it would be written', example: 'The digest comes twice' }),
      type: z
        .enum(feedKinds)
        .optional()
        .meta({ description: 'What it would be; without it things of every type are compared', example: 'bug' }),
    }),
    output: z.object({ items: z.array(Similar) }),
  },
  suggest: {
    summary: 'What a name, a number or words in a text may mean, while they are typed',
    description: `After \`@\` members, by the beginning of the username and by words of the name; after \`#\` bugs, feature requests and posts by number or words, and public items of the library. At most ${MAX_SUGGESTED} of each.`,
    method: 'GET',
    path: '/search/suggest',
    access: open,
    input: z.object({
      sign: z.enum(['@', '#']).meta({ description: 'What stands before it', example: '@' }),
      q: text(0, 60).default('').meta({ description: 'What is typed so far', example: 'mi' }),
    }),
    output: z.object({
      members: z.array(SuggestedMember),
      people: z.array(SuggestedMember).meta({ description: 'Use `members`', deprecated: true }),
      things: z.array(
        z.object({
          number: ThingNumber,
          type: z.enum(feedKinds).meta({ example: 'bug' }),
          title: textLike('The digest is sent twice when the clock changes'),
        }),
      ),
      items: z.array(
        z.object({
          kind: z.enum(feedKinds).meta({ example: 'workflow' }),
          name: textLike('Morning digest'),
          url: textLike('/library/workflows/morning-digest').meta({ description: 'Where the site shows it' }),
          href: Href,
        }),
      ),
    }),
  },
} satisfies Contract
