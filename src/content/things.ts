// What the capabilities of content need of a kind of thing: each kind gives it, and each capability works with all kinds that do.

import type { ThreadCapability } from '../contract/capabilities.ts'
import type { Problem } from '../contract/problem.ts'
import type { Db, TablesWith, Transaction } from '../database/schema.ts'
import type { Caller } from '../request/handler.ts'
import type { Concerning } from './about/about.ts'
import type { Actor, ListedSubject, OwnedThing } from './subject.ts'

export interface Counts {
  score: number
  commentCount: number
}

/** When something happened to a thing, where lists are in that order. */
export interface ActiveAt {
  activeAt?: string
}

/** The score of a thing, or what is added to it. */
export interface Score {
  id: string
  score: number
}

/** What moderators know of a thing of any kind. */
export interface Thing {
  id: string
  authorId: string
  createdAt: string
  hidden: number
  /** The board that it is in, where its kind is in boards; null for the first one. */
  boardId?: string | null
  /** Empty for a comment. */
  title: string
  /** Its text, in Markdown or plain. */
  text: string
  /** Where the site shows it. */
  url: string
}

export interface ThingsOf {
  authorId: string
  after: string
  limit: number
}

/** A kind of thing that can be hidden. */
export interface HideableKind {
  type: string
  find(db: Db, id: string): Promise<Thing | undefined>
  /** Locks it, with what guards it, until the transaction ends. */
  lock(db: Transaction, id: string): Promise<{ hidden: number } | undefined>
  /** Ids of what an account made, in order, hidden or not. */
  listIdsOf(db: Db, of: ThingsOf): Promise<string[]>
  /** Stores why a locked thing is hidden, and takes it out or brings it back where that changes. */
  setHidden(db: Transaction, id: string, change: { hidden: number; now: string }): Promise<void>
  /** Removes a locked thing for good, with everything on it. Gives the keys of stored files to remove after the commit. */
  remove(db: Transaction, id: string, now: string): Promise<readonly string[]>
  /** Whether everybody may see what it is on, where that is not what `hidden` says. */
  isPlaceSeen?(db: Db, id: string): Promise<boolean>
  /** What people read of it beside its title and text. */
  findMore?(db: Db, id: string): Promise<string | null>
}

/** Locks a thing, with what guards it, until the transaction ends. */
export type LockThing = (db: Transaction, id: string) => Promise<unknown>

