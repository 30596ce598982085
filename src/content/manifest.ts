// What a feature is: everything that a folder adds to the application, in its `feature.ts`. `src/features.ts` lists them, and the lists of
// the application (erasure, jobs, search, ...) are functions of that list. Contracts and subjects are data, and are listed apart, in
// src/api.ts and src/subjects.ts: browsers and the site load them without what handles them.

import type { Prompt } from '../contract/prompt.ts'
import type { Job } from '../core/jobs/job.ts'
import type { Db } from '../database/schema.ts'
import type { ErasureStep } from '../identity/erasure.ts'
import type { Dependencies } from '../request/handler.ts'
import type { Clock } from '../runtime/clock.ts'
import type { SearchSource } from '../search/building-queries.ts'
import type { IsUsed } from '../storage/sweep.ts'
import type {
  AnyVotable,
  BoardedKind,
  ClosableKind,
  Commentable,
  Floodable,
  HideableKind,
  LockThing,
  Mergeable,
  ThreadKind,
} from './things.ts'
import type { FindTitles } from './title-queries.ts'

/** What can be done with the things of all features. A feature that adds to all of them is given it. */
export interface Things {
  commentables: readonly Commentable[]
  votables: readonly AnyVotable[]
  floodables: readonly Floodable[]
  mergeables: readonly Mergeable[]
  /** What a release can close. */
  releasings: readonly ClosableKind[]
  /** What can be pinned, locked, solved or assigned. */
  threads: readonly ThreadKind[]
  /** What is in boards. */
  boarded: readonly BoardedKind[]
}

/** A promise where what an erasure does is loaded for it: a start is spared that. */
type StepsOf = (things: Things) => readonly ErasureStep[] | Promise<readonly ErasureStep[]>

/** What clears an account. The order of the steps is stored by their names: one that moves up is left out of an erasure that has begun. */
export interface Erasure {
  /** Before the things of the account: its credentials, and what it has on things of others. */
  first?: StepsOf
  steps?: StepsOf
  /** When no feature needs it any more. */
  last?: StepsOf
}

/** What says what waits. */
export interface JobSource {
  db: Db
  clock: Clock
  /** Before then what has expired may be removed. */
  cleanUpTime(): Promise<string>
}

/** What batches work with; a command of the operator runs none. */
export type Work<Services = unknown> = () => { dependencies: Dependencies; services: Services }

/** What it removes in words for operators, and how: what has expired by `now`. */
export type CleanUp = readonly [
  what: string,
  run: (now: string, dependencies: Dependencies, services: never) => Promise<unknown>,
]

export interface Feature extends Partial<Things> {
  /** Handlers by the name of their contract in src/api.ts; where they need something of the application, a function of that. */
  handlers?: object | ((services: never) => object)
  /** By type, the paths of things that are no subjects and that a write of an agent can be about. */
  paths?: Readonly<Record<string, readonly string[]>>
  /** By type, how that is locked which cannot be hidden. */
  locks?: Readonly<Record<string, LockThing>>
  jobs?: (source: JobSource, work: Work<never>) => readonly Job[]
  /** By the name in the kinds of their jobs. */
  cleanUps?: Readonly<Record<string, CleanUp>>
  /** Whether a file of the artifacts is named. */
  isFileUsed?: IsUsed
  /** What everything of an account has beside what can be hidden by itself: before that, and after it. */
  sweptFirst?: readonly HideableKind[]
  sweptLast?: (things: Things) => readonly HideableKind[]
  erasure?: Erasure
  /** What the search finds beside the subjects; an index that is being built counts them, so their order is stored. */
  searchSources?: readonly SearchSource[]
  /** By the types of the audit log, the titles of things that are no subjects. Credentials and sessions have none. */
  titles?: Readonly<Record<string, FindTitles>>
  /** How clients are called that the details of entries name. */
  clientTitles?: FindTitles
  /** Prompts of MCP. */
  prompts?: readonly Prompt[]
  /** The operations whose lists have the values of an argument of prompts. */
  completedBy?: Readonly<Record<string, string>>
  /** What can be hidden. The order of features is that in which the things of an account are; those that need all things come last. */
  hidings?: readonly HideableKind[] | ((things: Things) => readonly HideableKind[])
}

type HandlersIn<F> = F extends { handlers: (services: never) => infer H }
  ? H
  : F extends { handlers: infer H }
    ? H
    : unknown
type ServicesIn<F> = (F extends { handlers: (services: infer S) => object } ? S : unknown) &
  (F extends { jobs: (source: JobSource, work: Work<infer S>) => unknown } ? S : unknown) &
  (F extends { cleanUps: Readonly<Record<string, readonly [string, CleaningUp<infer S>]>> } ? S : unknown)
type CleaningUp<Services> = (now: string, dependencies: Dependencies, services: Services) => Promise<unknown>

/** What is in all members of a union of functions of one parameter: not by recursion, which ends at some fifty features. */
type Together<Taking> = [Taking] extends [(all: infer All) => void] ? All : never

/** The handlers of all features. */
export type HandlersOf<Features extends readonly unknown[]> = Together<
  { [At in keyof Features]: (all: HandlersIn<Features[At]>) => void }[number]
>

/** What the features of a list need of the application. */
export type ServicesOf<Features extends readonly unknown[]> = Together<
  { [At in keyof Features]: (all: ServicesIn<Features[At]>) => void }[number]
>

/** The handlers of all features, by the names of their contracts. */
export const handlersOf = <const Features extends readonly Feature[]>(
  features: Features,
  services: ServicesOf<Features>,
): HandlersOf<Features> =>
  Object.assign(
    {},
    ...features.map(({ handlers }) => (typeof handlers === 'function' ? handlers(services as never) : handlers)),
  )

/** What all features have of something, in their order. */
export const allOf = <Name extends keyof Things>(features: readonly Feature[], name: Name): Things[Name][number][] =>
  features.flatMap((feature): readonly Things[Name][number][] => feature[name] ?? [])
