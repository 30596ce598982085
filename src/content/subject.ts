// What a subject is: one declaration from which contract, handlers, queries, feed, search, verify and the site's pages are
// derived. Pure data, so that a browser can load it.
import { z } from 'zod'
import type { AuditAction } from '../contract/audit.ts'
import type { WriteKind } from '../contract/bounds.ts'
import type { Capability, CapabilityName, ClosingRule, ThreadCapability } from '../contract/capabilities.ts'
import type { FeedKind } from '../contract/kinds.ts'
import type { Role, Tool } from '../contract/operation.ts'
import { keysOf, recordOf } from '../contract/records.ts'
import { standingIn } from '../contract/standing.ts'
import type { SubjectTable, TablesWith } from '../database/schema.ts'

/**
 * Who may do something with a thing. A moderator is a moderator or an admin, or one of the board that it is in; a `boardModerator` one of a
 * board beside the first one: moderators and admins are that of each.
 */
export type Actor = 'author' | 'unansweredAuthor' | 'moderator' | 'boardModerator' | 'admin'

/** A type in the feed. Its words are in the catalogue: `kinds.<kind>`. */
export interface KindOf<Kind extends FeedKind = FeedKind> {
  kind: Kind
  /** A name in site/src/lib/ui/icons.ts. */
  icon: string
}

/** What follows from the capabilities of a subject. */
export interface Abilities<Parent extends string = string> {
  /** In the order of `capabilities`. */
  can: readonly Capability[]
  /** The field of a comment that names its parent; none where there are no comments. */
  parent?: Parent
  /** Whether it can be followed. */
  follow?: true
  /** What its author may make of its status. */
  closing?: ClosingRule
  /** Whether it can name a version of an item that it is about (about/contract.ts). */
  about?: true
  /** Where it has labels: their table, and the permission of those who put them on a thing. */
  labels?: { table: TablesWith<'labelId' | 'score'>; permission: string }
  /** Whether its things are in boards (boards/contract.ts). */
  boards?: true
  /** What moderators, and for a solution its author, may decide about a thing beside its record (threads/contract.ts). */
  thread?: readonly ThreadCapability[]
}

export interface Subject<
  Kind extends FeedKind = FeedKind,
  Parent extends string = string,
  Action extends string = string,
> extends Abilities<Parent> {
  /** What votes, comments, counters and the search know it by. */
  type: string
  /** With its article: `a bug`. */
  one: string
  many: string
  /** Below /api, and of the site. */
  path: `/community/${string}`
  /** The types of its entries in the feed. */
  kinds: readonly KindOf<Kind>[]
  /** The table that counts its votes and comments; none for what is a file. */
  table?: TablesWith<'id' | 'score' | 'hidden' | 'viaClientId'>
  /** Its column of the author; `authorId` unless told. */
  author?: string
  /** The kind of what is written of it, for the bounds of agents; `posts` unless told. */
  writes?: WriteKind
  /** What agents call its shared operations by MCP; the others are found by words. */
  tools?: Partial<Readonly<Record<'list' | 'get' | 'vote' | 'comment', Tool>>>
  /** What agents read of it again as an MCP resource. */
  resource?: string
  /** Who may do what with a thing; its readers get it in `can`. */
  permissions: Readonly<Record<Action, readonly Actor[]>>
}

/** A field of the form for a new thing: a line, a text in Markdown, or a choice where the record has one. */
export interface FormField {
  name: string
  markdown?: true
  /** A day instead of a text. */
  type?: 'date'
  /** What is chosen at first. */
  initial?: string
}

/** Pages that the site makes from the declaration alone. Their words are in the catalogue: `kinds.<type>`. */
export interface SubjectPages {
  fields: readonly FormField[]
  /** What schema.org calls it. */
  schema: 'DiscussionForumPosting' | 'SocialMediaPosting'
  /** Whether a new thing can be kept as a draft. */
  drafts?: true
  /** The operation that sets the filters that are columns, for callers with this permission. */
  decide?: string
}

/** What every record of a stored subject has. */
export type RecordSchema = z.ZodObject<{
  id: z.ZodType<string>
  authorId: z.ZodType<string>
  createdAt: z.ZodType<string>
}>

/** A subject with lists of its own, whose things are rows of one table. */
export interface ListedSubject<
  Schema extends RecordSchema = RecordSchema,
  Filters extends z.ZodRawShape = z.ZodRawShape,
  Kind extends FeedKind = FeedKind,
  Parent extends string = string,
  Action extends string = string,
> extends Subject<Kind, Parent, Action> {
  type: Kind
  /** Who may write new things; any member unless told. */
  writers?: readonly Actor[]
  /** None where the site has pages of its own for it. */
  pages?: SubjectPages
  table: TablesWith<keyof SubjectTable>
  /** The columns that its readers get; a row has `score` too, and `commentCount` where there are comments. */
  record: Schema
  /** What the audit log records when a moderator removes a thing. */
  audit: Readonly<Record<'delete', AuditAction>>
  /** What lists are filtered by, beside the author. Those that are columns have indexes and counters. */
  filters: Filters
  /** What the feed shows of a thing and a search looks through. */
  text(thing: z.output<Schema>): { title: string; text: string }
  /** Where the site shows a thing. */
  url(thing: z.output<Schema>): string
}

