// What an import takes, wherever it comes from: people, labels, things, comments and votes of another tracker, in one form. A source (github.ts, csv.ts,
// ...) reads files of its own format and gives these. Texts are as they were there; what a community takes is decided where they are stored.
import { z } from 'zod'
import { MAX_NUMBER } from '../../contract/import-sources.ts'

/** The id of something within its source: unique for its type. */
const SourceId = z.string().min(1).max(200)
const Moment = z.iso.datetime({ offset: true })
const Address = z.url({ protocol: /^https?$/ }).max(2_000)
/** Longer than any text of a tracker: GitHub's have 65,536 characters. */
export const MAX_TEXT = 262_144

export const PersonRecord = z.object({
  type: z.literal('person'),
  id: SourceId,
  /** The id of the account there, where the source has ids that no other account ever gets; `id` may be a name. */
  accountId: SourceId.optional(),
  /** The name that the source shows, such as a login. */
  username: z.string().min(1).max(200),
  name: z.string().max(200).optional(),
  email: z.email().max(254).optional(),
  /** Programs are people who claim nothing. */
  isBot: z.boolean().optional(),
})

export const LabelRecord = z.object({
  type: z.literal('label'),
  name: z.string().min(1).max(200),
  /** `#rrggbb`. */
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
  description: z.string().max(2_000).optional(),
})

/** How far a thing has got, in words that each source maps its own to. */
export const importedStates = ['open', 'planned', 'in_progress', 'done', 'declined'] as const
export type ImportedState = (typeof importedStates)[number]

export const ThingRecord = z.object({
  type: z.literal('thing'),
  id: SourceId,
  kind: z.enum(['bug', 'feature', 'post']),
  /** Its number there, if it has one. */
  number: z.number().int().min(1).max(MAX_NUMBER).optional(),
  /** Its address there. */
  url: Address.optional(),
  /** The id of a person; undefined for one who is unknown or gone. */
  author: SourceId.optional(),
  title: z.string().max(MAX_TEXT),
  text: z.string().max(MAX_TEXT),
  state: z.enum(importedStates).default('open'),
  /** The words that the source has for the state, for the report. */
  stateWords: z.string().max(200).optional(),
  severity: z.enum(['low', 'medium', 'high', 'critical']).optional(),
  /** Names of labels. */
  labels: z.array(z.string().min(1).max(200)).max(200).default([]),
  createdAt: Moment,
  updatedAt: Moment.optional(),
  isLocked: z.boolean().optional(),
  isPinned: z.boolean().optional(),
})

export const CommentRecord = z.object({
  type: z.literal('comment'),
  id: SourceId,
  /** The id of the thing. */
  thing: SourceId,
  /** The id of the comment that it answers, of the same thing. */
  parent: SourceId.optional(),
  url: Address.optional(),
  author: SourceId.optional(),
  text: z.string().max(MAX_TEXT),
  createdAt: Moment,
  updatedAt: Moment.optional(),
  /** It is the answer that was marked as the solution. */
  isSolution: z.boolean().optional(),
})

export type PersonRecord = z.output<typeof PersonRecord>
export type ThingRecord = z.output<typeof ThingRecord>
export type CommentRecord = z.output<typeof CommentRecord>

export const VoteRecord = z.object({
  type: z.literal('vote'),
  thing: SourceId,
  person: SourceId,
  value: z.union([z.literal(1), z.literal(-1)]),
  createdAt: Moment.optional(),
})

export type VoteRecord = z.output<typeof VoteRecord>

/** What a source has and no record can hold, counted for the report: votes without voters, pull requests, private notes, ... */
export const LeftOutRecord = z.object({
  type: z.literal('left out'),
  /** What it is and why it is left out, in words for the report. */
  what: z.string().min(1).max(200),
  count: z.number().int().min(1),
})

/** One record. A thing comes before its comments and votes; people and labels come anywhere. */
export const ImportRecord = z.discriminatedUnion('type', [
  PersonRecord,
  LabelRecord,
  ThingRecord,
  CommentRecord,
  VoteRecord,
  LeftOutRecord,
])
export type ImportRecord = z.output<typeof ImportRecord>
/** What is kept of a source until it is written. */
export type StagedRecord = Exclude<ImportRecord, { type: 'left out' }>
export type GivenRecord = z.input<typeof ImportRecord>

/** A file of a source, by its name: recorded answers of an API, an export, a table. */
export interface SourceFile {
  name: string
  /** Its bytes, piece by piece. */
  read(): AsyncIterable<Uint8Array>
}

/** What cannot be read: says which file, and where. */
export class SourceError extends Error {}

/** Reads the files of a source. Throws `SourceError`. */
export type ReadSource = (files: readonly SourceFile[], options: SourceOptions) => AsyncIterable<GivenRecord>

export interface SourceOptions {
  /** The column of a table for each field of a thing (csv). */
  columns?: Readonly<Record<string, string>>
  /** The kind of things whose source does not say. */
  kind?: 'bug' | 'feature' | 'post'
  /** The time of things whose source says none (csv); without it, these are left out. */
  now?: string
}
