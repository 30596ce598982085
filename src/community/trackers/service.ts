// What a tracker is asked for and told, of any service. An issue is known by its number, and a person by an id that stays when the name changes.
import type { EndpointRequest } from '../../request/endpoint.ts'
import type { Dialect, State } from './rules.ts'

export interface Person {
  id: string
  login: string
}

export interface Issue {
  number: number
  title: string
  text: string
  state: State
  labels: readonly string[]
  user: Person | undefined
  url: string
  updatedAt: string
  /** The id under which it was made, where the service takes one. */
  madeAs?: string
  /** Whether it goes across: no pull request, nothing confidential, and still in the place that is linked. */
  isOf: boolean
}

export interface Comment {
  id: string
  text: string
  user: Person | undefined
  url: string
  /** As an import of that service calls it. */
  importId: string
  updatedAt: string
  /** Whether someone changed it since it was written: moderators there may. */
  isEdited: boolean
}

/** What someone changed on an issue. */
export interface IssueChange {
  what: 'title' | 'text' | 'state' | 'label'
  label?: { name: string; isOn: boolean }
  by: Person | undefined
  at: string
}

export interface Place {
  /** Whether not everyone reads it. */
  isPrivate: boolean
  name: string
}

export interface IssueFields {
  title: string
  text: string
  state: State
}

/** Something new; services that take an id for it make it once under that. */
export interface NewText {
  text: string
  madeAs: string
}

/** How to find what an attempt made whose answer got lost. */
export interface LostIssue {
  madeAs: string | undefined
  since: string
  login: string
  isIt(issue: Issue): boolean
}

export interface ChangedPage {
  issues: readonly Pick<Issue, 'number' | 'updatedAt' | 'isOf'>[]
  /** Where the next page begins; undefined after the last one. */
  next: string | undefined
  etag: string
}

/** One place of a service: a repository, a project or a team. */
export interface Service {
  readonly dialect: Dialect
  /** A state as this service can tell it from others. */
  stateOf(state: State): State
  /** The place; throws where it is not there under its name, or not for this token. */
  place(): Promise<Place>
  /** Whose token it is, and the place. */
  self(): Promise<Person & Place>
  person(login: string): Promise<Person | undefined>
  issue(number: number): Promise<Issue | undefined>
  /** Some issues that changed since a moment, the oldest change first; undefined where nothing did since the answer with that `etag`. */
  changed(asked: { since: string; from: string | undefined; etag?: string }): Promise<ChangedPage | undefined>
  /** The numbers of issues whose comments changed since a moment, where that is no change of the issue. */
  commented(since: string): Promise<Set<number>>
  findLost(lost: LostIssue): Promise<Issue | undefined>
  comments(number: number): Promise<Comment[]>
  /** The last changes of an issue, the newest first. */
  changesOf(number: number): Promise<IssueChange[]>
  createIssue(made: NewText & { title: string }): Promise<Issue>
  updateIssue(number: number, changes: Partial<IssueFields>): Promise<Issue>
  createComment(number: number, made: NewText): Promise<Comment>
  updateComment(number: number, id: string, text: string): Promise<Comment | undefined>
  deleteComment(number: number, id: string): Promise<void>
  /** Puts a label on an issue, made where the place has none of that name. */
  addLabel(number: number, label: { name: string; color: string }): Promise<void>
  removeLabel(number: number, name: string): Promise<void>
}

/** What a delivery said that someone did, which is not known later. */
export interface DeliveryNews {
  what: 'text' | 'comment' | 'gone'
  /** Of a comment. */
  id?: string | undefined
  by: Person
  at: string
}

export interface Delivery {
  /** The same for one that is sent again. */
  id: string
  /** What it is of, in lower case. */
  nameKey: string
  /** Where to look; undefined for what does not concern an issue. */
  number?: number | undefined
  told?: DeliveryNews | undefined
}

/** Deliveries of a service: signed with the secret of a link. */
export interface Deliveries {
  isSigned(secret: string, received: EndpointRequest): boolean
  /** Throws where it is none. */
  read(received: EndpointRequest): Delivery
}