/** The field of a comment that names a thing which can what `Can` says. */
type ParentIn<Can> = Can extends readonly (infer One)[] ? Extract<One, { parent: string }>['parent'] : never
type Declared<Whole, Can> = Omit<Whole, keyof Abilities> & { can: Can }

/** What the other files ask of a subject, from the list of what its things can do. */
function abilitiesOf<const Can extends readonly Capability[]>(can: Can): Abilities<ParentIn<Can>> {
  const thread = can.flatMap((one) => ('decides' in one ? [one.decides] : []))
  const details = can.map(({ name: _name, decides: _decides, ...more }: Capability & { decides?: unknown }) => more)
  return Object.assign({ can }, ...details, thread.length > 0 && { thread })
}

export const defineSubject = <Kind extends FeedKind, Action extends string, const Can extends readonly Capability[]>(
  subject: Declared<Subject<Kind, ParentIn<Can>, Action>, Can>,
): Subject<Kind, ParentIn<Can>, Action> => ({ ...subject, ...abilitiesOf(subject.can) })

export const defineListedSubject = <
  Schema extends RecordSchema,
  Filters extends z.ZodRawShape,
  Kind extends FeedKind,
  Action extends string,
  const Can extends readonly Capability[],
>(
  subject: Declared<ListedSubject<Schema, Filters, Kind, ParentIn<Can>, Action>, Can>,
): ListedSubject<Schema, Filters, Kind, ParentIn<Can>, Action> => ({ ...subject, ...abilitiesOf(subject.can) })

/** Whether things of a subject can do something. */
export const can = (subject: Pick<Subject, 'can'>, name: CapabilityName): boolean =>
  subject.can.some((one) => one.name === name)

/** Whether it is known when something happened to a thing last: where things are decided about. */
export const hasActivity = ({ thread }: Pick<Subject, 'thread'>): boolean => thread !== undefined

/** The filters that are columns, in the order in which counters name their values. */
export const facetsOf = ({ filters, record }: Pick<ListedSubject, 'filters' | 'record'>): string[] =>
  Object.keys(filters).filter((name) => name in record.shape)

/** The columns of a row: those of its record, those that every subject has, and what is counted of edits. */
export function columnsOf({
  parent,
  boards,
  thread,
  record: { shape },
}: Pick<ListedSubject, 'parent' | 'record' | 'boards' | 'thread'>): string[] {
  return [
    ...Object.keys(shape),
    ...['score', 'hidden', 'viaClientId'],
    ...(parent ? ['commentCount'] : []),
    ...(boards ? ['boardId'] : []),
    ...(hasActivity({ thread }) ? ['touchedAt'] : []),
    ...('editedAt' in shape ? ['revisionCount'] : []),
    ...('status' in shape ? ['statusChangeCount'] : []),
  ]
}

/** What decides who may do what with a thing. */
export interface OwnedThing {
  authorId: string
  commentCount: number
  /** The board that it is in; null for the first one. */
  boardId?: string | null
}

interface Visitor {
  id: string
  role: Role
}

/** Whether the caller of the running call moderates the board of a thing, which is not the first one. */
export const moderatesBoardOf = (thing: { boardId?: string | null } | undefined): boolean =>
  thing?.boardId != null && standingIn(thing.boardId).moderate

const rules: Record<Actor, (caller: Visitor, thing?: OwnedThing) => boolean> = {
  author: ({ id }, thing) => thing?.authorId === id,
  unansweredAuthor: ({ id }, thing) => thing?.authorId === id && thing.commentCount === 0,
  moderator: ({ role }, thing) => role !== 'member' || moderatesBoardOf(thing),
  boardModerator: (_, thing) => moderatesBoardOf(thing),
  admin: ({ role }) => role === 'admin',
}

/** Whether a caller is one of these to a thing; without a thing, whether a role alone makes it so. */
export const isOneOf = (actors: readonly Actor[], caller: Visitor, thing?: OwnedThing): boolean =>
  actors.some((actor) => rules[actor](caller, thing))

export type Can<Action extends string> = Readonly<Record<Action, boolean>>

/** What a caller may do with things of a subject: all false for an anonymous user. */
export function permissionsOf<Action extends string>(
  { permissions }: Pick<Subject<FeedKind, string, Action>, 'permissions'>,
  caller: Visitor | undefined,
): (thing: OwnedThing) => Can<Action> {
  const actions = keysOf(permissions)
  const nothing = recordOf(actions, () => false)
  return (thing) => (caller ? recordOf(actions, (action) => isOneOf(permissions[action], caller, thing)) : nothing)
}

/** How `can` looks in a contract. */
export const canSchema = <Action extends string>({
  permissions,
}: Pick<Subject<FeedKind, string, Action>, 'permissions'>) =>
  z.object(recordOf(keysOf(permissions), () => z.boolean())).meta({ description: 'What the caller may do with it' })