/** A kind of thing that is in boards, as its store gives it. */
export interface BoardedKind {
  type: string
  /** Where the site shows a thing. */
  subject: { url(thing: { id: string }): string }
  /** Locks a thing until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<{ id: string; authorId: string; hidden: number; boardId?: string | null }>
  update(db: Transaction, id: string, changes: Readonly<Record<string, string | null>>): Promise<unknown>
}

/** A kind of thing about which something can be decided (content/store/queries.ts). */
export interface ThreadKind {
  type: string
  /** Locks a thing until the transaction ends; throws `not_found`. */
  lock(db: Transaction, id: string): Promise<OwnedThing & { id: string }>
  subject: {
    table: TablesWith<'id' | 'authorId'>
    thread?: readonly ThreadCapability[]
    permissions: Readonly<Record<string, readonly Actor[]>>
    closing?: { from: readonly string[] }
  }
}

/** What can be voted on (content/store/queries.ts). */
export interface Votable {
  type: string
  follow: boolean
  noSuchThing(): Problem
  /** Throws `not_found` unless the running call sees it. */
  getRow?(db: Db, id: string): Promise<unknown>
  /** Locks targets in the order of their ids until the transaction ends, in any board; gives those that are there. */
  lockAll(db: Transaction, ids: readonly string[]): Promise<{ id: string; score: number }[]>
  /** Adds to the scores of targets that are locked. */
  addScores(db: Transaction, scores: readonly { id: string; score: number }[]): Promise<void>
}

export type AnyVotable = Votable & { findLockedAny(db: Transaction, id: string): Promise<unknown> }

/** What can be commented on (content/store/queries.ts). */
export interface Commentable {
  type: string
  /** Whether who comments on a parent follows it. */
  follow: boolean
  /** Whether comments on a parent can be locked for members. */
  canLock?: boolean
  /** Locks the parent until the transaction ends; throws `not_found`, and `forbidden` to a member who comments where that is locked. */
  lock(db: Transaction, id: string, commenter?: Pick<Caller, 'role'>): Promise<unknown>
  /** Locks a parent, hidden or not, if it has a row. */
  findLockedAny(db: Transaction, id: string): Promise<unknown>
  /** The board of a parent, where it is in boards; null for the first one. */
  findBoard?(db: Db, id: string): Promise<string | null>
  /** Whether the search may have what is said beneath a parent; it may unless this says otherwise. */
  isShared?(db: Db, id: string): Promise<boolean>
  /** The number of comments of a parent; throws `not_found`. */
  countComments(db: Db, id: string): Promise<number>
  addCounts(db: Transaction, id: string, delta: { commentCount: number } & ActiveAt): Promise<void>
  /** Where the site shows a parent; throws `not_found`. */
  findUrl(db: Db, id: string): Promise<string>
  /** What comments on a parent say of versions of it, where they can. */
  concerning?: Concerning
  /** The parent, where the feed does not show it. */
  describe?(id: string): Promise<{ title: string }>
}

/** What can be merged: the rows of a subject, and what puts a label on one. */
export interface Mergeable {
  type: string
  addCounts(db: Transaction, id: string, delta: Partial<Counts> & ActiveAt): Promise<void>
  /** Adds to the scores of rows that are locked. */
  addScores(db: Transaction, scores: readonly Score[]): Promise<void>
  table: ListedSubject['table']
  /** Puts things into the search with the texts of what was merged into them, if they show. */
  indexAll(db: Transaction, ids: readonly string[]): Promise<void>
  /** Whether the search may have what is said of a thing. */
  isShared(db: Db, id: string): Promise<boolean>
  /** Locks a thing, hidden or not; whether there is one. */
  lockAny(db: Transaction, id: string): Promise<boolean>
  attach(db: Transaction, id: string, labelId: string): Promise<void>
}

/** Who merges or undoes it, and when: an account by a request, or the server itself. */
export interface Merging {
  db: Db
  now: string
  /** null for the server. */
  by: string | null
  address: string | null
}

/** A report as it is compared. */
export interface Flooding {
  title: string
  text: string
  id: string
  number: number
  weight: number
  /** Whether everybody sees it, and it is open. */
  isOpen: boolean
}

/** A kind of thing whose reports are merged. */
export interface Floodable {
  type: ListedSubject['type']
  table: ListedSubject['table']
  /** The states of one that is open. */
  open: readonly string[]
  find(db: Db, id: string): Promise<Flooding | undefined>
  /** Merges one into another if `isSame` still holds when both are locked; throws a Problem otherwise. */
  merge(
    by: Merging,
    merge: { id: string; into: string; isSame(report: Flooding, older: Flooding): boolean },
  ): Promise<void>
  /** Undoes a merge; throws a Problem where that cannot be. */
  undo(by: Merging, id: string): Promise<void>
}

/** The actor and the time; `address` is null for background work. */
export interface ActContext {
  caller: Pick<Caller, 'id'>
  now: string
  address: string | null
}

export interface CloseAct {
  context: ActContext
  id: string
  reason: string
  /** Only what is open: another status is a decision of moderators. */
  onlyOpen?: boolean
}

/** A kind of thing that a release can close. */
export interface ClosableKind {
  type: string
  /** Whether those who publish versions of an item close what is about it. */
  byVersions?: true
  /** Whether a caller may set the status of such things. */
  may(caller: Pick<Caller, 'id' | 'role'>): boolean
  /** Locks a thing; false where there is none. */
  lock(db: Transaction, id: string): Promise<boolean>
  /** Closes a locked thing; gives its status before and after, undefined for one that is left as moderators decided. */
  close(db: Transaction, act: CloseAct): Promise<{ from: string; to: string } | undefined>
}
